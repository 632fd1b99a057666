import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { KMS } from '@aws-sdk/client-kms';
import { TestIdentities } from '@emu/gateway/testing';
import { manifest as kmsManifest } from '@emu/svc-kms/manifest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  ACCOUNT,
  type DynamoTest,
  keys,
  makeTable,
  REGION,
  startDynamo,
} from '../../../packages/svc-dynamodb/test/support.ts';

let t: DynamoTest;
let kms: KMS;
beforeEach(async () => {
  t = await startDynamo({ manifests: [kmsManifest] });
  kms = new KMS(t.emulator.clientConfig());
});
afterEach(() => t[Symbol.asyncDispose]());

const newKey = async (input = {}) => (await kms.createKey(input)).KeyMetadata!.Arn!;
const create = (KMSMasterKeyId: string) => ({
  TableName: 'safe',
  BillingMode: 'PAY_PER_REQUEST' as const,
  ...keys('id:S'),
  SSESpecification: { Enabled: true, SSEType: 'KMS' as const, KMSMasterKeyId },
});
const relayed = (kind: string, name: string, code: string, message: string) =>
  new RegExp(
    `KMS ${kind} error: com\\.amazonaws\\.services\\.kms\\.model\\.${name}: ${message} \\(Service: AWSKMS; Status Code: 400; Error Code: ${code}; Request ID: [0-9a-f-]{36}; Proxy: null\\)$`,
  );

test('keys are given by id, ARN and alias, and returned as ARN; a change returns the old key once', async () => {
  const [first, second] = [await newKey(), await newKey()];
  await kms.createAlias({ AliasName: 'alias/mine', TargetKeyId: second });
  const { TableDescription } = await t.db.createTable(create(first.split('/')[1]!));
  expect(TableDescription!.SSEDescription).toEqual({ Status: 'ENABLED', SSEType: 'KMS', KMSMasterKeyArn: first });
  const change = (KMSMasterKeyId: string) => ({
    TableName: 'safe',
    SSESpecification: { Enabled: true, SSEType: 'KMS' as const, KMSMasterKeyId },
  });
  const changed = await t.db.updateTable(change('alias/mine'));
  expect(changed.TableDescription).toMatchObject({
    TableStatus: 'ACTIVE',
    SSEDescription: { Status: 'UPDATING', SSEType: 'KMS', KMSMasterKeyArn: first },
  });
  const { Table } = await t.db.describeTable({ TableName: 'safe' });
  expect(Table!.SSEDescription).toEqual({ Status: 'ENABLED', SSEType: 'KMS', KMSMasterKeyArn: second });
  expect(await t.refusal('UpdateTable', change(second))).toBe(
    'One or more parameter values were invalid: Table is already encrypted with given KMSMasterKeyId. Use KMSMasterKeyId parameter if you want to change Master Key',
  );
});

test('rejects unusable keys and changes nothing', async () => {
  const [disabled, leaving] = [await newKey(), await newKey()];
  await kms.disableKey({ KeyId: disabled });
  await kms.scheduleKeyDeletion({ KeyId: leaving });
  const asymmetric = await newKey({ KeySpec: 'RSA_2048', KeyUsage: 'ENCRYPT_DECRYPT' });
  await makeTable(t, 'plain');
  // AWS managed keys are created at their first use.
  await t.send('CreateTable', create('alias/aws/s3'));
  for (const [key, sentence] of [
    [disabled, relayed('key disabled', 'DisabledException', 'DisabledException', `${disabled} is disabled\\.`)],
    [
      leaving,
      relayed(
        'validation',
        'KMSInvalidStateException',
        'KMSInvalidStateException',
        `${leaving} is pending deletion\\.`,
      ),
    ],
    [
      'alias/none',
      relayed(
        'validation',
        'NotFoundException',
        'NotFoundException',
        `Alias arn:aws:kms:${REGION}:000000000000:alias/none is not found\\.`,
      ),
    ],
    [
      asymmetric,
      relayed(
        'internal',
        'AWSKMSException',
        'ValidationException',
        'EncryptionContext is supported only when creating a grant for a symmetric encryption KMS key\\.',
      ),
    ],
    [
      'alias/aws/s3',
      /^AccessDeniedException: KMS key access denied error: .* not authorized to perform: kms:CreateGrant/,
    ],
  ] as const) {
    expect(await t.refusal('CreateTable', create(key))).toMatch(sentence);
    expect(await t.refusal('UpdateTable', { ...create(key), TableName: 'plain', BillingMode: undefined })).toMatch(
      sentence,
    );
  }
  expect((await t.db.listTables({})).TableNames).toEqual(['plain']);
  expect((await t.db.describeTable({ TableName: 'plain' })).Table!.SSEDescription).toBeUndefined();
});

test("a table's data key is generated and decrypted as the caller, and cached for five minutes", async () => {
  const identities = new TestIdentities();
  await using run = await startDynamo({
    manifests: [kmsManifest, identities.manifest],
    settings: { accountId: ACCOUNT, region: REGION, values: { EMULATOR_ENFORCE_IAM: true } },
  });
  const { emulator } = run;
  const root = new KMS(emulator.clientConfig());
  const KeyId = (await root.createKey({})).KeyMetadata!.Arn!;
  const as = (name: string, ...actions: string[]) =>
    new DynamoDB(
      emulator.clientConfig(
        identities.user(emulator, name, {
          accountId: ACCOUNT,
          may: [{ Effect: 'Allow', Action: ['dynamodb:*', ...actions], Resource: '*' }],
        }),
      ),
    );
  const [maker, reader] = [as('maker', 'kms:DescribeKey', 'kms:GenerateDataKey*', 'kms:Decrypt'), as('reader')];
  await expect(as('nobody', 'kms:DescribeKey').createTable(create(KeyId))).rejects.toThrow(
    /^KMS key access denied error: .* is not authorized to perform: kms:GenerateDataKey/,
  );
  await maker.createTable(create(KeyId));
  const Item = { id: { S: 'a' } };
  for (let i = 0; i < 3; i++) await maker.putItem({ TableName: 'safe', Item });
  for (const read of [
    () => reader.getItem({ TableName: 'safe', Key: Item }),
    () => reader.batchGetItem({ RequestItems: { safe: { Keys: [Item] } } }),
    () => reader.transactGetItems({ TransactItems: [{ Get: { TableName: 'safe', Key: Item } }] }),
    () => reader.executeStatement({ Statement: 'SELECT * FROM safe' }),
  ])
    await expect(read()).rejects.toThrow(/^KMS key access denied error: .* to perform: kms:Decrypt/);
  await emulator.kernel.clock.advance(301_000);
  await maker.scan({ TableName: 'safe' });
  const { usage } = (await emulator.control('GET', '/_emulator/kms/usage')).json as {
    usage: { operation: string; keyArn: string }[];
  };
  expect(usage.map(({ operation }) => operation)).toEqual(['GenerateDataKeyWithoutPlaintext', 'Decrypt', 'Decrypt']);
  expect(new Set(usage.map(({ keyArn }) => keyArn))).toEqual(new Set([KeyId]));
});

test('a table with a disabled key is inaccessible until the key is enabled', async () => {
  const KeyId = await newKey();
  await t.db.createTable(create(KeyId));
  await t.db.putItem({ TableName: 'safe', Item: { id: { S: 'a' } } });
  await kms.disableKey({ KeyId });
  const { Table } = await t.db.describeTable({ TableName: 'safe' });
  expect(Table).toMatchObject({
    TableStatus: 'INACCESSIBLE_ENCRYPTION_CREDENTIALS',
    SSEDescription: { Status: 'ENABLED', InaccessibleEncryptionDateTime: expect.any(Date) },
  });
  expect(await t.refusal('GetItem', { TableName: 'safe', Key: { id: { S: 'a' } } })).toMatch(
    relayed('key disabled', 'DisabledException', 'DisabledException', `${KeyId} is disabled\\.`),
  );
  await kms.enableKey({ KeyId });
  expect((await t.db.describeTable({ TableName: 'safe' })).Table!.TableStatus).toBe('ACTIVE');
  expect((await t.db.getItem({ TableName: 'safe', Key: { id: { S: 'a' } } })).Item).toEqual({ id: { S: 'a' } });
});

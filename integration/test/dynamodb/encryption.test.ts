import { KMS } from '@aws-sdk/client-kms';
import { manifest as kmsManifest } from '@emu/svc-kms/manifest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DynamoTest, keys, makeTable, REGION, startDynamo } from '../../../packages/svc-dynamodb/test/support.ts';

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

test('keys are named by id, ARN and alias, and described by ARN; a change shows the old key once', async () => {
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

test('keys that cannot be used are refused, and nothing is made or changed', async () => {
  const [disabled, leaving] = [await newKey(), await newKey()];
  await kms.disableKey({ KeyId: disabled });
  await kms.scheduleKeyDeletion({ KeyId: leaving });
  const asymmetric = await newKey({ KeySpec: 'RSA_2048', KeyUsage: 'ENCRYPT_DECRYPT' });
  await makeTable(t, 'plain');
  // AWS's own keys come to be at their first use.
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

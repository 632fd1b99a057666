import { KMS } from '@aws-sdk/client-kms';
import { manifest as kmsManifest } from '@emu/svc-kms/manifest';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { failureOf, type SecretsTest, startSecrets, token } from '../../../packages/svc-secretsmanager/test/support.ts';

let run: SecretsTest;
beforeEach(async () => {
  run = await startSecrets({ manifests: [kmsManifest] });
});
afterEach(() => run[Symbol.asyncDispose]());

const stages = async (SecretId = 's') => (await run.secrets.describeSecret({ SecretId })).VersionIdsToStages;
const value = async (input: object = {}) =>
  (await run.secrets.getSecretValue({ SecretId: 's', ...input })).SecretString;
const put = (number: number, VersionStages?: string[]) =>
  run.secrets.putSecretValue({
    SecretId: 's',
    SecretString: `value ${number}`,
    ClientRequestToken: token(number),
    ...(VersionStages && { VersionStages }),
  });

describe('PutSecretValue', () => {
  test('moves the labels', async () => {
    await run.secrets.createSecret({ Name: 's' });
    expect(await put(1, ['mine'])).toMatchObject({ VersionStages: ['AWSCURRENT', 'mine'] });
    expect(await put(2)).toMatchObject({ VersionId: token(2), VersionStages: ['AWSCURRENT'] });
    await put(3, ['AWSPENDING', 'mine']);
    expect(await stages()).toEqual({
      [token(1)]: ['AWSPREVIOUS'],
      [token(2)]: ['AWSCURRENT'],
      [token(3)]: ['AWSPENDING', 'mine'],
    });
    await put(4);
    expect(await stages()).toEqual({
      [token(2)]: ['AWSPREVIOUS'],
      [token(3)]: ['AWSPENDING', 'mine'],
      [token(4)]: ['AWSCURRENT'],
    });
    expect(await value({ VersionId: token(1) })).toBe('value 1');
    expect(await value({ VersionStage: 'mine' })).toBe('value 3');
  });

  test('accepts a repeated request and rejects another value for a token', async () => {
    await run.secrets.createSecret({ Name: 's' });
    await put(1);
    await put(2);
    expect(await put(1)).toMatchObject({ VersionId: token(1), VersionStages: ['AWSPREVIOUS'] });
    expect(await value()).toBe('value 2');
    const other = { SecretId: 's', SecretString: 'other', ClientRequestToken: token(1) };
    expect(await failureOf(run.secrets.putSecretValue(other))).toMatch(/^ResourceExistsException/);
    expect(await failureOf(run.secrets.putSecretValue({ SecretId: 's' }))).toBe(
      'InvalidRequestException: You must provide either SecretString or SecretBinary.',
    );
  });

  test('removes the oldest version without a label above the limit', async () => {
    await run.secrets.createSecret({ Name: 's' });
    for (let number = 1; number <= 100; number++) await put(number);
    expect(await failureOf(put(101))).toMatch(/^LimitExceededException/);
    await run.advance(2);
    await put(101);
    const list = async (input: object) =>
      (await run.secrets.listSecretVersionIds({ SecretId: 's', ...input })).Versions!;
    const ids = (await list({ IncludeDeprecated: true })).map(({ VersionId }) => VersionId);
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([100, token(2), token(101)]);
    expect((await list({})).map(({ VersionStages }) => VersionStages)).toEqual([['AWSPREVIOUS'], ['AWSCURRENT']]);
  });
});

test('GetSecretValue rejects unknown versions', async () => {
  await run.secrets.createSecret({ Name: 's' });
  await put(1);
  await put(2, ['other']);
  const refusal = "ResourceNotFoundException: Secrets Manager can't find the specified secret value for";
  expect(await failureOf(value({ VersionStage: 'AWSPREVIOUS' }))).toBe(`${refusal} staging label: AWSPREVIOUS`);
  expect(await failureOf(value({ VersionId: token(9) }))).toBe(`${refusal} VersionId: ${token(9)}`);
  expect(await failureOf(value({ VersionId: token(1), VersionStage: 'other' }))).toBe(
    'InvalidRequestException: You provided a VersionStage that is not associated to the provided VersionId.',
  );
  expect(await value({ VersionId: token(2), VersionStage: 'other' })).toBe('value 2');
});

test('the day of the last read is stored', async () => {
  await run.secrets.createSecret({ Name: 's' });
  await put(1);
  await value();
  const midnight = new Date(Math.floor(run.emulator.kernel.clock.now() / 86_400_000) * 86_400_000);
  expect(await run.secrets.describeSecret({ SecretId: 's' })).toMatchObject({ LastAccessedDate: midnight });
  expect((await run.secrets.listSecretVersionIds({ SecretId: 's' })).Versions).toMatchObject([
    { LastAccessedDate: midnight, KmsKeyIds: ['DefaultEncryptionKey'], VersionStages: ['AWSCURRENT'] },
  ]);
});

test('ListSecretVersionIds returns pages', async () => {
  await run.secrets.createSecret({ Name: 's' });
  for (let number = 1; number <= 5; number++) await put(number);
  const found: (string | undefined)[] = [];
  let NextToken: string | undefined;
  do {
    const page = await run.secrets.listSecretVersionIds({
      SecretId: 's',
      IncludeDeprecated: true,
      MaxResults: 2,
      NextToken,
    });
    found.push(...page.Versions!.map(({ VersionId }) => VersionId));
    ({ NextToken } = page);
  } while (NextToken);
  expect(found).toEqual([1, 2, 3, 4, 5].map(token));
});

describe('UpdateSecretVersionStage', () => {
  const move = (VersionStage: string, RemoveFromVersionId?: string, MoveToVersionId?: string) =>
    run.secrets.updateSecretVersionStage({ SecretId: 's', VersionStage, RemoveFromVersionId, MoveToVersionId });
  beforeEach(async () => {
    await run.secrets.createSecret({ Name: 's' });
    await put(1);
    await put(2);
    await put(3, ['mine']);
  });

  test('moves, adds and removes labels', async () => {
    await move('AWSCURRENT', token(2), token(3));
    expect(await stages()).toEqual({ [token(2)]: ['AWSPREVIOUS'], [token(3)]: ['AWSCURRENT', 'mine'] });
    await move('mine', token(3));
    await move('fresh', undefined, token(1));
    expect(await stages()).toEqual({
      [token(1)]: ['fresh'],
      [token(2)]: ['AWSPREVIOUS'],
      [token(3)]: ['AWSCURRENT'],
    });
  });

  test('rejects invalid combinations', async () => {
    const before = await stages();
    expect(await failureOf(move('AWSCURRENT', undefined, token(3)))).toBe(
      `InvalidParameterException: The parameter RemoveFromVersionId can't be empty. Staging label AWSCURRENT is currently attached to version ${token(2)}, so you must explicitly reference that version in RemoveFromVersionId.`,
    );
    expect(await failureOf(move('AWSCURRENT', token(2)))).toMatch(/^InvalidParameterException: You can only move/);
    expect(await failureOf(move('AWSCURRENT', token(1), token(3)))).toMatch(/^InvalidParameterException/);
    expect(await failureOf(move('mine', token(3), token(9)))).toMatch(/^ResourceNotFoundException/);
    expect(await failureOf(move('mine'))).toMatch(/^InvalidParameterException/);
    expect(await stages()).toEqual(before);
  });
});

test('BatchGetSecretValue returns values and errors', async () => {
  await run.secrets.createSecret({ Name: 's' });
  await put(1);
  await run.secrets.createSecret({ Name: 'empty' });
  const answer = await run.secrets.batchGetSecretValue({ SecretIdList: ['s', 'none', 'empty'] });
  expect(answer.SecretValues).toMatchObject([{ Name: 's', SecretString: 'value 1', VersionId: token(1) }]);
  expect(answer.Errors).toEqual([
    {
      SecretId: 'none',
      ErrorCode: 'ResourceNotFoundException',
      Message: "Secrets Manager can't find the specified secret.",
    },
    expect.objectContaining({ SecretId: 'empty', ErrorCode: 'ResourceNotFoundException' }),
  ]);
  const Filters = [{ Key: 'name' as const, Values: ['s'] }];
  expect((await run.secrets.batchGetSecretValue({ Filters })).SecretValues).toHaveLength(1);
  for (const input of [{}, { Filters, SecretIdList: ['s'] }, { SecretIdList: ['s'], MaxResults: 1 }])
    expect(await failureOf(run.secrets.batchGetSecretValue(input))).toMatch(/^InvalidParameterException/);
});

describe('a customer key', () => {
  let kms: KMS;
  let KeyId: string;
  beforeEach(async () => {
    kms = new KMS(run.emulator.clientConfig());
    KeyId = (await kms.createKey({})).KeyMetadata!.Arn!;
  });
  const usage = async (): Promise<string[]> => {
    const { json } = await run.emulator.control('GET', '/_emulator/kms/usage');
    return (json as { usage: { operation: string }[] }).usage.map(({ operation }) => operation);
  };

  test('encrypts the values', async () => {
    const { ARN } = await run.secrets.createSecret({ Name: 's', KmsKeyId: KeyId });
    await put(1);
    expect(await value()).toBe('value 1');
    expect(await usage()).toEqual(['GenerateDataKey', 'Decrypt']);
    const { json } = await run.emulator.control('GET', '/_emulator/kms/usage');
    expect(json).toMatchObject({
      usage: [{ encryptionContext: { SecretARN: ARN, SecretVersionId: token(1) } }, {}],
    });
    await kms.disableKey({ KeyId });
    expect(await failureOf(value())).toBe(
      "DecryptionFailure: Secrets Manager can't decrypt the protected secret text using the provided KMS key.",
    );
    expect(await failureOf(put(2))).toMatch(/^EncryptionFailure: Secrets Manager can't encrypt/);
    await kms.enableKey({ KeyId });
    expect(await value()).toBe('value 1');
  });

  test('that is unknown creates no secret if policies are enforced', async () => {
    const missing = '11111111-2222-3333-4444-555555555555';
    await using enforcing = await startSecrets({
      manifests: [kmsManifest],
      settings: { values: { EMULATOR_ENFORCE_IAM: true } },
    });
    const created = enforcing.secrets.createSecret({ Name: 's', KmsKeyId: missing, SecretString: 'x' });
    expect(await failureOf(created)).toMatch(/^EncryptionFailure/);
    expect((await enforcing.secrets.listSecrets({})).SecretList).toEqual([]);
  });

  test('replaces another one for the versions in use', async () => {
    await run.secrets.createSecret({ Name: 's' });
    for (const number of [1, 2, 3]) await put(number);
    await run.secrets.updateSecret({ SecretId: 's', KmsKeyId: KeyId });
    const { Versions } = await run.secrets.listSecretVersionIds({ SecretId: 's', IncludeDeprecated: true });
    expect(Versions!.map(({ KmsKeyIds }) => KmsKeyIds)).toEqual([['DefaultEncryptionKey'], [KeyId], [KeyId]]);
    expect(await value({ VersionStage: 'AWSPREVIOUS' })).toBe('value 2');
    await run.secrets.updateSecret({ SecretId: 's', KmsKeyId: 'alias/aws/secretsmanager' });
    await kms.disableKey({ KeyId });
    expect(await value()).toBe('value 3');
  });
});

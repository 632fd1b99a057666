import { expect, test } from 'vitest';
import { ACCOUNT, failureOf, REGION, startKms } from './support.ts';

const UNKNOWN = '134f2428-cec1-4b25-a1ae-9048164dba47';
const arn = (resource: string) => `arn:aws:kms:${REGION}:${ACCOUNT}:${resource}`;

test('CreateKey creates a symmetric key that DescribeKey and ListKeys return', async () => {
  await using t = await startKms();
  const key = await t.key({ Description: 'test key 123', Tags: [{ TagKey: 'a', TagValue: 'b' }] });
  expect(key).toEqual({
    AWSAccountId: ACCOUNT,
    KeyId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    Arn: arn(`key/${key.KeyId}`),
    CreationDate: expect.any(Date),
    CurrentKeyMaterialId: expect.stringMatching(/^[0-9a-f]{64}$/),
    CustomerMasterKeySpec: 'SYMMETRIC_DEFAULT',
    KeySpec: 'SYMMETRIC_DEFAULT',
    Description: 'test key 123',
    Enabled: true,
    EncryptionAlgorithms: ['SYMMETRIC_DEFAULT'],
    KeyManager: 'CUSTOMER',
    KeyState: 'Enabled',
    KeyUsage: 'ENCRYPT_DECRYPT',
    MultiRegion: false,
    Origin: 'AWS_KMS',
  });
  expect((await t.kms.describeKey({ KeyId: key.Arn })).KeyMetadata).toEqual(key);
  expect((await t.kms.listKeys({})).Keys).toEqual([{ KeyId: key.KeyId, KeyArn: key.Arn }]);
  expect((await t.kms.listResourceTags({ KeyId: key.KeyId })).Tags).toEqual([{ TagKey: 'a', TagValue: 'b' }]);
});

test.each([
  ['RSA_2048', 'SIGN_VERIFY', 'SigningAlgorithms', 6],
  ['RSA_3072', 'ENCRYPT_DECRYPT', 'EncryptionAlgorithms', 2],
  ['ECC_NIST_P521', 'SIGN_VERIFY', 'SigningAlgorithms', 1],
  ['ECC_NIST_P256', 'KEY_AGREEMENT', 'KeyAgreementAlgorithms', 1],
  ['ECC_NIST_EDWARDS25519', 'SIGN_VERIFY', 'SigningAlgorithms', 2],
  ['ML_DSA_44', 'SIGN_VERIFY', 'SigningAlgorithms', 1],
  ['HMAC_384', 'GENERATE_VERIFY_MAC', 'MacAlgorithms', 1],
] as const)('CreateKey creates %s keys for %s', async (KeySpec, KeyUsage, algorithms, count) => {
  await using t = await startKms();
  const key = await t.key({ KeySpec, KeyUsage });
  expect(key).toMatchObject({ KeySpec, CustomerMasterKeySpec: KeySpec, KeyUsage });
  expect(key[algorithms]).toHaveLength(count);
  expect(key.CurrentKeyMaterialId).toBeUndefined();
});

test('CreateKey rejects invalid combinations', async () => {
  await using t = await startKms();
  const refused = (input: Parameters<typeof t.key>[0]) => failureOf(t.key(input));
  expect(await refused({ KeySpec: 'HMAC_256' })).toBe(
    'ValidationException: You must specify a KeyUsage value for all KMS keys except for symmetric encryption keys.',
  );
  expect(await refused({ KeySpec: 'RSA_2048', KeyUsage: 'KEY_AGREEMENT' })).toBe(
    'ValidationException: KeyUsage KEY_AGREEMENT is not compatible with KeySpec RSA_2048',
  );
  expect(await refused({ KeySpec: 'RSA_2048', CustomerMasterKeySpec: 'RSA_2048' })).toContain('in the same request');
  expect(await refused({ KeySpec: 'SM2', KeyUsage: 'SIGN_VERIFY' })).toContain('UnsupportedOperationException');
  expect(await refused({ KeySpec: 'ML_DSA_44', KeyUsage: 'SIGN_VERIFY', Origin: 'EXTERNAL' })).toContain(
    'UnsupportedOperationException',
  );
  expect(await refused({ KeySpec: 'ML_DSA_44', KeyUsage: 'ENCRYPT_DECRYPT' })).toContain('ValidationException');
  expect(await refused({ Origin: 'AWS_CLOUDHSM' })).toContain('CustomKeyStoreId is required');
  expect(await refused({ Origin: 'AWS_CLOUDHSM', CustomKeyStoreId: 'cks-1234567890abcdef0' })).toContain(
    'CustomKeyStoreNotFoundException',
  );
  expect(await refused({ Policy: '{' })).toContain('MalformedPolicyDocumentException');
  const foreign = {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Principal: { AWS: 'arn:aws:iam::999999999999:root' }, Action: 'kms:*', Resource: '*' },
    ],
  };
  expect(await refused({ Policy: JSON.stringify(foreign) })).toBe(
    'MalformedPolicyDocumentException: The new key policy will not allow you to update the key policy in the future.',
  );
  await t.key({ Policy: JSON.stringify(foreign), BypassPolicyLockoutSafetyCheck: true });
  const Tags = Array.from({ length: 51 }, (_, index) => ({ TagKey: `k${index}`, TagValue: 'v' }));
  expect(await refused({ Tags })).toBe('TagException: Too many tags');
});

test('keys are found by id, ARN, alias and alias ARN; unknown ones are rejected', async () => {
  await using t = await startKms();
  const { KeyId, Arn } = await t.key();
  await t.kms.createAlias({ AliasName: 'alias/app', TargetKeyId: KeyId });
  for (const name of [KeyId, Arn, 'alias/app', arn('alias/app')])
    expect((await t.kms.describeKey({ KeyId: name })).KeyMetadata?.KeyId).toBe(KeyId);
  const missing = (id: string) => failureOf(t.kms.describeKey({ KeyId: id }));
  const notThere = `NotFoundException: Key '${arn(`key/${UNKNOWN}`)}' does not exist`;
  expect(await missing(UNKNOWN)).toBe(notThere);
  expect(await missing(arn(`key/${UNKNOWN}`))).toBe(notThere);
  expect(await missing('fake-key-id')).toBe("NotFoundException: Invalid keyId 'fake-key-id'");
  expect(await missing('mrk-fake-key-id')).toBe("NotFoundException: Invalid keyId 'mrk-fake-key-id'");
  expect(await missing('alias/none')).toBe(`NotFoundException: Alias ${arn('alias/none')} is not found.`);
  expect(await missing('arn:aws:s3:::bucket')).toBe('InvalidArnException: Invalid arn arn:aws:s3:::bucket');
  const elsewhere = t.client({ region: 'eu-west-1' });
  expect(await failureOf(elsewhere.describeKey({ KeyId: Arn }))).toBe(`NotFoundException: Invalid arn ${REGION}`);
  expect(await failureOf(t.kms.enableKey({ KeyId: 'alias/app' }))).toBe("NotFoundException: Invalid keyId 'alias/app'");
  const stranger = t.client({ accessKeyId: '000000000009' });
  expect((await stranger.describeKey({ KeyId: arn('alias/app') })).KeyMetadata?.Arn).toBe(Arn);
  const nowhere = `arn:aws:kms:${REGION}:000000000008:key/${UNKNOWN}`;
  expect(await missing(nowhere)).toBe(`NotFoundException: Key '${nowhere}' does not exist`);
  expect(await failureOf(stranger.disableKey({ KeyId: Arn }))).toContain('AccessDeniedException');
});

test('ListKeys pages', async () => {
  await using t = await startKms();
  const ids = [];
  for (let index = 0; index < 5; index++) ids.push((await t.key()).KeyId);
  const first = await t.kms.listKeys({ Limit: 3 });
  expect(first).toMatchObject({ Truncated: true, NextMarker: expect.any(String) });
  const second = await t.kms.listKeys({ Limit: 3, Marker: first.NextMarker });
  expect(second).toMatchObject({ Truncated: false });
  expect([...first.Keys!, ...second.Keys!].map(({ KeyId }) => KeyId).sort()).toEqual(ids.sort());
  const refused = 'InvalidMarkerException: Could not deserialize marker';
  expect(await failureOf(t.kms.listKeys({ Marker: 'nonsense' }))).toBe(refused);
  expect(await failureOf(t.kms.listAliases({ Marker: first.NextMarker }))).toBe(refused);
});

test('DisableKey and EnableKey change the state; UpdateKeyDescription the description', async () => {
  await using t = await startKms();
  const { KeyId, Arn } = await t.key();
  await t.kms.disableKey({ KeyId });
  await t.kms.updateKeyDescription({ KeyId, Description: 'new' });
  expect((await t.kms.describeKey({ KeyId })).KeyMetadata).toMatchObject({
    KeyState: 'Disabled',
    Enabled: false,
    Description: 'new',
  });
  expect(await failureOf(t.kms.encrypt({ KeyId, Plaintext: Buffer.from('x') }))).toBe(
    `DisabledException: ${Arn} is disabled.`,
  );
  await t.kms.enableKey({ KeyId });
  expect((await t.kms.describeKey({ KeyId })).KeyMetadata?.KeyState).toBe('Enabled');
});

test('ScheduleKeyDeletion deletes on the clock, with aliases; CancelKeyDeletion leaves the key disabled', async () => {
  await using t = await startKms();
  const { KeyId, Arn } = await t.key();
  await t.kms.createAlias({ AliasName: 'alias/app', TargetKeyId: KeyId });
  expect(await failureOf(t.kms.scheduleKeyDeletion({ KeyId, PendingWindowInDays: 6 }))).toContain(
    'ValidationException',
  );
  expect(await failureOf(t.kms.scheduleKeyDeletion({ KeyId, PendingWindowInDays: 31 }))).toContain(
    'ValidationException',
  );
  expect(await failureOf(t.kms.cancelKeyDeletion({ KeyId }))).toBe(
    `KMSInvalidStateException: ${Arn} is not pending deletion.`,
  );
  const now = t.emulator.kernel.clock.now();
  const scheduled = await t.kms.scheduleKeyDeletion({ KeyId, PendingWindowInDays: 7 });
  expect(scheduled).toMatchObject({ KeyId: Arn, KeyState: 'PendingDeletion', PendingWindowInDays: 7 });
  expect(Math.abs(scheduled.DeletionDate!.getTime() - now - 7 * 86_400_000)).toBeLessThan(2);
  const pending = `KMSInvalidStateException: ${Arn} is pending deletion.`;
  expect(await failureOf(t.kms.scheduleKeyDeletion({ KeyId }))).toBe(pending);
  expect(await failureOf(t.kms.encrypt({ KeyId, Plaintext: Buffer.from('x') }))).toBe(pending);
  expect(await failureOf(t.kms.enableKey({ KeyId }))).toBe(pending);
  expect(await t.kms.cancelKeyDeletion({ KeyId })).toMatchObject({ KeyId: Arn });
  expect((await t.kms.describeKey({ KeyId })).KeyMetadata?.KeyState).toBe('Disabled');
  await t.kms.scheduleKeyDeletion({ KeyId, PendingWindowInDays: 7 });
  await t.advance(6.9);
  expect((await t.kms.describeKey({ KeyId })).KeyMetadata?.KeyState).toBe('PendingDeletion');
  await t.advance(0.2);
  expect(await failureOf(t.kms.describeKey({ KeyId }))).toBe(`NotFoundException: Key '${Arn}' does not exist`);
  expect((await t.kms.listAliases({})).Aliases!.filter(({ TargetKeyId }) => TargetKeyId)).toEqual([]);
});

test('aliases are created, updated, listed and deleted', async () => {
  await using t = await startKms();
  const first = await t.key();
  const second = await t.key();
  const rsa = await t.key({ KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' });
  const create = (AliasName: string, TargetKeyId = first.KeyId) => t.kms.createAlias({ AliasName, TargetKeyId });
  for (const name of ['alias/a', 'alias/b', 'alias/c']) await create(name);
  expect(await failureOf(create('a'))).toContain('ValidationException: Alias must start with the prefix "alias/".');
  expect(await failureOf(create('alias/aws/s3'))).toContain('NotAuthorizedException');
  expect(await failureOf(create('alias/a:b'))).toContain('InvalidAliasNameException');
  expect(await failureOf(create('alias/a'))).toBe(
    `AlreadyExistsException: An alias with the name ${arn('alias/a')} already exists`,
  );
  expect(await failureOf(create('alias/d', 'alias/a'))).toBe(
    'ValidationException: Aliases must refer to keys. Not aliases',
  );
  await t.kms.updateAlias({ AliasName: 'alias/b', TargetKeyId: second.KeyId });
  expect(await failureOf(t.kms.updateAlias({ AliasName: 'alias/b', TargetKeyId: rsa.KeyId }))).toContain(
    'ValidationException',
  );
  expect(await failureOf(t.kms.updateAlias({ AliasName: 'alias/x', TargetKeyId: rsa.KeyId }))).toBe(
    `NotFoundException: Alias ${arn('alias/x')} is not found.`,
  );
  const page = await t.kms.listAliases({ Limit: 2 });
  expect(page.Aliases).toHaveLength(2);
  const rest = await t.kms.listAliases({ Marker: page.NextMarker });
  const all = [...page.Aliases!, ...rest.Aliases!].filter(({ TargetKeyId }) => TargetKeyId);
  expect(all.map(({ AliasArn, TargetKeyId }) => [AliasArn, TargetKeyId])).toEqual([
    [arn('alias/a'), first.KeyId],
    [arn('alias/b'), second.KeyId],
    [arn('alias/c'), first.KeyId],
  ]);
  const own = await t.kms.listAliases({ KeyId: second.KeyId });
  expect(own.Aliases!.map(({ AliasName }) => AliasName)).toEqual(['alias/b']);
  await t.kms.deleteAlias({ AliasName: 'alias/a' });
  expect(await failureOf(t.kms.deleteAlias({ AliasName: 'alias/a' }))).toContain('NotFoundException');
});

test('AWS managed keys are created at their first use and cannot be changed', async () => {
  await using t = await startKms();
  const listed = async () =>
    (await t.kms.listAliases({})).Aliases!.filter(({ AliasName }) => AliasName === 'alias/aws/s3');
  expect(await listed()).toEqual([{ AliasName: 'alias/aws/s3', AliasArn: arn('alias/aws/s3') }]);
  const { KeyMetadata } = await t.kms.describeKey({ KeyId: 'alias/aws/s3' });
  expect(KeyMetadata).toMatchObject({ KeyManager: 'AWS', KeyState: 'Enabled' });
  expect(await listed()).toMatchObject([{ AliasName: 'alias/aws/s3', TargetKeyId: KeyMetadata!.KeyId }]);
  const KeyId = KeyMetadata!.KeyId!;
  expect(await failureOf(t.kms.scheduleKeyDeletion({ KeyId }))).toContain('AccessDeniedException');
  // https://docs.aws.amazon.com/AmazonECR/latest/userguide/encryption-at-rest.html
  expect((await t.kms.describeKey({ KeyId: 'alias/aws/ecr' })).KeyMetadata).toMatchObject({ KeyManager: 'AWS' });
  expect(await failureOf(t.kms.describeKey({ KeyId: 'alias/aws/nothing' }))).toContain('NotFoundException');
});

test('tags are added, replaced and removed', async () => {
  await using t = await startKms();
  const { KeyId } = await t.key();
  const tag = (...pairs: [string, string][]) =>
    t.kms.tagResource({ KeyId, Tags: pairs.map(([TagKey, TagValue]) => ({ TagKey, TagValue })) });
  await tag(['a', '1'], ['b', '2']);
  await tag(['b', '3'], ['c', '4']);
  expect(await failureOf(tag(['x', '1'], ['x', '2']))).toBe('TagException: Duplicate tag keys');
  expect(await failureOf(tag(['AWS:x', '1']))).toBe('TagException: Tags beginning with aws: are reserved');
  await t.kms.untagResource({ KeyId, TagKeys: ['a', 'none'] });
  const page = await t.kms.listResourceTags({ KeyId, Limit: 1 });
  expect(page).toMatchObject({ Tags: [{ TagKey: 'b', TagValue: '3' }], Truncated: true });
  expect((await t.kms.listResourceTags({ KeyId, Marker: page.NextMarker })).Tags).toEqual([
    { TagKey: 'c', TagValue: '4' },
  ]);
});

test('a key has one policy, which can be replaced', async () => {
  await using t = await startKms();
  const { KeyId } = await t.key();
  const { Policy } = await t.kms.getKeyPolicy({ KeyId });
  expect(JSON.parse(Policy!)).toEqual({
    Version: '2012-10-17',
    Id: 'key-default-1',
    Statement: [
      {
        Sid: 'Enable IAM User Permissions',
        Effect: 'Allow',
        Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` },
        Action: 'kms:*',
        Resource: '*',
      },
    ],
  });
  const replaced = Policy!.replace('key-default-1', 'mine');
  await t.kms.putKeyPolicy({ KeyId, Policy: replaced });
  expect(await t.kms.getKeyPolicy({ KeyId, PolicyName: 'default' })).toMatchObject({
    Policy: replaced,
    PolicyName: 'default',
  });
  expect(await failureOf(t.kms.getKeyPolicy({ KeyId, PolicyName: 'other' }))).toBe(
    'NotFoundException: No such policy exists',
  );
  expect(await failureOf(t.kms.putKeyPolicy({ KeyId, Policy: '{"Statement":[]}' }))).toContain('Malformed');
  expect((await t.kms.listKeyPolicies({ KeyId })).PolicyNames).toEqual(['default']);
});

test('GetKeyLastUsage returns the last cryptographic operation', async () => {
  await using t = await startKms();
  const { KeyId, Arn } = await t.key();
  const created = new Date(t.emulator.kernel.clock.now());
  const unused = await t.kms.getKeyLastUsage({ KeyId });
  expect(unused).toMatchObject({ KeyId, KeyCreationDate: created, TrackingStartDate: created });
  expect(unused.KeyLastUsage).toBeUndefined();
  await t.advance(1);
  const { CiphertextBlob, $metadata } = await t.kms.encrypt({ KeyId, Plaintext: Buffer.from('m') });
  await t.kms.describeKey({ KeyId });
  const at = new Date(t.emulator.kernel.clock.now());
  expect((await t.kms.getKeyLastUsage({ KeyId: Arn })).KeyLastUsage).toMatchObject({
    Operation: 'Encrypt',
    Timestamp: at,
    CloudTrailEventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    // aws-answers/kms.json
    KmsRequestId: $metadata.requestId,
  });
  await t.kms.decrypt({ CiphertextBlob });
  expect((await t.kms.getKeyLastUsage({ KeyId })).KeyLastUsage).toMatchObject({ Operation: 'Decrypt', Timestamp: at });
  const missing = t.kms.getKeyLastUsage({ KeyId: '11111111-2222-3333-4444-555555555555' });
  expect(await failureOf(missing)).toContain('NotFoundException');
});

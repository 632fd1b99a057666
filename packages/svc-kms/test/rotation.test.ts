import { expect, test } from 'vitest';
import { failureOf, startKms, text } from './support.ts';

const DAY = 86_400_000;

test('a key rotates on the clock and still decrypts older ciphertexts', async () => {
  await using t = await startKms();
  const { KeyId, Arn, CurrentKeyMaterialId } = await t.key();
  expect(await t.kms.getKeyRotationStatus({ KeyId })).toMatchObject({ KeyId: Arn, KeyRotationEnabled: false });
  await t.kms.enableKeyRotation({ KeyId, RotationPeriodInDays: 90 });
  const status = await t.kms.getKeyRotationStatus({ KeyId });
  expect(status).toMatchObject({ KeyRotationEnabled: true, RotationPeriodInDays: 90 });
  const next = status.NextRotationDate!.getTime();
  expect(Math.abs(next - t.emulator.kernel.clock.now() - 90 * DAY)).toBeLessThan(2);
  const { CiphertextBlob } = await t.kms.encrypt({ KeyId, Plaintext: text('old') });
  await t.advance(200);
  const { Rotations } = await t.kms.listKeyRotations({ KeyId });
  expect(Rotations).toMatchObject([
    { KeyId, RotationType: 'AUTOMATIC', KeyMaterialState: 'NON_CURRENT' },
    { KeyId, RotationType: 'AUTOMATIC', KeyMaterialState: 'CURRENT' },
  ]);
  expect((await t.kms.decrypt({ CiphertextBlob })).KeyMaterialId).toBe(CurrentKeyMaterialId);
  const { KeyMetadata } = await t.kms.describeKey({ KeyId });
  expect(KeyMetadata!.CurrentKeyMaterialId).toBe(Rotations![1]!.KeyMaterialId);
  const all = await t.kms.listKeyRotations({ KeyId, IncludeKeyMaterial: 'ALL_KEY_MATERIAL', Limit: 2 });
  expect(all.Rotations).toHaveLength(2);
  expect(all.Rotations![0]!.KeyMaterialId).toBe(CurrentKeyMaterialId);
  await t.kms.disableKeyRotation({ KeyId });
  await t.advance(200);
  expect((await t.kms.listKeyRotations({ KeyId })).Rotations).toHaveLength(2);
});

test('RotateKeyOnDemand rotates immediately, 25 times', async () => {
  await using t = await startKms();
  const { KeyId, Arn } = await t.key();
  for (let count = 0; count < 25; count++)
    expect(await t.kms.rotateKeyOnDemand({ KeyId })).toMatchObject({ KeyId: Arn });
  expect(await failureOf(t.kms.rotateKeyOnDemand({ KeyId }))).toBe(
    `LimitExceededException: The on-demand rotations limit has been reached for the given keyId. No more on-demand rotations can be performed for this key: ${Arn}`,
  );
  expect((await t.kms.listKeyRotations({ KeyId })).Rotations).toHaveLength(25);
  expect(await t.kms.getKeyRotationStatus({ KeyId })).toMatchObject({ KeyRotationEnabled: false });
});

test('rejects keys without rotation', async () => {
  await using t = await startKms();
  const { KeyId } = await t.key({ KeySpec: 'HMAC_256', KeyUsage: 'GENERATE_VERIFY_MAC' });
  const refused = 'UnsupportedOperationException: ';
  expect(await failureOf(t.kms.enableKeyRotation({ KeyId }))).toBe(refused);
  expect(await failureOf(t.kms.disableKeyRotation({ KeyId }))).toBe(refused);
  expect(await failureOf(t.kms.rotateKeyOnDemand({ KeyId }))).toBe(refused);
  expect(await t.kms.getKeyRotationStatus({ KeyId })).toMatchObject({ KeyRotationEnabled: false });
  expect(await failureOf(t.kms.listKeyRotations({ KeyId }))).toBe(refused);
  const disabled = await t.key();
  await t.kms.disableKey({ KeyId: disabled.KeyId });
  expect(await failureOf(t.kms.rotateKeyOnDemand({ KeyId: disabled.KeyId }))).toBe(
    `DisabledException: ${disabled.Arn} is disabled.`,
  );
  expect(await failureOf(t.kms.enableKeyRotation({ KeyId: disabled.KeyId }))).toContain('DisabledException');
  const external = await t.key({ Origin: 'EXTERNAL' });
  expect(await failureOf(t.kms.enableKeyRotation({ KeyId: external.KeyId }))).toBe(
    `UnsupportedOperationException: ${external.Arn} origin is EXTERNAL which is not valid for this operation.`,
  );
  expect(await failureOf(t.kms.rotateKeyOnDemand({ KeyId: external.KeyId }))).toBe(
    `KMSInvalidStateException: ${external.Arn} is pending import.`,
  );
});

test('a disabled key rotates when it is enabled again', async () => {
  await using t = await startKms();
  const { KeyId } = await t.key();
  await t.kms.enableKeyRotation({ KeyId });
  await t.kms.disableKey({ KeyId });
  await t.advance(1000);
  expect((await t.kms.listKeyRotations({ KeyId })).Rotations).toEqual([]);
  await t.kms.enableKey({ KeyId });
  expect((await t.kms.listKeyRotations({ KeyId })).Rotations).toHaveLength(1);
});

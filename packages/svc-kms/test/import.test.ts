import {
  constants,
  createCipheriv,
  createPublicKey,
  generateKeyPairSync,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';
import type { AlgorithmSpec, ImportKeyMaterialCommandInput } from '@aws-sdk/client-kms';
import { rejection } from '@emu/gateway/testing';
import { expect, test } from 'vitest';
import { failureOf, type KmsTest, startKms, text } from './support.ts';

/** Wraps material as a customer does and imports it. */
async function importInto(
  t: KmsTest,
  KeyId: string,
  material: Buffer,
  options: Partial<ImportKeyMaterialCommandInput> = {},
  WrappingAlgorithm: AlgorithmSpec = 'RSAES_OAEP_SHA_256',
) {
  const parameters = { KeyId, WrappingAlgorithm, WrappingKeySpec: 'RSA_2048' as const };
  const { PublicKey, ImportToken } = await t.kms.getParametersForImport(parameters);
  const key = createPublicKey({ key: Buffer.from(PublicKey!), format: 'der', type: 'spki' });
  const oaep = (bytes: Buffer) =>
    publicEncrypt(
      {
        key,
        padding: constants.RSA_PKCS1_OAEP_PADDING,
        oaepHash: WrappingAlgorithm.endsWith('SHA_1') ? 'sha1' : 'sha256',
      },
      bytes,
    );
  const aes = randomBytes(32);
  const cipher = createCipheriv('id-aes256-wrap-pad', aes, Buffer.from('a65959a6', 'hex'));
  const EncryptedKeyMaterial = WrappingAlgorithm.startsWith('RSA_AES')
    ? Buffer.concat([oaep(aes), cipher.update(material), cipher.final()])
    : oaep(material);
  return t.kms.importKeyMaterial({
    KeyId,
    ImportToken,
    EncryptedKeyMaterial,
    ExpirationModel: 'KEY_MATERIAL_DOES_NOT_EXPIRE',
    ...options,
  });
}

const stateOf = async (t: KmsTest, KeyId: string) => (await t.kms.describeKey({ KeyId })).KeyMetadata!.KeyState;

test('material is imported, deleted and imported again', async () => {
  await using t = await startKms();
  const { KeyId, Arn, KeyState } = await t.key({ Origin: 'EXTERNAL' });
  expect(KeyState).toBe('PendingImport');
  const pending = `KMSInvalidStateException: ${Arn} is pending import.`;
  expect(await failureOf(t.kms.encrypt({ KeyId, Plaintext: text('x') }))).toBe(pending);
  const material = randomBytes(32);
  const imported = await importInto(t, KeyId, material);
  expect(imported).toMatchObject({ KeyId: Arn, KeyMaterialId: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect((await t.kms.describeKey({ KeyId })).KeyMetadata).toMatchObject({
    KeyState: 'Enabled',
    CurrentKeyMaterialId: imported.KeyMaterialId,
    ExpirationModel: 'KEY_MATERIAL_DOES_NOT_EXPIRE',
  });
  const { CiphertextBlob } = await t.kms.encrypt({ KeyId, Plaintext: text('x') });
  await t.kms.deleteImportedKeyMaterial({ KeyId });
  expect(await failureOf(t.kms.decrypt({ CiphertextBlob }))).toBe(pending);
  expect((await t.kms.describeKey({ KeyId })).KeyMetadata!.ExpirationModel).toBeUndefined();
  expect(await failureOf(importInto(t, KeyId, randomBytes(32)), rejection)).toContain('IncorrectKeyMaterialException');
  await importInto(t, KeyId, material, {}, 'RSA_AES_KEY_WRAP_SHA_1');
  expect(Buffer.from((await t.kms.decrypt({ CiphertextBlob })).Plaintext!).toString()).toBe('x');
});

test('material expires on the clock', async () => {
  await using t = await startKms();
  const { KeyId } = await t.key({ Origin: 'EXTERNAL' });
  const ValidTo = new Date(Math.floor(t.emulator.kernel.clock.now() / 1000) * 1000 + 10 * 86_400_000);
  await importInto(t, KeyId, randomBytes(32), { ExpirationModel: 'KEY_MATERIAL_EXPIRES', ValidTo });
  expect((await t.kms.describeKey({ KeyId })).KeyMetadata!.ValidTo).toEqual(ValidTo);
  await t.advance(9);
  expect(await stateOf(t, KeyId)).toBe('Enabled');
  await t.advance(1.1);
  expect(await stateOf(t, KeyId)).toBe('PendingImport');
});

test('rejects invalid imports', async () => {
  await using t = await startKms();
  const { KeyId, Arn } = await t.key();
  const parameters = { WrappingAlgorithm: 'RSAES_OAEP_SHA_1' as const, WrappingKeySpec: 'RSA_2048' as const };
  expect(await failureOf(t.kms.getParametersForImport({ KeyId, ...parameters }))).toBe(
    `UnsupportedOperationException: ${Arn} origin is AWS_KMS which is not valid for this operation.`,
  );
  const external = (await t.key({ Origin: 'EXTERNAL' })).KeyId;
  const material = randomBytes(32);
  expect(
    await failureOf(importInto(t, external, material, { ExpirationModel: 'KEY_MATERIAL_EXPIRES' }), rejection),
  ).toBe('ValidationException: A validTo date must be set if the ExpirationModel is KEY_MATERIAL_EXPIRES');
  expect(await failureOf(importInto(t, external, randomBytes(31)), rejection)).toContain(
    'IncorrectKeyMaterialException',
  );
  expect(await failureOf(importInto(t, external, material, { ImportToken: text('x') }), rejection)).toContain(
    'InvalidImportTokenException',
  );
  expect(await failureOf(importInto(t, external, material, { EncryptedKeyMaterial: text('x') }), rejection)).toContain(
    'InvalidCiphertextException',
  );
  const { ImportToken } = await t.kms.getParametersForImport({ KeyId: external, ...parameters });
  await t.advance(1.1);
  expect(await failureOf(importInto(t, external, material, { ImportToken }), rejection)).toContain(
    'ExpiredImportToken',
  );
  expect(await failureOf(t.kms.deleteImportedKeyMaterial({ KeyId }))).toContain('UnsupportedOperationException');
});

test('new material of a symmetric key waits for a rotation on demand', async () => {
  await using t = await startKms();
  const { KeyId, Arn } = await t.key({ Origin: 'EXTERNAL' });
  const first = await importInto(t, KeyId, randomBytes(32));
  expect(await failureOf(t.kms.rotateKeyOnDemand({ KeyId }))).toBe(
    `KMSInvalidStateException: No available key material pending rotation for the key: ${Arn}.`,
  );
  const { CiphertextBlob } = await t.kms.encrypt({ KeyId, Plaintext: text('old') });
  const ImportType = 'NEW_KEY_MATERIAL';
  const second = await importInto(t, KeyId, randomBytes(32), { ImportType });
  expect((await t.kms.describeKey({ KeyId })).KeyMetadata!.CurrentKeyMaterialId).toBe(first.KeyMaterialId);
  expect(await failureOf(importInto(t, KeyId, randomBytes(32), { ImportType }), rejection)).toContain(
    `because another key material (id: ${second.KeyMaterialId}) is pending rotation.`,
  );
  await t.kms.rotateKeyOnDemand({ KeyId });
  expect((await t.kms.describeKey({ KeyId })).KeyMetadata!.CurrentKeyMaterialId).toBe(second.KeyMaterialId);
  expect((await t.kms.decrypt({ CiphertextBlob })).KeyMaterialId).toBe(first.KeyMaterialId);
  const all = await t.kms.listKeyRotations({ KeyId, IncludeKeyMaterial: 'ALL_KEY_MATERIAL' });
  expect(all.Rotations!.map(({ ImportState, KeyMaterialState }) => [ImportState, KeyMaterialState])).toEqual([
    ['IMPORTED', 'NON_CURRENT'],
    ['IMPORTED', 'CURRENT'],
  ]);
  await t.kms.deleteImportedKeyMaterial({ KeyId, KeyMaterialId: first.KeyMaterialId });
  expect(await stateOf(t, KeyId)).toBe('PendingImport');
});

test('key pairs and HMAC keys are imported', async () => {
  await using t = await startKms();
  const rsa = (await t.key({ Origin: 'EXTERNAL', KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' })).KeyId;
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pkcs8 = pair.privateKey.export({ type: 'pkcs8', format: 'der' });
  await importInto(t, rsa, pkcs8, {}, 'RSA_AES_KEY_WRAP_SHA_256');
  const { PublicKey } = await t.kms.getPublicKey({ KeyId: rsa });
  expect(Buffer.from(PublicKey!)).toEqual(pair.publicKey.export({ type: 'spki', format: 'der' }));
  const ec = (await t.key({ Origin: 'EXTERNAL', KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' })).KeyId;
  const wrong = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey;
  const right = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
  const der = { type: 'pkcs8', format: 'der' } as const;
  expect(await failureOf(importInto(t, ec, wrong.export(der)), rejection)).toContain('IncorrectKeyMaterialException');
  await importInto(t, ec, right.export(der));
  const SigningAlgorithm = 'ECDSA_SHA_256';
  const { Signature } = await t.kms.sign({ KeyId: ec, Message: text('m'), SigningAlgorithm });
  expect(await t.kms.verify({ KeyId: ec, Message: text('m'), Signature, SigningAlgorithm })).toMatchObject({
    SignatureValid: true,
  });
  const mac = (await t.key({ Origin: 'EXTERNAL', KeySpec: 'HMAC_224', KeyUsage: 'GENERATE_VERIFY_MAC' })).KeyId;
  await importInto(t, mac, randomBytes(28));
  const { Mac } = await t.kms.generateMac({ KeyId: mac, Message: text('m'), MacAlgorithm: 'HMAC_SHA_224' });
  expect(Mac).toHaveLength(28);
});

test('the regions of a key share material, and rotate after all have the next one', async () => {
  await using t = await startKms();
  const { KeyId, Arn } = await t.key({ Origin: 'EXTERNAL', MultiRegion: true });
  const [first, second] = [randomBytes(32), randomBytes(32)];
  const { KeyMaterialId } = await importInto(t, KeyId, first);
  await t.kms.replicateKey({ KeyId, ReplicaRegion: 'us-west-2' });
  const west: KmsTest = { ...t, kms: t.client({ region: 'us-west-2' }) };
  expect(await stateOf(west, KeyId)).toBe('PendingImport');
  expect(await failureOf(importInto(west, KeyId, second), rejection)).toContain('IncorrectKeyMaterialException');
  expect(await importInto(west, KeyId, first)).toMatchObject({ KeyMaterialId });
  const { CiphertextBlob } = await t.kms.encrypt({ KeyId, Plaintext: text('x') });
  expect(Buffer.from((await west.kms.decrypt({ CiphertextBlob, KeyId })).Plaintext!).toString()).toBe('x');

  const ImportType = 'NEW_KEY_MATERIAL';
  expect(await failureOf(importInto(west, KeyId, second, { ImportType }), rejection)).toContain(
    'IncorrectKeyMaterialException',
  );
  const next = (await importInto(t, KeyId, second, { ImportType })).KeyMaterialId!;
  const nextState = async (kms = t.kms) =>
    (await kms.listKeyRotations({ KeyId, IncludeKeyMaterial: 'ALL_KEY_MATERIAL' })).Rotations!.map(
      ({ KeyMaterialState, ImportState }) => `${KeyMaterialState} ${ImportState}`,
    )[1];
  expect(await nextState()).toBe('PENDING_MULTI_REGION_IMPORT_AND_ROTATION IMPORTED');
  expect(await nextState(west.kms)).toBe('PENDING_MULTI_REGION_IMPORT_AND_ROTATION PENDING_IMPORT');
  expect(await stateOf(west, KeyId)).toBe('Enabled');
  expect(await failureOf(t.kms.rotateKeyOnDemand({ KeyId }))).toBe(
    `KMSInvalidStateException: No available key material pending rotation for the key: ${Arn}.`,
  );
  await importInto(west, KeyId, second, { ImportType });
  expect(await nextState()).toBe('PENDING_ROTATION IMPORTED');
  await t.kms.rotateKeyOnDemand({ KeyId });
  for (const { kms } of [t, west]) {
    expect((await kms.describeKey({ KeyId })).KeyMetadata!.CurrentKeyMaterialId).toBe(next);
    expect(await kms.decrypt({ CiphertextBlob, KeyId })).toMatchObject({ KeyMaterialId });
  }

  await importInto(t, KeyId, randomBytes(32), { ImportType });
  expect((await west.kms.listKeyRotations({ KeyId, IncludeKeyMaterial: 'ALL_KEY_MATERIAL' })).Rotations).toHaveLength(
    3,
  );
  const third = (await t.kms.listKeyRotations({ KeyId, IncludeKeyMaterial: 'ALL_KEY_MATERIAL' })).Rotations![2]!;
  await t.kms.deleteImportedKeyMaterial({ KeyId, KeyMaterialId: third.KeyMaterialId });
  expect((await west.kms.listKeyRotations({ KeyId, IncludeKeyMaterial: 'ALL_KEY_MATERIAL' })).Rotations).toHaveLength(
    2,
  );
  await west.kms.deleteImportedKeyMaterial({ KeyId });
  expect([await stateOf(t, KeyId), await stateOf(west, KeyId)]).toEqual(['Enabled', 'PendingImport']);
});

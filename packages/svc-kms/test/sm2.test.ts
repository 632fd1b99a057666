import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Ids } from '@emu/core/service';
import { expect, test } from 'vitest';
import { decryptSm2, encryptSm2, isSm2, signSm2, verifySm2 } from '../src/cryptography/sm2.ts';
import { failureOf, startKms, text } from './support.ts';

const hex = (digits: string): Buffer => Buffer.from(digits, 'hex');
/** Returns fixed bytes as random bytes. */
const fixed = (bytes: Buffer): Ids => ({ bytes: () => bytes }) as unknown as Ids;

/** Returns a private key in PKCS #8, as KMS stores it. */
function privateKeyOf(scalar: string, point: string): KeyObject {
  const sec1 = `306b0201010420${scalar}a14403420004${point}`;
  const der = hex(`308187020100301306072a8648ce3d020106082a811ccf5501822d046d${sec1}`);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

/** Private key of the standard's example (GB/T 32918.5, appendix A). */
const exampleKey = (): KeyObject =>
  privateKeyOf(
    '3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8',
    '09f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020' +
      'ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13',
  );

/** Returns another private key, read from DER. */
function anotherKey(): KeyObject {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'SM2' });
  const key = privateKey.export({ type: 'pkcs8', format: 'der' });
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}
const K = fixed(hex('59276e27d506861a16680f3ad9c02dccef3cc1fa3cdbe4ce6d54b80deac1bc21'));

test("creates the standard's signature and verifies it", () => {
  const key = exampleKey();
  const message = { bytes: text('message digest'), digest: false };
  const signature = signSm2(key, message, K);
  expect(signature.toString('hex')).toContain('f5a03b0648d2c4630eeac513e1bb81a15944da3827d5b74143ac7eaceee720b3');
  expect(signature.toString('hex')).toContain('b1b6aa29df212fd8763182bc0d421ca1bb9038fd1f7f42d4840b69c485bbc1aa');
  expect(verifySm2(createPublicKey(key), message, signature)).toBe(true);
  expect(verifySm2(createPublicKey(key), { ...message, bytes: text('another') }, signature)).toBe(false);
  expect(verifySm2(createPublicKey(key), message, text('no signature'))).toBe(false);
});

test('ciphertexts decrypt with their key only', () => {
  const key = exampleKey();
  const ciphertext = encryptSm2(createPublicKey(key), text('encryption standard'), K);
  expect(decryptSm2(key, ciphertext)?.toString()).toBe('encryption standard');
  expect(decryptSm2(anotherKey(), ciphertext)).toBeUndefined();
  for (const broken of [ciphertext.subarray(1), ciphertext.subarray(0, 50), text('x'), Buffer.alloc(0)])
    expect(decryptSm2(key, broken)).toBeUndefined();
});

test('SM2 keys are available in China Regions only', async () => {
  await using t = await startKms();
  expect(await failureOf(t.key({ KeySpec: 'SM2', KeyUsage: 'SIGN_VERIFY' }))).toBe(
    'UnsupportedOperationException: KeySpec SM2 is not supported in this region.',
  );
  const kms = t.client({ region: 'cn-north-1' });
  const make = async (KeyUsage: 'SIGN_VERIFY' | 'ENCRYPT_DECRYPT' | 'KEY_AGREEMENT') =>
    (await kms.createKey({ KeySpec: 'SM2', KeyUsage })).KeyMetadata!;

  const signer = await make('SIGN_VERIFY');
  expect(signer).toMatchObject({ SigningAlgorithms: ['SM2DSA'], KeySpec: 'SM2' });
  const signing = { KeyId: signer.KeyId, SigningAlgorithm: 'SM2DSA' as const };
  for (const request of [
    { ...signing, Message: text('m') },
    { ...signing, Message: Buffer.alloc(32, 7), MessageType: 'DIGEST' as const },
  ]) {
    const { Signature } = await kms.sign(request);
    expect(await kms.verify({ ...request, Signature })).toMatchObject({ SignatureValid: true });
    const Message = Buffer.alloc(32, 8);
    expect(await failureOf(kms.verify({ ...request, Message, Signature }))).toContain('KMSInvalidSignature');
  }
  expect(await failureOf(kms.sign({ ...signing, Message: text('m'), MessageType: 'DIGEST' }))).toBe(
    'ValidationException: Digest is invalid length for algorithm SM2DSA.',
  );

  const { KeyId, EncryptionAlgorithms } = await make('ENCRYPT_DECRYPT');
  expect(EncryptionAlgorithms).toEqual(['SM2PKE']);
  const EncryptionAlgorithm = 'SM2PKE';
  const { CiphertextBlob } = await kms.encrypt({ KeyId, EncryptionAlgorithm, Plaintext: Buffer.alloc(1024, 1) });
  const { Plaintext } = await kms.decrypt({ KeyId, EncryptionAlgorithm, CiphertextBlob });
  expect(Buffer.from(Plaintext!)).toEqual(Buffer.alloc(1024, 1));
  expect(await failureOf(kms.encrypt({ KeyId, EncryptionAlgorithm, Plaintext: Buffer.alloc(1025) }))).toBe(
    'ValidationException: Algorithm SM2PKE and key spec SM2 cannot encrypt data larger than 1024 bytes.',
  );
  expect(await failureOf(kms.decrypt({ KeyId, EncryptionAlgorithm, CiphertextBlob: text('x') }))).toContain(
    'InvalidCiphertext',
  );

  const [one, other] = [await make('KEY_AGREEMENT'), await make('KEY_AGREEMENT')];
  const derive = async (KeyId: string, theirs: string) =>
    kms.deriveSharedSecret({
      KeyId,
      KeyAgreementAlgorithm: 'ECDH',
      PublicKey: (await kms.getPublicKey({ KeyId: theirs })).PublicKey,
    });
  const { SharedSecret } = await derive(one.KeyId!, other.KeyId!);
  expect(SharedSecret).toHaveLength(32);
  expect((await derive(other.KeyId!, one.KeyId!)).SharedSecret).toEqual(SharedSecret);

  const wrapping = (await kms.createKey({})).KeyMetadata!.KeyId!;
  const pair = await kms.generateDataKeyPair({ KeyId: wrapping, KeyPairSpec: 'SM2' });
  const der = { key: Buffer.from(pair.PrivateKeyPlaintext!), format: 'der', type: 'pkcs8' } as const;
  expect(isSm2(createPrivateKey(der))).toBe(true);
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
  const PublicKey = rsa.export({ type: 'spki', format: 'der' });
  const strange = kms.deriveSharedSecret({ KeyId: one.KeyId, KeyAgreementAlgorithm: 'ECDH', PublicKey });
  expect(await failureOf(strange)).toBe('ValidationException: ');
});

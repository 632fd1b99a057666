import { createECDH, createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import type { KeySpec, SigningAlgorithmSpec } from '@aws-sdk/client-kms';
import { ed25519ph } from '@noble/curves/ed25519.js';
import { ml_dsa44, ml_dsa65, ml_dsa87 } from '@noble/post-quantum/ml-dsa.js';
import { expect, test } from 'vitest';
import { failureOf, startKms, text } from './support.ts';

test('a ciphertext decrypts without a key id, only with its context and key, in its account', async () => {
  await using t = await startKms();
  const { KeyId, Arn } = await t.key();
  const other = await t.key();
  const EncryptionContext = { b: '2', a: '1' };
  const { CiphertextBlob, ...encrypted } = await t.kms.encrypt({ KeyId, Plaintext: text('secret'), EncryptionContext });
  expect(encrypted).toMatchObject({ KeyId: Arn, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' });
  const decrypted = await t.kms.decrypt({ CiphertextBlob, EncryptionContext: { a: '1', b: '2' } });
  expect(decrypted).toMatchObject({ KeyId: Arn, KeyMaterialId: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(Buffer.from(decrypted.Plaintext!).toString()).toBe('secret');
  const broken = 'InvalidCiphertextException: ';
  expect(await failureOf(t.kms.decrypt({ CiphertextBlob }))).toBe(broken);
  expect(await failureOf(t.kms.decrypt({ CiphertextBlob, EncryptionContext: { a: '12' } }))).toBe(broken);
  expect(await failureOf(t.kms.decrypt({ CiphertextBlob: text('nonsense') }))).toBe(broken);
  const changed = Uint8Array.from(CiphertextBlob!);
  changed[changed.length - 1]! ^= 1;
  expect(await failureOf(t.kms.decrypt({ CiphertextBlob: changed, EncryptionContext }))).toBe(broken);
  expect(await failureOf(t.kms.decrypt({ CiphertextBlob, EncryptionContext, KeyId: other.KeyId }))).toBe(
    'IncorrectKeyException: The key ID in the request does not identify a CMK that can perform this operation.',
  );
  const stranger = t.client({ accessKeyId: '000000000009' });
  expect(await failureOf(stranger.decrypt({ CiphertextBlob, EncryptionContext }))).toBe(
    'AccessDeniedException: The ciphertext refers to a customer master key that does not exist, does not exist in this region, or you are not allowed to access.',
  );
});

test('rejects keys of the wrong usage, wrong algorithms and dry runs', async () => {
  await using t = await startKms();
  const aes = await t.key();
  const mac = await t.key({ KeySpec: 'HMAC_256', KeyUsage: 'GENERATE_VERIFY_MAC' });
  const Message = text('m');
  expect(await failureOf(t.kms.generateMac({ KeyId: aes.KeyId, Message, MacAlgorithm: 'HMAC_SHA_256' }))).toBe(
    `InvalidKeyUsageException: ${aes.Arn} key usage is ENCRYPT_DECRYPT which is not valid for GenerateMac.`,
  );
  expect(await failureOf(t.kms.generateMac({ KeyId: mac.KeyId, Message, MacAlgorithm: 'HMAC_SHA_512' }))).toBe(
    'InvalidKeyUsageException: Algorithm HMAC_SHA_512 is incompatible with key spec HMAC_256.',
  );
  expect(await failureOf(t.kms.encrypt({ KeyId: aes.KeyId, Plaintext: new Uint8Array(4097) }))).toContain(
    'Member must have length less than or equal to 4096',
  );
  expect(await failureOf(t.kms.encrypt({ KeyId: aes.KeyId, Plaintext: Message, DryRun: true }))).toBe(
    'DryRunOperationException: The request would have succeeded, but the DryRun option is set.',
  );
  expect(await failureOf(t.kms.encrypt({ KeyId: aes.KeyId, Plaintext: Message, GrantTokens: ['x'] }))).toContain(
    'InvalidGrantTokenException',
  );
  expect(await failureOf(t.kms.getPublicKey({ KeyId: aes.KeyId }))).toContain('UnsupportedOperationException');
});

test('RSA keys encrypt with OAEP up to their size', async () => {
  await using t = await startKms();
  const { KeyId } = await t.key({ KeySpec: 'RSA_2048', KeyUsage: 'ENCRYPT_DECRYPT' });
  for (const [EncryptionAlgorithm, most] of [
    ['RSAES_OAEP_SHA_1', 214],
    ['RSAES_OAEP_SHA_256', 190],
  ] as const) {
    const Plaintext = Buffer.alloc(most, 7);
    const { CiphertextBlob } = await t.kms.encrypt({ KeyId, Plaintext, EncryptionAlgorithm });
    const decrypted = await t.kms.decrypt({ KeyId, CiphertextBlob, EncryptionAlgorithm });
    expect(Buffer.from(decrypted.Plaintext!)).toEqual(Plaintext);
    expect(await failureOf(t.kms.encrypt({ KeyId, Plaintext: Buffer.alloc(most + 1), EncryptionAlgorithm }))).toBe(
      `ValidationException: Algorithm ${EncryptionAlgorithm} and key spec RSA_2048 cannot encrypt data larger than ${most} bytes.`,
    );
    expect(await failureOf(t.kms.decrypt({ KeyId, CiphertextBlob: text('x'), EncryptionAlgorithm }))).toContain(
      'InvalidCiphertextException',
    );
  }
  expect(await failureOf(t.kms.encrypt({ KeyId, Plaintext: text('x') }))).toBe(
    'InvalidKeyUsageException: Algorithm SYMMETRIC_DEFAULT is incompatible with key spec RSA_2048.',
  );
});

test('ReEncrypt moves a ciphertext to another key and context', async () => {
  await using t = await startKms();
  const from = await t.key();
  const to = await t.key();
  const { CiphertextBlob } = await t.kms.encrypt({
    KeyId: from.KeyId,
    Plaintext: text('secret'),
    EncryptionContext: { a: '1' },
  });
  const moved = await t.kms.reEncrypt({
    CiphertextBlob,
    SourceEncryptionContext: { a: '1' },
    DestinationKeyId: to.KeyId,
    DestinationEncryptionContext: { b: '2' },
  });
  expect(moved).toMatchObject({ SourceKeyId: from.Arn, KeyId: to.Arn });
  const { Plaintext, KeyId } = await t.kms.decrypt({
    CiphertextBlob: moved.CiphertextBlob,
    EncryptionContext: { b: '2' },
  });
  expect([Buffer.from(Plaintext!).toString(), KeyId]).toEqual(['secret', to.Arn]);
  expect(
    await failureOf(t.kms.reEncrypt({ CiphertextBlob, SourceKeyId: to.KeyId, DestinationKeyId: to.KeyId })),
  ).toContain('IncorrectKeyException');
});

test('data keys and pairs decrypt to the returned plaintext', async () => {
  await using t = await startKms();
  const { KeyId, Arn } = await t.key();
  const EncryptionContext = { use: 'file' };
  const data = await t.kms.generateDataKey({ KeyId, KeySpec: 'AES_256', EncryptionContext });
  expect(data.Plaintext).toHaveLength(32);
  const opened = await t.kms.decrypt({ CiphertextBlob: data.CiphertextBlob, EncryptionContext });
  expect(opened.Plaintext).toEqual(data.Plaintext);
  const hidden = await t.kms.generateDataKeyWithoutPlaintext({ KeyId, NumberOfBytes: 77 });
  expect(hidden).not.toHaveProperty('Plaintext');
  expect((await t.kms.decrypt({ CiphertextBlob: hidden.CiphertextBlob })).Plaintext).toHaveLength(77);
  expect(await failureOf(t.kms.generateDataKey({ KeyId }))).toContain('ValidationException');
  expect(await failureOf(t.kms.generateDataKey({ KeyId, KeySpec: 'AES_128', NumberOfBytes: 1 }))).toContain(
    'ValidationException',
  );
  const pair = await t.kms.generateDataKeyPair({ KeyId, KeyPairSpec: 'ECC_NIST_P384' });
  expect(pair).toMatchObject({ KeyId: Arn, KeyPairSpec: 'ECC_NIST_P384' });
  const privateKey = await t.kms.decrypt({ CiphertextBlob: pair.PrivateKeyCiphertextBlob });
  expect(privateKey.Plaintext).toEqual(pair.PrivateKeyPlaintext);
  const signature = sign('sha384', text('m'), {
    key: Buffer.from(pair.PrivateKeyPlaintext!),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey({ key: Buffer.from(pair.PublicKey!), format: 'der', type: 'spki' });
  expect(verify('sha384', text('m'), publicKey, signature)).toBe(true);
  const hiddenPair = await t.kms.generateDataKeyPairWithoutPlaintext({ KeyId, KeyPairSpec: 'RSA_2048' });
  expect(hiddenPair).not.toHaveProperty('PrivateKeyPlaintext');
  expect(await failureOf(t.kms.generateDataKeyPair({ KeyId, KeyPairSpec: 'RSA_2048', DryRun: true }))).toContain(
    'DryRunOperationException',
  );
});

test('GenerateRandom returns the requested number of bytes', async () => {
  await using t = await startKms();
  expect((await t.kms.generateRandom({ NumberOfBytes: 1024 })).Plaintext).toHaveLength(1024);
  expect(await failureOf(t.kms.generateRandom({}))).toBe('ValidationException: NumberOfBytes is required.');
  expect(await failureOf(t.kms.generateRandom({ NumberOfBytes: 1025 }))).toContain('less than or equal to 1024');
});

const SIGNERS: [KeySpec, SigningAlgorithmSpec, string][] = [
  ['RSA_2048', 'RSASSA_PSS_SHA_256', 'sha256'],
  ['RSA_2048', 'RSASSA_PSS_SHA_384', 'sha384'],
  ['RSA_2048', 'RSASSA_PSS_SHA_512', 'sha512'],
  ['RSA_2048', 'RSASSA_PKCS1_V1_5_SHA_256', 'sha256'],
  ['RSA_2048', 'RSASSA_PKCS1_V1_5_SHA_384', 'sha384'],
  ['RSA_2048', 'RSASSA_PKCS1_V1_5_SHA_512', 'sha512'],
  ['ECC_NIST_P256', 'ECDSA_SHA_256', 'sha256'],
  ['ECC_NIST_P384', 'ECDSA_SHA_384', 'sha384'],
  ['ECC_NIST_P521', 'ECDSA_SHA_512', 'sha512'],
  ['ECC_SECG_P256K1', 'ECDSA_SHA_256', 'sha256'],
];

test.each(SIGNERS)('%s signs messages and digests with %s', async (KeySpec, SigningAlgorithm, hash) => {
  await using t = await startKms();
  const { KeyId, Arn } = await t.key({ KeySpec, KeyUsage: 'SIGN_VERIFY' });
  const message = text('message');
  const digest = createHash(hash).update(message).digest();
  const raw = await t.kms.sign({ KeyId, Message: message, SigningAlgorithm });
  const hashed = await t.kms.sign({ KeyId, Message: digest, MessageType: 'DIGEST', SigningAlgorithm });
  expect(raw).toMatchObject({ KeyId: Arn, SigningAlgorithm });
  for (const { Signature } of [raw, hashed]) {
    const asMessage = { KeyId, Message: message, Signature, SigningAlgorithm };
    const asDigest = { ...asMessage, Message: digest, MessageType: 'DIGEST' as const };
    expect(await t.kms.verify(asMessage)).toMatchObject({ KeyId: Arn, SignatureValid: true });
    expect(await t.kms.verify(asDigest)).toMatchObject({ SignatureValid: true });
    const wrong = 'KMSInvalidSignatureException: ';
    expect(await failureOf(t.kms.verify({ ...asMessage, Message: text('other') }))).toBe(wrong);
    expect(await failureOf(t.kms.verify({ ...asDigest, Signature: text('bad signature') }))).toBe(wrong);
  }
  expect(await failureOf(t.kms.sign({ KeyId, Message: text('short'), MessageType: 'DIGEST', SigningAlgorithm }))).toBe(
    `ValidationException: Digest is invalid length for algorithm ${SigningAlgorithm}.`,
  );
  const { PublicKey } = await t.kms.getPublicKey({ KeyId });
  const key = createPublicKey({ key: Buffer.from(PublicKey!), format: 'der', type: 'spki' });
  const padding = SigningAlgorithm.includes('PSS') ? { padding: 6, saltLength: digest.length } : {};
  expect(verify(hash, message, { key, ...padding }, hashed.Signature!)).toBe(true);
});

test('Ed25519 signs messages only', async () => {
  await using t = await startKms();
  const { KeyId } = await t.key({ KeySpec: 'ECC_NIST_EDWARDS25519', KeyUsage: 'SIGN_VERIFY' });
  const Message = text('message');
  const SigningAlgorithm = 'ED25519_SHA_512';
  const { Signature } = await t.kms.sign({ KeyId, Message, SigningAlgorithm });
  expect(await t.kms.verify({ KeyId, Message, Signature, SigningAlgorithm })).toMatchObject({ SignatureValid: true });
  expect(await failureOf(t.kms.sign({ KeyId, Message, MessageType: 'DIGEST', SigningAlgorithm }))).toContain(
    'ValidationException',
  );
});

test('Ed25519ph signs digests only', async () => {
  await using t = await startKms();
  const { KeyId } = await t.key({ KeySpec: 'ECC_NIST_EDWARDS25519', KeyUsage: 'SIGN_VERIFY' });
  const SigningAlgorithm = 'ED25519_PH_SHA_512';
  const Message = createHash('sha512').update('message').digest();
  const input = { KeyId, Message, MessageType: 'DIGEST', SigningAlgorithm } as const;
  const { Signature } = await t.kms.sign(input);
  expect(await t.kms.verify({ ...input, Signature })).toMatchObject({ SignatureValid: true });
  const { PublicKey } = await t.kms.getPublicKey({ KeyId });
  const point = Uint8Array.from(PublicKey!.subarray(-32));
  // The library that hashes the message itself agrees.
  expect(ed25519ph.verify(Uint8Array.from(Signature!), Uint8Array.from(text('message')), point)).toBe(true);
  const other = { ...input, Message: createHash('sha512').update('other').digest(), Signature };
  expect(await failureOf(t.kms.verify(other))).toContain('KMSInvalidSignatureException');
  expect(await failureOf(t.kms.sign({ ...input, MessageType: 'RAW' }))).toContain('requires MessageType DIGEST');
  expect(await failureOf(t.kms.sign({ ...input, Message: text('short') }))).toContain('invalid length');
});

test.each([44, 65, 87] as const)('ML_DSA_%i signs messages and external mu values', async (variant) => {
  await using t = await startKms();
  const { KeyId, Arn } = await t.key({ KeySpec: `ML_DSA_${variant}`, KeyUsage: 'SIGN_VERIFY' });
  const SigningAlgorithm = 'ML_DSA_SHAKE_256';
  const Message = text('message');
  const { PublicKey, SigningAlgorithms } = await t.kms.getPublicKey({ KeyId });
  expect(SigningAlgorithms).toEqual([SigningAlgorithm]);
  const library = { 44: ml_dsa44, 65: ml_dsa65, 87: ml_dsa87 }[variant];
  const raw = Uint8Array.from(PublicKey!.subarray(-library.lengths.publicKey!));
  const { Signature } = await t.kms.sign({ KeyId, Message, SigningAlgorithm });
  expect(library.verify(Uint8Array.from(Signature!), Message, raw)).toBe(true);
  expect(await t.kms.verify({ KeyId, Message, Signature, SigningAlgorithm })).toMatchObject({
    KeyId: Arn,
    SignatureValid: true,
  });
  const shake = (...parts: Uint8Array[]) =>
    createHash('shake256', { outputLength: 64 }).update(Buffer.concat(parts)).digest();
  const mu = { KeyId, Message: shake(shake(raw), Buffer.of(0, 0), Message), MessageType: 'EXTERNAL_MU' } as const;
  const external = await t.kms.sign({ ...mu, SigningAlgorithm });
  for (const one of [Signature, external.Signature])
    expect(await t.kms.verify({ ...mu, Signature: one, SigningAlgorithm })).toMatchObject({ SignatureValid: true });
  expect(await failureOf(t.kms.verify({ KeyId, Message: text('other'), Signature, SigningAlgorithm }))).toContain(
    'KMSInvalidSignatureException',
  );
  for (const MessageType of ['DIGEST', 'EXTERNAL_MU'] as const)
    expect(await failureOf(t.kms.sign({ KeyId, Message, MessageType, SigningAlgorithm }))).toContain(
      'ValidationException',
    );
});

test.each([224, 256, 384, 512] as const)('HMAC_%i creates MACs that verify', async (bits) => {
  await using t = await startKms();
  const { KeyId, Arn } = await t.key({ KeySpec: `HMAC_${bits}`, KeyUsage: 'GENERATE_VERIFY_MAC' });
  const MacAlgorithm = `HMAC_SHA_${bits}` as const;
  const { Mac } = await t.kms.generateMac({ KeyId, Message: text('m'), MacAlgorithm });
  expect(Mac).toHaveLength(bits / 8);
  expect(await t.kms.verifyMac({ KeyId, Message: text('m'), Mac, MacAlgorithm })).toMatchObject({
    KeyId: Arn,
    MacValid: true,
    MacAlgorithm,
  });
  expect(await failureOf(t.kms.verifyMac({ KeyId, Message: text('n'), Mac, MacAlgorithm }))).toBe(
    'KMSInvalidMacException: ',
  );
});

test('DeriveSharedSecret agrees with the other party', async () => {
  await using t = await startKms();
  const { KeyId, Arn } = await t.key({ KeySpec: 'ECC_NIST_P256', KeyUsage: 'KEY_AGREEMENT' });
  const theirs = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const input = {
    KeyId,
    KeyAgreementAlgorithm: 'ECDH' as const,
    PublicKey: theirs.publicKey.export({ type: 'spki', format: 'der' }),
  };
  const derived = await t.kms.deriveSharedSecret(input);
  expect(derived).toMatchObject({ KeyId: Arn, KeyOrigin: 'AWS_KMS', KeyAgreementAlgorithm: 'ECDH' });
  const { PublicKey } = await t.kms.getPublicKey({ KeyId });
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(Buffer.from(theirs.privateKey.export({ format: 'jwk' }).d!, 'base64url'));
  expect(ecdh.computeSecret(Buffer.from(PublicKey!).subarray(-65))).toEqual(Buffer.from(derived.SharedSecret!));
  expect(await failureOf(t.kms.deriveSharedSecret({ ...input, PublicKey: text('none') }))).toBe(
    'ValidationException: ',
  );
});

test('GET /_emulator/kms/usage lists the uses of keys', async () => {
  await using t = await startKms();
  const { KeyId, Arn } = await t.key();
  const { CiphertextBlob } = await t.kms.encrypt({ KeyId, Plaintext: text('x'), EncryptionContext: { a: '1' } });
  await failureOf(t.kms.decrypt({ CiphertextBlob }));
  await t.kms.decrypt({ CiphertextBlob, EncryptionContext: { a: '1' } });
  const { status, json } = await t.emulator.control('GET', '/_emulator/kms/usage');
  expect(status).toBe(200);
  const use = (operation: string) => ({
    accountId: '000000000000',
    region: 'us-east-1',
    keyId: KeyId,
    keyArn: Arn,
    operation,
    principal: 'arn:aws:iam::000000000000:root',
    encryptionContext: { a: '1' },
    timestamp: new Date(t.emulator.kernel.clock.now()).toISOString(),
  });
  expect(json).toEqual({ usage: [use('Encrypt'), use('Decrypt')] });
});

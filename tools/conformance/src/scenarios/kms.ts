import { constants, createHash, createPrivateKey, createPublicKey, publicEncrypt, randomBytes } from 'node:crypto';
import * as sdk from '@aws-sdk/client-kms';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-kms/model/kms.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';

const Plaintext = new TextEncoder().encode('secret');
const base64 = (bytes: unknown): string => Buffer.from(bytes as Uint8Array).toString('base64');
const bytes = (text: string | undefined): Uint8Array => Buffer.from(text!, 'base64');

const createKey = async (send: Send, input: Record<string, unknown> = {}): Promise<string> => {
  const { KeyMetadata } = await send('CreateKey', input);
  return (KeyMetadata as { KeyId: string }).KeyId;
};

/** Creates a symmetric key with an alias, a tag and a grant. */
async function setUp(send: Send): Promise<Facts> {
  const tag = (TagKey: string) => ({ TagKey, TagValue: 'a' });
  const key = await createKey(send, { Tags: [tag('team'), tag('zone')] });
  await send('CreateAlias', { AliasName: 'alias/known', TargetKeyId: key });
  const grant = await send('CreateGrant', {
    KeyId: key,
    GranteePrincipal: 'arn:aws:iam::123456789012:role/app',
    RetiringPrincipal: 'arn:aws:iam::123456789012:root',
    Operations: ['Encrypt'],
  });
  return { key, grant: grant.GrantId as string };
}

/** Returns keys with their metadata, policies, rotation, tags, aliases and grants, and the custom key stores. */
async function observe(send: Send): Promise<unknown> {
  const { Keys = [] } = await send('ListKeys', {});
  const keys = (Keys as { KeyId: string }[]).map(({ KeyId }) =>
    Promise.all(
      [
        'DescribeKey',
        'GetKeyPolicy',
        'ListResourceTags',
        'ListAliases',
        'ListGrants',
        'GetKeyRotationStatus',
        'ListKeyRotations',
      ].map((operation) => told(send, operation, KeyId)),
    ),
  );
  const { CustomKeyStores } = await send('DescribeCustomKeyStores', {});
  return [await Promise.all(keys), CustomKeyStores, await inOtherRegion(send)];
}

/** Returns the result of an operation for a key, or the error for its state or kind. */
async function told(send: Send, operation: string, KeyId: string): Promise<unknown> {
  try {
    const { $metadata: _, ...answer } = await send(operation, { KeyId });
    return answer;
  } catch (error) {
    const { name } = error as Error;
    if (name === 'KMSInvalidStateException' || name === 'UnsupportedOperationException') return name;
    throw error;
  }
}

const inOtherRegion = (send: Send): Promise<unknown> => send('KeysElsewhere', {});

const encrypted = async (send: Send, facts: Facts): Promise<Facts> => ({
  ciphertext: base64((await send('Encrypt', { KeyId: facts.key, Plaintext })).CiphertextBlob),
});
const ofKind =
  (input: Record<string, unknown>) =>
  async (send: Send): Promise<Facts> => ({
    other: await createKey(send, input),
  });
const signing = ofKind({ KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' });
const mac = ofKind({ KeySpec: 'HMAC_256', KeyUsage: 'GENERATE_VERIFY_MAC' });
const agreeing = ofKind({ KeySpec: 'ECC_NIST_P256', KeyUsage: 'KEY_AGREEMENT' });
const importing = ofKind({ Origin: 'EXTERNAL' });
const multiRegion = ofKind({ MultiRegion: true });
const rotating = async (send: Send, facts: Facts): Promise<Facts> => {
  await send('EnableKeyRotation', { KeyId: facts.key });
  return {};
};
const granted = async (send: Send, facts: Facts): Promise<Facts> => {
  await send('CreateGrant', {
    KeyId: facts.key,
    GranteePrincipal: 'arn:aws:iam::123456789012:role/second',
    RetiringPrincipal: 'arn:aws:iam::123456789012:root',
    Operations: ['Decrypt'],
  });
  return {};
};
const doomed = async (send: Send, facts: Facts): Promise<Facts> => {
  await send('ScheduleKeyDeletion', { KeyId: facts.key });
  return {};
};
const disabled = async (send: Send, facts: Facts): Promise<Facts> => {
  await send('DisableKey', { KeyId: facts.key });
  return {};
};

/** Returns material wrapped for an EXTERNAL key, as its owner would send it. */
const wrapped = async (send: Send): Promise<Facts> => {
  const { other } = (await importing(send)) as { other: string };
  const { ImportToken, PublicKey } = await send('GetParametersForImport', {
    KeyId: other,
    WrappingAlgorithm: 'RSAES_OAEP_SHA_256',
    WrappingKeySpec: 'RSA_2048',
  });
  const key = createPublicKey({ key: Buffer.from(PublicKey as Uint8Array), format: 'der', type: 'spki' });
  const material = publicEncrypt(
    { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    randomBytes(32),
  );
  return { other, token: base64(ImportToken), material: base64(material) };
};
const imported = async (send: Send): Promise<Facts> => {
  const facts = await wrapped(send);
  await send('ImportKeyMaterial', importOf(facts));
  return facts;
};
const importOf = (facts: Facts) => ({
  KeyId: facts.other,
  ImportToken: bytes(facts.token),
  EncryptedKeyMaterial: bytes(facts.material),
  ExpirationModel: 'KEY_MATERIAL_DOES_NOT_EXPIRE',
});

/** An external key store whose proxy does not respond. */
const store = {
  CustomKeyStoreName: 'vault',
  CustomKeyStoreType: 'EXTERNAL_KEY_STORE',
  XksProxyUriEndpoint: 'https://localhost',
  XksProxyUriPath: '/kms/xks/v1',
  XksProxyConnectivity: 'PUBLIC_ENDPOINT',
  XksProxyAuthenticationCredential: {
    AccessKeyId: 'ABCDEFGHIJKLMNOPQRST',
    RawSecretAccessKey: 'DXjSUawnel2fr6SKC7G25CNxTyWKE5PF9XX6H/u9pSo=',
  },
};
const stored = async (send: Send): Promise<Facts> => ({
  store: (await send('CreateCustomKeyStore', store)).CustomKeyStoreId as string,
});
const connected = async (send: Send): Promise<Facts> => {
  const facts = await stored(send);
  await send('ConnectCustomKeyStore', byStore(facts));
  return facts;
};
const byStore = (facts: Facts) => ({ CustomKeyStoreId: facts.store });

const byKey = (facts: Facts) => ({ KeyId: facts.key });
const byOther = (facts: Facts) => ({ KeyId: facts.other });
const create = (send: Send): Promise<unknown> => createKey(send);

/** Returns a digest of the plaintext of an encrypted output, so that an echo of the text is no proof. */
const decrypted = async (send: Send, _: Facts, { CiphertextBlob }: Record<string, unknown>): Promise<string> => {
  const { Plaintext: text } = await send('Decrypt', { CiphertextBlob });
  return createHash('sha256')
    .update(text as Uint8Array)
    .digest('hex');
};

/** Returns the kind of the private key in an encrypted output. */
const decryptedKey = async (send: Send, _: Facts, answer: Record<string, unknown>): Promise<unknown> => {
  const { Plaintext: key } = await send('Decrypt', { CiphertextBlob: answer.PrivateKeyCiphertextBlob });
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = createPrivateKey({
    key: Buffer.from(key as Uint8Array),
    format: 'der',
    type: 'pkcs8',
  });
  return [type, details?.modulusLength, details?.namedCurve];
};

/** AWS KMS. */
export const kms: Scenario = {
  service: 'kms',
  settings: { EMULATOR_KMS_XKS_PROXY_PORT: '1' },
  model: model as unknown as ServiceModel,
  client: (emulator) => {
    const send = sender(new sdk.KMSClient({ ...emulator.clientConfig(), maxAttempts: 1 }) as never, sdk);
    const elsewhere = sender(
      new sdk.KMSClient({ ...emulator.clientConfig({ region: 'eu-west-1' }), maxAttempts: 1 }) as never,
      sdk,
    );
    return async (operation, input) =>
      operation === 'KeysElsewhere' ? { keys: (await elsewhere('ListKeys', {})).Keys } : send(operation, input);
  },
  setUp,
  observe,
  before: {
    // A second item of each paged list.
    ListGrants: granted,
    ListKeyRotations: async (send, facts) => {
      await send('RotateKeyOnDemand', { KeyId: facts.key });
      return {};
    },
    ListKeys: ofKind({}),
    ListRetirableGrants: granted,
    CancelKeyDeletion: doomed,
    ConnectCustomKeyStore: stored,
    DeleteCustomKeyStore: stored,
    DisconnectCustomKeyStore: connected,
    UpdateCustomKeyStore: stored,
    Decrypt: encrypted,
    DeleteImportedKeyMaterial: imported,
    DeriveSharedSecret: async (send) => {
      const { other } = (await agreeing(send)) as { other: string };
      const peer = await createKey(send, { KeySpec: 'ECC_NIST_P256', KeyUsage: 'KEY_AGREEMENT' });
      return { other, peer: base64((await send('GetPublicKey', { KeyId: peer })).PublicKey) };
    },
    DisableKeyRotation: rotating,
    EnableKey: disabled,
    GenerateMac: mac,
    GetParametersForImport: importing,
    GetPublicKey: signing,
    ImportKeyMaterial: wrapped,
    ReEncrypt: encrypted,
    ReplicateKey: multiRegion,
    Sign: signing,
    UpdateAlias: ofKind({}),
    UpdatePrimaryRegion: async (send) => {
      const { other } = (await multiRegion(send)) as { other: string };
      await send('ReplicateKey', { KeyId: other, ReplicaRegion: 'eu-west-1' });
      return { other };
    },
    Verify: async (send) => {
      const { other } = (await signing(send)) as { other: string };
      const { Signature } = await send('Sign', { KeyId: other, Message: Plaintext, SigningAlgorithm: 'ECDSA_SHA_256' });
      return { other, signature: base64(Signature) };
    },
    VerifyMac: async (send) => {
      const { other } = (await mac(send)) as { other: string };
      const { Mac } = await send('GenerateMac', { KeyId: other, Message: Plaintext, MacAlgorithm: 'HMAC_SHA_256' });
      return { other, mac: base64(Mac) };
    },
  },
  after: {
    Encrypt: decrypted,
    GenerateDataKey: decrypted,
    GenerateDataKeyPair: decryptedKey,
    GenerateDataKeyPairWithoutPlaintext: decryptedKey,
    GenerateDataKeyWithoutPlaintext: decrypted,
    ReEncrypt: decrypted,
    Sign: async (send, facts, { Signature }) => {
      const { SignatureValid } = await send('Verify', { ...kms.inputs.Sign!(facts), Signature });
      return SignatureValid;
    },
  },
  inputs: {
    CancelKeyDeletion: byKey,
    ConnectCustomKeyStore: byStore,
    CreateCustomKeyStore: () => ({ ...store }),
    DeleteCustomKeyStore: byStore,
    DisconnectCustomKeyStore: byStore,
    UpdateCustomKeyStore: (facts) => ({ ...byStore(facts), NewCustomKeyStoreName: 'renamed' }),
    CreateAlias: (facts) => ({ AliasName: 'alias/fresh', TargetKeyId: facts.key }),
    CreateGrant: (facts) => ({
      ...byKey(facts),
      GranteePrincipal: 'arn:aws:iam::123456789012:role/other',
      Operations: ['Decrypt'],
    }),
    Decrypt: (facts) => ({ CiphertextBlob: bytes(facts.ciphertext) }),
    DeleteAlias: () => ({ AliasName: 'alias/known' }),
    DeleteImportedKeyMaterial: byOther,
    DeriveSharedSecret: (facts) => ({
      ...byOther(facts),
      KeyAgreementAlgorithm: 'ECDH',
      PublicKey: bytes(facts.peer),
    }),
    DescribeKey: byKey,
    DisableKey: byKey,
    DisableKeyRotation: byKey,
    EnableKey: byKey,
    EnableKeyRotation: byKey,
    Encrypt: (facts) => ({ ...byKey(facts), Plaintext }),
    GenerateDataKey: (facts) => ({ ...byKey(facts), KeySpec: 'AES_256' }),
    GenerateDataKeyPair: (facts) => ({ ...byKey(facts), KeyPairSpec: 'ECC_NIST_P256' }),
    GenerateDataKeyPairWithoutPlaintext: (facts) => ({ ...byKey(facts), KeyPairSpec: 'ECC_NIST_P256' }),
    GenerateDataKeyWithoutPlaintext: (facts) => ({ ...byKey(facts), KeySpec: 'AES_256' }),
    GenerateMac: (facts) => ({ ...byOther(facts), Message: Plaintext, MacAlgorithm: 'HMAC_SHA_256' }),
    GenerateRandom: () => ({ NumberOfBytes: 16 }),
    GetKeyLastUsage: byKey,
    GetKeyPolicy: byKey,
    GetKeyRotationStatus: byKey,
    GetParametersForImport: (facts) => ({
      ...byOther(facts),
      WrappingAlgorithm: 'RSAES_OAEP_SHA_256',
      WrappingKeySpec: 'RSA_2048',
    }),
    GetPublicKey: byOther,
    ImportKeyMaterial: importOf,
    ListGrants: byKey,
    ListKeyPolicies: byKey,
    ListKeyRotations: byKey,
    ListResourceTags: byKey,
    ListRetirableGrants: () => ({ RetiringPrincipal: 'arn:aws:iam::123456789012:root' }),
    PutKeyPolicy: (facts) => ({
      ...byKey(facts),
      Policy: JSON.stringify({
        Version: '2012-10-17',
        Statement: [
          { Effect: 'Allow', Principal: { AWS: 'arn:aws:iam::123456789012:root' }, Action: 'kms:*', Resource: '*' },
        ],
      }),
    }),
    ReEncrypt: (facts) => ({ CiphertextBlob: bytes(facts.ciphertext), DestinationKeyId: facts.key }),
    ReplicateKey: (facts) => ({ ...byOther(facts), ReplicaRegion: 'eu-west-1' }),
    RetireGrant: (facts) => ({ ...byKey(facts), GrantId: facts.grant }),
    RevokeGrant: (facts) => ({ ...byKey(facts), GrantId: facts.grant }),
    RotateKeyOnDemand: byKey,
    ScheduleKeyDeletion: byKey,
    Sign: (facts) => ({ ...byOther(facts), Message: Plaintext, SigningAlgorithm: 'ECDSA_SHA_256' }),
    TagResource: (facts) => ({ ...byKey(facts), Tags: [{ TagKey: 'color', TagValue: 'red' }] }),
    UntagResource: (facts) => ({ ...byKey(facts), TagKeys: ['team'] }),
    UpdateAlias: (facts) => ({ AliasName: 'alias/known', TargetKeyId: facts.other }),
    UpdateKeyDescription: (facts) => ({ ...byKey(facts), Description: 'described' }),
    UpdatePrimaryRegion: (facts) => ({ ...byOther(facts), PrimaryRegion: 'eu-west-1' }),
    Verify: (facts) => ({
      ...byOther(facts),
      Message: Plaintext,
      Signature: bytes(facts.signature),
      SigningAlgorithm: 'ECDSA_SHA_256',
    }),
    VerifyMac: (facts) => ({
      ...byOther(facts),
      Message: Plaintext,
      MacAlgorithm: 'HMAC_SHA_256',
      Mac: bytes(facts.mac),
    }),
  },
  // Cryptographic operations change nothing: their responses depend on keys and inputs, as tests of the service show.
  reads: {
    Decrypt: undefined,
    DeriveSharedSecret: undefined,
    DescribeCustomKeyStores: stored,
    DescribeKey: (send, facts) => send('UpdateKeyDescription', { ...byKey(facts), Description: 'described' }),
    Encrypt: undefined,
    GenerateDataKey: undefined,
    GenerateDataKeyPair: undefined,
    GenerateDataKeyPairWithoutPlaintext: undefined,
    GenerateDataKeyWithoutPlaintext: undefined,
    GenerateMac: undefined,
    GenerateRandom: undefined,
    GetKeyLastUsage: (send, facts) => send('Encrypt', { KeyId: facts.key, Plaintext }),
    GetKeyPolicy: (send, facts) => send('PutKeyPolicy', kms.inputs.PutKeyPolicy!(facts)),
    GetKeyRotationStatus: rotating,
    GetParametersForImport: undefined,
    GetPublicKey: undefined,
    ListAliases: (send) => send('DeleteAlias', { AliasName: 'alias/known' }),
    ListGrants: (send, facts) => send('RevokeGrant', { ...byKey(facts), GrantId: facts.grant }),
    ListKeyPolicies: undefined,
    ListKeyRotations: (send, facts) => send('RotateKeyOnDemand', byKey(facts)),
    ListKeys: create,
    ListResourceTags: (send, facts) => send('UntagResource', { ...byKey(facts), TagKeys: ['team'] }),
    ListRetirableGrants: (send, facts) => send('RevokeGrant', { ...byKey(facts), GrantId: facts.grant }),
    ReEncrypt: undefined,
    Sign: undefined,
    Verify: undefined,
    VerifyMac: undefined,
  },
};

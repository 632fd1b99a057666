import { rejection } from '@emu/gateway/testing';
import { expect, test } from 'vitest';
import { failureOf, startKms, text } from './support.ts';
import { CREDENTIAL, startProxy } from './xks-proxy.ts';

const CLUSTER = {
  CustomKeyStoreName: 'hsm',
  CloudHsmClusterId: 'cluster-2a23b4cdefg',
  TrustAnchorCertificate: 'certificate',
  KeyStorePassword: 'password',
};
const PROXY = {
  CustomKeyStoreName: 'proxy',
  CustomKeyStoreType: 'EXTERNAL_KEY_STORE' as const,
  XksProxyUriEndpoint: 'https://localhost',
  XksProxyUriPath: '/kms/xks/v1',
  XksProxyConnectivity: 'PUBLIC_ENDPOINT' as const,
  XksProxyAuthenticationCredential: CREDENTIAL,
};
const withProxy = (port: number) => startKms({ settings: { values: { EMULATOR_KMS_XKS_PROXY_PORT: port } } });

test('a store of a CloudHSM cluster fails to connect, because emu has no clusters', async () => {
  await using t = await startKms();
  const { CustomKeyStoreId } = await t.kms.createCustomKeyStore(CLUSTER);
  expect(await failureOf(t.kms.createCustomKeyStore(CLUSTER))).toContain('CustomKeyStoreNameInUseException');
  expect(await failureOf(t.kms.createCustomKeyStore({ ...CLUSTER, CustomKeyStoreName: 'other' }))).toContain(
    'CloudHsmClusterInUseException',
  );
  const described = async () => (await t.kms.describeCustomKeyStores({ CustomKeyStoreName: 'hsm' })).CustomKeyStores;
  const facts = {
    CustomKeyStoreId,
    CustomKeyStoreName: 'hsm',
    CustomKeyStoreType: 'AWS_CLOUDHSM',
    CloudHsmClusterId: CLUSTER.CloudHsmClusterId,
    TrustAnchorCertificate: 'certificate',
    CreationDate: expect.any(Date),
  };
  expect(await described()).toEqual([{ ...facts, ConnectionState: 'DISCONNECTED' }]);
  await t.kms.connectCustomKeyStore({ CustomKeyStoreId });
  expect(await described()).toEqual([
    { ...facts, ConnectionState: 'FAILED', ConnectionErrorCode: 'CLUSTER_NOT_FOUND' },
  ]);
  const invalid = /^CustomKeyStoreInvalidStateException/;
  expect(await failureOf(t.kms.createKey({ Origin: 'AWS_CLOUDHSM', CustomKeyStoreId }))).toMatch(invalid);
  expect(await failureOf(t.kms.generateRandom({ NumberOfBytes: 5, CustomKeyStoreId }))).toMatch(invalid);
  expect(await failureOf(t.kms.connectCustomKeyStore({ CustomKeyStoreId }))).toMatch(invalid);
  expect(await failureOf(t.kms.deleteCustomKeyStore({ CustomKeyStoreId }))).toMatch(invalid);
  expect(await failureOf(t.kms.updateCustomKeyStore({ CustomKeyStoreId, NewCustomKeyStoreName: 'n' }))).toMatch(
    invalid,
  );
  await t.kms.disconnectCustomKeyStore({ CustomKeyStoreId });
  expect(await failureOf(t.kms.disconnectCustomKeyStore({ CustomKeyStoreId }))).toMatch(invalid);
  await t.kms.updateCustomKeyStore({ CustomKeyStoreId, NewCustomKeyStoreName: 'renamed' });
  await t.kms.deleteCustomKeyStore({ CustomKeyStoreId });
  expect((await t.kms.describeCustomKeyStores({})).CustomKeyStores).toEqual([]);
  expect(await failureOf(t.kms.connectCustomKeyStore({ CustomKeyStoreId }))).toContain('NotFound');
});

test('an external key store encrypts with its proxy, which receives only ciphertext of KMS', async () => {
  await using proxy = await startProxy();
  await using t = await withProxy(proxy.port);
  const { CustomKeyStoreId } = await t.kms.createCustomKeyStore(PROXY);
  await t.kms.connectCustomKeyStore({ CustomKeyStoreId });
  expect((await t.kms.describeCustomKeyStores({})).CustomKeyStores).toMatchObject([{ ConnectionState: 'CONNECTED' }]);
  const input = { Origin: 'EXTERNAL_KEY_STORE' as const, CustomKeyStoreId, XksKeyId: 'known' };
  const key = await t.key(input);
  expect(key).toMatchObject({ XksKeyConfiguration: { Id: 'known' }, KeyState: 'Enabled' });
  const KeyId = key.KeyId;
  const EncryptionContext = { a: 'b' };
  const { CiphertextBlob } = await t.kms.encrypt({ KeyId, Plaintext: text('secret'), EncryptionContext });
  expect(proxy.asked.map(({ path }) => path.slice('/kms/xks/v1'.length))).toEqual([
    '/health',
    '/health',
    '/keys/known/metadata',
    '/keys/known/encrypt',
  ]);
  const { metadata, body } = proxy.asked[3]!;
  expect(metadata).toMatchObject({ kmsOperation: 'Encrypt', kmsKeyArn: key.Arn, awsPrincipalArn: expect.any(String) });
  expect(Buffer.from(body.plaintext!, 'base64').includes('secret')).toBe(false);
  const decrypt = () => t.kms.decrypt({ CiphertextBlob, EncryptionContext });
  expect(Buffer.from((await decrypt()).Plaintext!).toString()).toBe('secret');
  expect(await failureOf(t.kms.decrypt({ CiphertextBlob }))).toBe('InvalidCiphertextException: ');
  const data = await t.kms.generateDataKey({ KeyId, KeySpec: 'AES_256' });
  expect((await t.kms.decrypt({ CiphertextBlob: data.CiphertextBlob })).Plaintext).toEqual(data.Plaintext);
  proxy.broken = 500;
  expect(await failureOf(decrypt())).toMatch(/^KMSInvalidStateException: KMS cannot communicate with the external key/);
  proxy.broken = undefined;
  await t.kms.disconnectCustomKeyStore({ CustomKeyStoreId });
  expect(await failureOf(decrypt())).toBe(`KMSInvalidStateException: ${key.Arn} is unavailable.`);
  expect(await failureOf(t.kms.deleteCustomKeyStore({ CustomKeyStoreId }))).toContain('HasCMKs');
});

test('keys of an external key manager must exist and support encryption', async () => {
  await using proxy = await startProxy();
  await using t = await withProxy(proxy.port);
  const { CustomKeyStoreId } = await t.kms.createCustomKeyStore(PROXY);
  await t.kms.connectCustomKeyStore({ CustomKeyStoreId });
  const create = (XksKeyId: string, more = {}) =>
    t.kms.createKey({ Origin: 'EXTERNAL_KEY_STORE', CustomKeyStoreId, XksKeyId, ...more });
  expect(await failureOf(create('none'))).toBe('XksKeyNotFoundException: ');
  proxy.keyStatus = 'DISABLED';
  expect(await failureOf(create('known'))).toBe('XksKeyInvalidConfigurationException: ');
  proxy.keyStatus = 'ENABLED';
  await create('known');
  expect(await failureOf(create('known'))).toContain('XksKeyAlreadyInUseException');
  expect(await failureOf(create('known', { Origin: 'AWS_CLOUDHSM' }))).toContain('ValidationException');
});

test('an external key store fails to connect if its proxy does not respond or rejects the credential', async () => {
  await using proxy = await startProxy();
  await using t = await withProxy(proxy.port);
  const wrong = { AccessKeyId: CREDENTIAL.AccessKeyId, RawSecretAccessKey: 'x'.repeat(44) };
  const input = { ...PROXY, XksProxyAuthenticationCredential: wrong };
  const { CustomKeyStoreId } = await t.kms.createCustomKeyStore(input);
  const connect = async () => {
    await t.kms.connectCustomKeyStore({ CustomKeyStoreId });
    const { CustomKeyStores } = await t.kms.describeCustomKeyStores({ CustomKeyStoreId });
    if (CustomKeyStores![0]!.ConnectionState === 'FAILED') await t.kms.disconnectCustomKeyStore({ CustomKeyStoreId });
    return CustomKeyStores![0]!.ConnectionErrorCode;
  };
  expect(await connect()).toBe('XKS_PROXY_ACCESS_DENIED');
  await t.kms.updateCustomKeyStore({ CustomKeyStoreId, XksProxyAuthenticationCredential: CREDENTIAL });
  proxy.broken = 503;
  expect(await connect()).toBe('XKS_PROXY_INVALID_RESPONSE');
  proxy.broken = undefined;
  expect(await connect()).toBeUndefined();
  await using other = await withProxy(1);
  await other.kms.createCustomKeyStore(PROXY);
  const [store] = (await other.kms.describeCustomKeyStores({})).CustomKeyStores!;
  await other.kms.connectCustomKeyStore({ CustomKeyStoreId: store!.CustomKeyStoreId });
  expect((await other.kms.describeCustomKeyStores({})).CustomKeyStores).toMatchObject([
    { ConnectionState: 'FAILED', ConnectionErrorCode: 'XKS_PROXY_NOT_REACHABLE' },
  ]);
});

test('clusters and proxies must exist if policies are enforced', async () => {
  await using t = await startKms({
    settings: { values: { EMULATOR_KMS_XKS_PROXY_PORT: 1, EMULATOR_ENFORCE_IAM: true } },
  });
  expect(await failureOf(t.kms.createCustomKeyStore(CLUSTER), rejection)).toContain('CloudHsmClusterNotFoundException');
  expect(await failureOf(t.kms.createCustomKeyStore(PROXY), rejection)).toContain('XksProxyUriUnreachableException');
});

test('rejects members of the other kind of store, and a proxy of two stores', async () => {
  await using t = await startKms({ settings: { values: { EMULATOR_KMS_XKS_PROXY_PORT: 1 } } });
  const { CustomKeyStoreId } = await t.kms.createCustomKeyStore(PROXY);
  expect(await failureOf(t.kms.createCustomKeyStore({ ...PROXY, CustomKeyStoreName: 'other' }))).toContain(
    'XksProxyUriInUseException',
  );
  expect(await failureOf(t.kms.createCustomKeyStore({ ...CLUSTER, XksProxyUriPath: '/kms/xks/v1' }))).toContain(
    'ValidationException',
  );
  expect(await failureOf(t.kms.createCustomKeyStore({ CustomKeyStoreName: 'x' }))).toContain('ValidationException');
  await t.kms.updateCustomKeyStore({ CustomKeyStoreId, XksProxyUriPath: '/prefix/kms/xks/v1' });
  expect((await t.kms.describeCustomKeyStores({ CustomKeyStoreId })).CustomKeyStores![0]).toMatchObject({
    XksProxyConfiguration: {
      AccessKeyId: CREDENTIAL.AccessKeyId,
      Connectivity: 'PUBLIC_ENDPOINT',
      UriPath: '/prefix/kms/xks/v1',
    },
  });
});

import { expect, test } from 'vitest';
import { failureOf, startKms, text } from './support.ts';

const CLUSTER = {
  CustomKeyStoreName: 'hsm',
  CloudHsmClusterId: 'cluster-2a23b4cdefg',
  TrustAnchorCertificate: 'certificate',
  KeyStorePassword: 'password',
};
const PROXY = {
  CustomKeyStoreName: 'proxy',
  CustomKeyStoreType: 'EXTERNAL_KEY_STORE' as const,
  XksProxyUriEndpoint: 'https://proxy.example.com',
  XksProxyUriPath: '/kms/xks/v1',
  XksProxyConnectivity: 'PUBLIC_ENDPOINT' as const,
  XksProxyAuthenticationCredential: {
    AccessKeyId: 'ABE23456723EXAMPLE22',
    RawSecretAccessKey: 'DXjSUawnel2fr6SKC7G25CNxTyWKE5PF9XX6H/u9pSo=',
  },
};

test('a key store is made, connected, used and deleted', async () => {
  await using t = await startKms();
  const { CustomKeyStoreId } = await t.kms.createCustomKeyStore(CLUSTER);
  expect(await failureOf(t.kms.createCustomKeyStore(CLUSTER))).toContain('CustomKeyStoreNameInUseException');
  expect(await failureOf(t.kms.createCustomKeyStore({ ...CLUSTER, CustomKeyStoreName: 'other' }))).toContain(
    'CloudHsmClusterInUseException',
  );
  const create = () => t.key({ Origin: 'AWS_CLOUDHSM', CustomKeyStoreId });
  expect(await failureOf(create())).toContain('CustomKeyStoreInvalidStateException');
  await t.kms.connectCustomKeyStore({ CustomKeyStoreId });
  expect((await t.kms.describeCustomKeyStores({ CustomKeyStoreName: 'hsm' })).CustomKeyStores).toEqual([
    {
      CustomKeyStoreId,
      CustomKeyStoreName: 'hsm',
      CustomKeyStoreType: 'AWS_CLOUDHSM',
      CloudHsmClusterId: CLUSTER.CloudHsmClusterId,
      TrustAnchorCertificate: 'certificate',
      ConnectionState: 'CONNECTED',
      CreationDate: expect.any(Date),
    },
  ]);
  const key = await create();
  expect(key).toMatchObject({ CustomKeyStoreId, CloudHsmClusterId: CLUSTER.CloudHsmClusterId, Origin: 'AWS_CLOUDHSM' });
  const { CiphertextBlob } = await t.kms.encrypt({ KeyId: key.KeyId, Plaintext: text('x') });
  expect((await t.kms.generateRandom({ NumberOfBytes: 5, CustomKeyStoreId })).Plaintext).toHaveLength(5);
  expect(await failureOf(t.kms.deleteCustomKeyStore({ CustomKeyStoreId }))).toContain('InvalidState');
  expect(await failureOf(t.kms.updateCustomKeyStore({ CustomKeyStoreId, NewCustomKeyStoreName: 'n' }))).toContain(
    'CustomKeyStoreInvalidStateException',
  );
  await t.kms.disconnectCustomKeyStore({ CustomKeyStoreId });
  expect(await failureOf(t.kms.disconnectCustomKeyStore({ CustomKeyStoreId }))).toContain('InvalidState');
  expect((await t.kms.describeKey({ KeyId: key.KeyId })).KeyMetadata?.KeyState).toBe('Unavailable');
  expect(await failureOf(t.kms.decrypt({ CiphertextBlob }))).toBe(
    `KMSInvalidStateException: ${key.Arn} is unavailable.`,
  );
  expect(await failureOf(t.kms.deleteCustomKeyStore({ CustomKeyStoreId }))).toContain('HasCMKs');
  await t.kms.updateCustomKeyStore({ CustomKeyStoreId, NewCustomKeyStoreName: 'renamed' });
  await t.kms.scheduleKeyDeletion({ KeyId: key.KeyId, PendingWindowInDays: 7 });
  await t.advance(8);
  await t.kms.deleteCustomKeyStore({ CustomKeyStoreId });
  expect((await t.kms.describeCustomKeyStores({})).CustomKeyStores).toEqual([]);
  expect(await failureOf(t.kms.connectCustomKeyStore({ CustomKeyStoreId }))).toContain('NotFound');
});

test('external key stores have a proxy', async () => {
  await using t = await startKms();
  const { CustomKeyStoreId } = await t.kms.createCustomKeyStore(PROXY);
  expect(await failureOf(t.kms.createCustomKeyStore({ ...PROXY, CustomKeyStoreName: 'other' }))).toContain(
    'XksProxyUriInUseException',
  );
  expect(await failureOf(t.kms.createCustomKeyStore({ ...CLUSTER, XksProxyUriPath: '/kms/xks/v1' }))).toContain(
    'ValidationException',
  );
  expect(await failureOf(t.kms.createCustomKeyStore({ CustomKeyStoreName: 'x' }))).toContain('ValidationException');
  await t.kms.connectCustomKeyStore({ CustomKeyStoreId });
  await t.kms.updateCustomKeyStore({ CustomKeyStoreId, XksProxyUriPath: '/prefix/kms/xks/v1' });
  expect((await t.kms.describeCustomKeyStores({ CustomKeyStoreId })).CustomKeyStores![0]).toMatchObject({
    XksProxyConfiguration: {
      AccessKeyId: PROXY.XksProxyAuthenticationCredential.AccessKeyId,
      Connectivity: 'PUBLIC_ENDPOINT',
      UriPath: '/prefix/kms/xks/v1',
    },
  });
  const input = { Origin: 'EXTERNAL_KEY_STORE' as const, CustomKeyStoreId, XksKeyId: 'bb8562717f809024' };
  expect(await t.key(input)).toMatchObject({ XksKeyConfiguration: { Id: 'bb8562717f809024' } });
  expect(await failureOf(t.key(input))).toContain('XksKeyAlreadyInUseException');
  expect(await failureOf(t.key({ ...input, Origin: 'AWS_CLOUDHSM' }))).toContain('ValidationException');
});

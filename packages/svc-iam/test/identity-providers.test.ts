import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { GARBAGE, makeCertificate, makeMetadata, otherKey } from './certificates.ts';
import { bodyOf, failureOf, startIam } from './support.ts';

const THUMBPRINT = 'a'.repeat(40);
const ARN = 'arn:aws:iam::123456789012:oidc-provider/token.actions.githubusercontent.com';

test('an OpenID Connect provider is created, changed, tagged and deleted', async () => {
  await using t = await startIam();
  const created = await t.iam.createOpenIDConnectProvider({
    Url: 'https://token.actions.githubusercontent.com',
    ClientIDList: ['sts.amazonaws.com'],
    ThumbprintList: [THUMBPRINT],
    Tags: [{ Key: 'team', Value: 'ci' }],
  });
  expect(bodyOf(created)).toEqual({ OpenIDConnectProviderArn: ARN, Tags: [{ Key: 'team', Value: 'ci' }] });
  const provider = { OpenIDConnectProviderArn: ARN };
  expect(bodyOf(await t.iam.getOpenIDConnectProvider(provider))).toEqual({
    Url: 'token.actions.githubusercontent.com',
    ClientIDList: ['sts.amazonaws.com'],
    ThumbprintList: [THUMBPRINT],
    CreateDate: expect.any(Date),
    Tags: [{ Key: 'team', Value: 'ci' }],
  });
  await t.iam.addClientIDToOpenIDConnectProvider({ ...provider, ClientID: 'app' });
  await t.iam.addClientIDToOpenIDConnectProvider({ ...provider, ClientID: 'app' });
  await t.iam.removeClientIDFromOpenIDConnectProvider({ ...provider, ClientID: 'sts.amazonaws.com' });
  await t.iam.removeClientIDFromOpenIDConnectProvider({ ...provider, ClientID: 'sts.amazonaws.com' });
  await t.iam.updateOpenIDConnectProviderThumbprint({ ...provider, ThumbprintList: ['b'.repeat(40)] });
  await t.iam.tagOpenIDConnectProvider({ ...provider, Tags: [{ Key: 'env', Value: 'test' }] });
  await t.iam.untagOpenIDConnectProvider({ ...provider, TagKeys: ['team'] });
  expect(await t.iam.getOpenIDConnectProvider(provider)).toMatchObject({
    ClientIDList: ['app'],
    ThumbprintList: ['b'.repeat(40)],
    Tags: [{ Key: 'env', Value: 'test' }],
  });
  expect((await t.iam.listOpenIDConnectProviderTags(provider)).Tags).toEqual([{ Key: 'env', Value: 'test' }]);
  expect((await t.iam.listOpenIDConnectProviders({})).OpenIDConnectProviderList).toEqual([{ Arn: ARN }]);
  expect((await t.iam.getAccountSummary({})).SummaryMap).toMatchObject({ Providers: 1 });
  await t.iam.deleteOpenIDConnectProvider(provider);
  // Deleting an unknown provider succeeds.
  await t.iam.deleteOpenIDConnectProvider(provider);
  expect(await failureOf(t.iam.getOpenIDConnectProvider(provider))).toBe(
    `NoSuchEntity: OpenIDConnect Provider not found for arn ${ARN}`,
  );
});

test('an OpenID Connect provider requires a URL of host and path, and limits its ids', async () => {
  await using t = await startIam();
  const create = (Url: string, more: object = {}) => t.iam.createOpenIDConnectProvider({ Url, ...more });
  for (const url of [
    'http://example.com',
    'example.com',
    'https://',
    'https://example.com?x=1',
    'https://example.com/#a',
    'https://exa mple.com',
    'https://-example.com',
    'ftp://example.com',
  ])
    expect(await failureOf(create(url)), url).toBe('ValidationError: Invalid Open ID Connect Provider URL');
  const { OpenIDConnectProviderArn } = await create('https://oidc.eks.eu-west-1.amazonaws.com/id/ABC');
  expect(OpenIDConnectProviderArn).toBe(
    'arn:aws:iam::123456789012:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/ABC',
  );
  expect(await failureOf(create('https://oidc.eks.eu-west-1.amazonaws.com/id/ABC'))).toBe(
    'EntityAlreadyExists: Provider with url https://oidc.eks.eu-west-1.amazonaws.com/id/ABC already exists.',
  );
  expect(await failureOf(create('https://a.example', { ThumbprintList: Array(6).fill(THUMBPRINT) }))).toBe(
    'InvalidInput: Thumbprint list must contain fewer than 5 entries.',
  );
  const ids = Array.from({ length: 101 }, (_, index) => `client-${index}`);
  const quota = 'LimitExceeded: Cannot exceed quota for ClientIdsPerOpenIdConnectProvider: 100';
  expect(await failureOf(create('https://a.example', { ClientIDList: ids }))).toBe(quota);
  const full = await create('https://a.example', { ClientIDList: ids.slice(1) });
  expect(
    await failureOf(
      t.iam.addClientIDToOpenIDConnectProvider({
        OpenIDConnectProviderArn: full.OpenIDConnectProviderArn!,
        ClientID: 'one-more',
      }),
    ),
  ).toBe(quota);
  expect(
    await failureOf(
      t.iam.updateOpenIDConnectProviderThumbprint({
        OpenIDConnectProviderArn: full.OpenIDConnectProviderArn!,
        ThumbprintList: [],
      }),
    ),
  ).toContain('InvalidInput: ');
  expect(
    await failureOf(t.iam.getOpenIDConnectProvider({ OpenIDConnectProviderArn: 'no-arn-but-long-enough' })),
  ).toContain('InvalidInput: ');
});

const idp = await makeCertificate('idp');
const metadata = (changes: Parameters<typeof makeMetadata>[1] = {}): string => makeMetadata(idp, changes);

test('a SAML provider is created, changed, tagged and deleted', async () => {
  await using t = await startIam();
  const SAMLMetadataDocument = metadata({ validUntil: '2040-01-01T00:00:00Z' });
  const SAMLProviderArn = 'arn:aws:iam::123456789012:saml-provider/idp';
  const created = await t.iam.createSAMLProvider({ Name: 'idp', SAMLMetadataDocument });
  expect(bodyOf(created)).toEqual({ SAMLProviderArn });
  expect(bodyOf(await t.iam.getSAMLProvider({ SAMLProviderArn }))).toEqual({
    SAMLProviderUUID: expect.stringMatching(/^[A-Z0-9]{22}$/),
    SAMLMetadataDocument,
    CreateDate: expect.any(Date),
    ValidUntil: new Date('2040-01-01'),
    AssertionEncryptionMode: 'Allowed',
    PrivateKeyList: [],
    Tags: [],
  });
  expect(await failureOf(t.iam.createSAMLProvider({ Name: 'idp', SAMLMetadataDocument }))).toContain(
    'EntityAlreadyExists: ',
  );
  const update = (changes: object) => t.iam.updateSAMLProvider({ SAMLProviderArn, ...changes });
  expect(await failureOf(update({ AssertionEncryptionMode: 'Required' }))).toContain('InvalidInput: ');
  await update({ AddPrivateKey: otherKey(), AssertionEncryptionMode: 'Required' });
  await update({ AddPrivateKey: otherKey() });
  expect(await failureOf(update({ AddPrivateKey: otherKey() }))).toContain('LimitExceeded: ');
  const { PrivateKeyList } = await t.iam.getSAMLProvider({ SAMLProviderArn });
  expect(PrivateKeyList).toHaveLength(2);
  await update({ RemovePrivateKey: PrivateKeyList![0]!.KeyId! });
  expect(await failureOf(update({ RemovePrivateKey: PrivateKeyList![0]!.KeyId! }))).toContain('NoSuchEntity: ');
  const endless = metadata();
  await update({ SAMLMetadataDocument: endless });
  const got = await t.iam.getSAMLProvider({ SAMLProviderArn });
  expect(got).toMatchObject({ SAMLMetadataDocument: endless, AssertionEncryptionMode: 'Required' });
  expect(got.PrivateKeyList).toEqual([PrivateKeyList![1]]);
  expect(got.ValidUntil!.getUTCFullYear()).toBe(got.CreateDate!.getUTCFullYear() + 100);
  await t.iam.tagSAMLProvider({
    SAMLProviderArn,
    Tags: [
      { Key: 'a', Value: '1' },
      { Key: 'b', Value: '2' },
    ],
  });
  await t.iam.untagSAMLProvider({ SAMLProviderArn, TagKeys: ['a'] });
  expect((await t.iam.listSAMLProviderTags({ SAMLProviderArn })).Tags).toEqual([{ Key: 'b', Value: '2' }]);
  expect((await t.iam.listSAMLProviders({})).SAMLProviderList).toEqual([
    { Arn: SAMLProviderArn, ValidUntil: got.ValidUntil, CreateDate: got.CreateDate },
  ]);
  await t.iam.deleteSAMLProvider({ SAMLProviderArn });
  const missing = `NoSuchEntity: Manifest not found for arn ${SAMLProviderArn}`;
  expect(await failureOf(t.iam.deleteSAMLProvider({ SAMLProviderArn }))).toBe(missing);
  expect(await failureOf(t.iam.getSAMLProvider({ SAMLProviderArn }))).toBe(missing);
});

test('rejects invalid metadata and private keys', async () => {
  await using t = await startIam();
  const good = metadata();
  const documents = [
    'x'.repeat(2000),
    '<'.repeat(2000),
    '<a>'.repeat(2000),
    `<a>${'x'.repeat(2000)}</a>`,
    `<!DOCTYPE a [<!ENTITY x "${'y'.repeat(1000)}">]><a>&x;</a>`,
    `<!DOCTYPE a SYSTEM "file:///etc/passwd">${good}`,
    good.replaceAll('urn:oasis:names:tc:SAML:2.0:metadata', 'urn:other'),
    good.replaceAll('IDPSSODescriptor', 'SPSSODescriptor'),
    good.replace('entityID', 'entity'),
    good.replace('Location', 'Place'),
    good.slice(0, -10),
    metadata({ certificate: 'A'.repeat(1000) }),
    metadata({ validUntil: 'tomorrow' }),
  ];
  for (const SAMLMetadataDocument of documents)
    expect(
      await failureOf(t.iam.createSAMLProvider({ Name: 'idp', SAMLMetadataDocument })),
      SAMLMetadataDocument.slice(0, 100),
    ).toBe('InvalidInput: Could not parse metadata');
  const ed25519 = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  for (const AddPrivateKey of [...GARBAGE, ed25519])
    expect(await failureOf(t.iam.createSAMLProvider({ Name: 'idp', SAMLMetadataDocument: good, AddPrivateKey }))).toBe(
      'InvalidInput: The private key is invalid.',
    );
  expect((await t.iam.listSAMLProviders({})).SAMLProviderList).toEqual([]);
});

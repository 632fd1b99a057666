import { generateKeyPairSync } from 'node:crypto';
import { generate } from 'selfsigned';
import { periodAt, totp } from '../../../../packages/svc-iam/src/credentials/totp.ts';
import type { Facts, Scenario, Send } from '../scenario.ts';

const user = { UserName: 'known' };
const tag = { Tags: [{ Key: 'color', Value: 'red' }] };
const TAGS = [
  { Key: 'team', Value: 'a' },
  { Key: 'zone', Value: 'b' },
];
const untag = { TagKeys: ['team'] };

/** Generated once, because key generation is slow. */
const certificate = await generate([{ name: 'commonName', value: 'example.com' }], { keySize: 2048 });
const SSH_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .publicKey.export({ format: 'pem', type: 'spki' })
  .toString();
const metadata = (entity: string): string =>
  `<?xml version="1.0"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://${entity}.example.com">
  <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${certificate.cert.replaceAll(/-----.*-----|\s/g, '')}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://${entity}.example.com/sso"/>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>`;
const THUMBPRINTS = ['a'.repeat(40)];

const idOf = (answer: Record<string, unknown>, member: string, id: string): string =>
  (answer[member] as Record<string, string>)[id]!;

const device = async (send: Send): Promise<Facts> => {
  const { VirtualMFADevice } = await send('CreateVirtualMFADevice', { VirtualMFADeviceName: 'known', Tags: TAGS });
  const { SerialNumber, Base32StringSeed } = VirtualMFADevice as { SerialNumber: string; Base32StringSeed: Uint8Array };
  return { serial: SerialNumber, seed: Buffer.from(Base32StringSeed).toString() };
};
const codes = ({ seed }: Facts) => {
  const period = periodAt(Date.now());
  return { AuthenticationCode1: totp(seed!, period - 1), AuthenticationCode2: totp(seed!, period) };
};
const enabled = async (send: Send): Promise<Facts> => {
  const facts = await device(send);
  await send('EnableMFADevice', { ...user, SerialNumber: facts.serial, ...codes(facts) });
  return facts;
};
const openId = async (send: Send): Promise<Facts> => {
  const { OpenIDConnectProviderArn } = await send('CreateOpenIDConnectProvider', {
    Url: 'https://known.example.com',
    ClientIDList: ['app'],
    ThumbprintList: THUMBPRINTS,
    Tags: TAGS,
  });
  return { provider: OpenIDConnectProviderArn as string };
};
const saml = async (send: Send): Promise<Facts> => {
  const { SAMLProviderArn } = await send('CreateSAMLProvider', {
    Name: 'known',
    SAMLMetadataDocument: metadata('known'),
    Tags: TAGS,
  });
  return { saml: SAMLProviderArn as string };
};
const server = async (send: Send): Promise<Facts> => {
  await send('UploadServerCertificate', {
    ServerCertificateName: 'known',
    CertificateBody: certificate.cert,
    PrivateKey: certificate.private,
    Tags: TAGS,
  });
  return {};
};
const signing = async (send: Send): Promise<Facts> => ({
  certificate: idOf(
    await send('UploadSigningCertificate', { ...user, CertificateBody: certificate.cert }),
    'Certificate',
    'CertificateId',
  ),
});
const ssh = async (send: Send): Promise<Facts> => ({
  ssh: idOf(await send('UploadSSHPublicKey', { ...user, SSHPublicKeyBody: SSH_KEY }), 'SSHPublicKey', 'SSHPublicKeyId'),
});
const serviceCredential = async (send: Send): Promise<Facts> => ({
  credential: idOf(
    await send('CreateServiceSpecificCredential', { ...user, ServiceName: 'codecommit.amazonaws.com' }),
    'ServiceSpecificCredential',
    'ServiceSpecificCredentialId',
  ),
});

const federated = async (send: Send): Promise<Facts> => {
  await send('EnableOutboundWebIdentityFederation', {});
  return {};
};

const byDevice = ({ serial }: Facts) => ({ SerialNumber: serial });
const byProvider = ({ provider }: Facts) => ({ OpenIDConnectProviderArn: provider });
const bySaml = (facts: Facts) => ({ SAMLProviderArn: facts.saml });
const byServer = () => ({ ServerCertificateName: 'known' });
const byCertificate = (facts: Facts) => ({ ...user, CertificateId: facts.certificate });
const bySsh = ({ ssh: SSHPublicKeyId }: Facts) => ({ ...user, SSHPublicKeyId });
const byCredential = (facts: Facts) => ({ ...user, ServiceSpecificCredentialId: facts.credential });

/** Creates the same state for several operations. */
const beforeAll = (make: (send: Send) => Promise<Facts>, operations: string) =>
  Object.fromEntries(operations.split(' ').map((operation) => [operation, make]));

type Part = Required<Pick<Scenario, 'before' | 'inputs' | 'reads' | 'observe'>>;

/** IAM's devices, keys, certificates and identity providers. */
export const credentials: Part = {
  async observe(send) {
    const listed = async (operation: string, list: string, input = {}): Promise<Record<string, string>[]> =>
      ((await send(operation, input))[list] ?? []) as Record<string, string>[];
    const known = ((await listed('ListUsers', 'Users')).find(({ UserName }) => UserName === 'known') && user) ?? {};
    const providers = await listed('ListOpenIDConnectProviders', 'OpenIDConnectProviderList');
    const samls = await listed('ListSAMLProviders', 'SAMLProviderList');
    const servers = await listed('ListServerCertificates', 'ServerCertificateMetadataList');
    const devices = await listed('ListVirtualMFADevices', 'VirtualMFADevices');
    const details: [string, Record<string, unknown>][] = [
      ...providers.map(({ Arn }): [string, object] => ['GetOpenIDConnectProvider', { OpenIDConnectProviderArn: Arn }]),
      ...samls.map(({ Arn }): [string, object] => ['GetSAMLProvider', { SAMLProviderArn: Arn }]),
      ...servers.map(({ ServerCertificateName }): [string, object] => [
        'GetServerCertificate',
        { ServerCertificateName },
      ]),
      ...devices.map(({ SerialNumber }): [string, object] => ['ListMFADeviceTags', { SerialNumber }]),
      ...('UserName' in known
        ? ['ListMFADevices', 'ListSSHPublicKeys', 'ListSigningCertificates', 'ListServiceSpecificCredentials'].map(
            (operation): [string, object] => [operation, user],
          )
        : []),
    ] as [string, Record<string, unknown>][];
    const answers = await Promise.all(details.map(([operation, input]) => send(operation, input)));
    const federation = await send('GetOutboundWebIdentityFederationInfo', {}).then(
      ({ IssuerIdentifier }) => IssuerIdentifier,
      (error: Error) => error.name,
    );
    return [federation, devices, answers.map(({ $metadata: _, ...members }) => members)];
  },
  before: {
    ...beforeAll(device, 'DeleteVirtualMFADevice EnableMFADevice ListMFADeviceTags TagMFADevice UntagMFADevice'),
    ...beforeAll(enabled, 'DeactivateMFADevice GetMFADevice ListMFADevices ListVirtualMFADevices ResyncMFADevice'),
    ...beforeAll(
      openId,
      'AddClientIDToOpenIDConnectProvider DeleteOpenIDConnectProvider GetOpenIDConnectProvider ListOpenIDConnectProviderTags ListOpenIDConnectProviders RemoveClientIDFromOpenIDConnectProvider TagOpenIDConnectProvider UntagOpenIDConnectProvider UpdateOpenIDConnectProviderThumbprint',
    ),
    ...beforeAll(
      saml,
      'DeleteSAMLProvider GetSAMLProvider ListSAMLProviderTags ListSAMLProviders TagSAMLProvider UntagSAMLProvider UpdateSAMLProvider',
    ),
    ...beforeAll(
      server,
      'DeleteServerCertificate GetServerCertificate ListServerCertificateTags ListServerCertificates TagServerCertificate UntagServerCertificate UpdateServerCertificate',
    ),
    ...beforeAll(signing, 'DeleteSigningCertificate ListSigningCertificates UpdateSigningCertificate'),
    ...beforeAll(ssh, 'DeleteSSHPublicKey GetSSHPublicKey ListSSHPublicKeys UpdateSSHPublicKey'),
    ...beforeAll(federated, 'DisableOutboundWebIdentityFederation GetOutboundWebIdentityFederationInfo'),
    ...beforeAll(
      serviceCredential,
      'DeleteServiceSpecificCredential ListServiceSpecificCredentials ResetServiceSpecificCredential UpdateServiceSpecificCredential',
    ),
  },
  inputs: {
    AddClientIDToOpenIDConnectProvider: (facts) => ({ ...byProvider(facts), ClientID: 'other' }),
    CreateOpenIDConnectProvider: () => ({ Url: 'https://fresh.example.com', ThumbprintList: THUMBPRINTS }),
    CreateSAMLProvider: () => ({ Name: 'fresh', SAMLMetadataDocument: metadata('fresh') }),
    CreateServiceSpecificCredential: () => ({ ...user, ServiceName: 'codecommit.amazonaws.com' }),
    CreateVirtualMFADevice: () => ({ VirtualMFADeviceName: 'fresh' }),
    DeactivateMFADevice: (facts) => ({ ...user, ...byDevice(facts) }),
    DeleteOpenIDConnectProvider: byProvider,
    DeleteSAMLProvider: bySaml,
    DeleteServerCertificate: byServer,
    DeleteServiceSpecificCredential: byCredential,
    DeleteSigningCertificate: byCertificate,
    DeleteSSHPublicKey: bySsh,
    DeleteVirtualMFADevice: byDevice,
    EnableMFADevice: (facts) => ({ ...user, ...byDevice(facts), ...codes(facts) }),
    GetMFADevice: (facts) => ({ ...user, ...byDevice(facts) }),
    GetOpenIDConnectProvider: byProvider,
    GetSAMLProvider: bySaml,
    GetServerCertificate: byServer,
    GetSSHPublicKey: (facts) => ({ ...bySsh(facts), Encoding: 'PEM' }),
    ListMFADevices: () => user,
    ListMFADeviceTags: byDevice,
    ListOpenIDConnectProviderTags: byProvider,
    ListSAMLProviderTags: bySaml,
    ListServerCertificateTags: byServer,
    ListServiceSpecificCredentials: () => user,
    ListSigningCertificates: () => user,
    ListSSHPublicKeys: () => user,
    RemoveClientIDFromOpenIDConnectProvider: (facts) => ({ ...byProvider(facts), ClientID: 'app' }),
    ResetServiceSpecificCredential: byCredential,
    ResyncMFADevice: (facts) => ({ ...user, ...byDevice(facts), ...codes(facts) }),
    TagMFADevice: (facts) => ({ ...byDevice(facts), ...tag }),
    TagOpenIDConnectProvider: (facts) => ({ ...byProvider(facts), ...tag }),
    TagSAMLProvider: (facts) => ({ ...bySaml(facts), ...tag }),
    TagServerCertificate: () => ({ ...byServer(), ...tag }),
    UntagMFADevice: (facts) => ({ ...byDevice(facts), ...untag }),
    UntagOpenIDConnectProvider: (facts) => ({ ...byProvider(facts), ...untag }),
    UntagSAMLProvider: (facts) => ({ ...bySaml(facts), ...untag }),
    UntagServerCertificate: () => ({ ...byServer(), ...untag }),
    UpdateOpenIDConnectProviderThumbprint: (facts) => ({ ...byProvider(facts), ThumbprintList: ['b'.repeat(40)] }),
    UpdateSAMLProvider: (facts) => ({ ...bySaml(facts), SAMLMetadataDocument: metadata('other') }),
    UpdateServerCertificate: () => ({ ...byServer(), NewServerCertificateName: 'renamed' }),
    UpdateServiceSpecificCredential: (facts) => ({ ...byCredential(facts), Status: 'Inactive' }),
    UpdateSigningCertificate: (facts) => ({ ...byCertificate(facts), Status: 'Inactive' }),
    UpdateSSHPublicKey: (facts) => ({ ...bySsh(facts), Status: 'Inactive' }),
    UploadServerCertificate: () => ({
      ServerCertificateName: 'fresh',
      CertificateBody: certificate.cert,
      PrivateKey: certificate.private,
    }),
    UploadSigningCertificate: () => ({ ...user, CertificateBody: certificate.cert }),
    UploadSSHPublicKey: () => ({ ...user, SSHPublicKeyBody: SSH_KEY }),
  },
  reads: {
    // Time of its activation, which never changes.
    GetMFADevice: undefined,
    GetOpenIDConnectProvider: (send, facts) => send('TagOpenIDConnectProvider', { ...byProvider(facts), ...tag }),
    // It returns an error unless enabled.
    GetOutboundWebIdentityFederationInfo: undefined,
    GetSAMLProvider: (send, facts) => send('TagSAMLProvider', { ...bySaml(facts), ...tag }),
    GetServerCertificate: (send) => send('TagServerCertificate', { ...byServer(), ...tag }),
    GetSSHPublicKey: (send, facts) => send('UpdateSSHPublicKey', { ...bySsh(facts), Status: 'Inactive' }),
    ListMFADevices: (send, facts) => send('DeactivateMFADevice', { ...user, ...byDevice(facts) }),
    ListMFADeviceTags: (send, facts) => send('TagMFADevice', { ...byDevice(facts), ...tag }),
    ListOpenIDConnectProviders: (send, facts) => send('DeleteOpenIDConnectProvider', byProvider(facts)),
    ListOpenIDConnectProviderTags: (send, facts) => send('TagOpenIDConnectProvider', { ...byProvider(facts), ...tag }),
    ListSAMLProviders: (send, facts) => send('DeleteSAMLProvider', bySaml(facts)),
    ListSAMLProviderTags: (send, facts) => send('TagSAMLProvider', { ...bySaml(facts), ...tag }),
    ListServerCertificates: (send) => send('DeleteServerCertificate', byServer()),
    ListServerCertificateTags: (send) => send('TagServerCertificate', { ...byServer(), ...tag }),
    ListServiceSpecificCredentials: (send, facts) => send('DeleteServiceSpecificCredential', byCredential(facts)),
    ListSigningCertificates: (send, facts) => send('DeleteSigningCertificate', byCertificate(facts)),
    ListSSHPublicKeys: (send, facts) => send('DeleteSSHPublicKey', bySsh(facts)),
    ListVirtualMFADevices: (send, facts) => send('DeactivateMFADevice', { ...user, ...byDevice(facts) }),
    // The new password is in its own response only, and the drift of a device's clock in none.
    ResetServiceSpecificCredential: undefined,
    ResyncMFADevice: undefined,
  },
};

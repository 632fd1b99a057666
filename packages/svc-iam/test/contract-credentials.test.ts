import { generateKeyPairSync } from 'node:crypto';
import { IAM } from '@aws-sdk/client-iam';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { periodAt, totp } from '../src/credentials/totp.ts';
import { manifest } from '../src/manifest.ts';
import { makeCertificate, makeMetadata, otherKey } from './certificates.ts';

const server = await makeCertificate('server');
const metadata = makeMetadata(server);
const sshKey = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .publicKey.export({ format: 'pem', type: 'spki' })
  .toString();

async function act(config: TestClientConfig): Promise<{ job: string; delegation: string }> {
  const iam = new IAM(config);
  const UserName = 'jane';
  await iam.createUser({ UserName });
  const { VirtualMFADevice } = await iam.createVirtualMFADevice({ VirtualMFADeviceName: 'phone' });
  const seed = Buffer.from(VirtualMFADevice!.Base32StringSeed!).toString();
  const period = periodAt(Date.now());
  await iam.enableMFADevice({
    UserName,
    SerialNumber: VirtualMFADevice!.SerialNumber,
    AuthenticationCode1: totp(seed, period - 1),
    AuthenticationCode2: totp(seed, period),
  });
  await iam.uploadSSHPublicKey({ UserName, SSHPublicKeyBody: sshKey });
  await iam.uploadSigningCertificate({ UserName, CertificateBody: server.cert });
  await iam.createServiceSpecificCredential({ UserName, ServiceName: 'bedrock.amazonaws.com', CredentialAgeDays: 5 });
  await iam.uploadServerCertificate({
    ServerCertificateName: 'site',
    CertificateBody: server.cert,
    PrivateKey: server.private,
  });
  await iam.createOpenIDConnectProvider({ Url: 'https://idp.example', ClientIDList: ['app'] });
  await iam.createSAMLProvider({ Name: 'idp', SAMLMetadataDocument: metadata, AddPrivateKey: otherKey() });
  await iam.enableOutboundWebIdentityFederation({});
  await iam.generateCredentialReport({});
  const { Arn } = (await iam.getUser({ UserName })).User!;
  const { JobId } = await iam.generateServiceLastAccessedDetails({ Arn });
  const { DelegationRequestId } = await iam.createDelegationRequest({
    // Unassigned requests are visible to every account.
    OwnerAccountId: Arn!.split(':')[4]!,
    Description: 'help',
    Permissions: { PolicyTemplateArn: 'arn:aws:iam::aws:delegation-template/known' },
    RequestorWorkflowId: 'workflow-1',
    NotificationChannel: 'arn:aws:sns:us-east-1:123456789012:delegations',
    SessionDuration: 3600,
  });
  return { job: JobId!, delegation: DelegationRequestId! };
}

async function observe(config: TestClientConfig, { job, delegation }: { job: string; delegation: string }) {
  const iam = new IAM(config);
  const UserName = 'jane';
  const told = <T extends { $metadata: unknown }>(request: Promise<T>) =>
    request.then(
      ({ $metadata: _, ...members }) => members,
      (error: Error) => error.name,
    );
  const providers = (await iam.listOpenIDConnectProviders({})).OpenIDConnectProviderList!;
  const samls = (await iam.listSAMLProviders({})).SAMLProviderList!;
  return Promise.all([
    told(iam.listVirtualMFADevices({})),
    told(iam.listSSHPublicKeys({ UserName })),
    told(iam.listSigningCertificates({ UserName })),
    told(iam.listServiceSpecificCredentials({ UserName })),
    told(iam.getServerCertificate({ ServerCertificateName: 'site' })),
    ...providers.map(({ Arn }) => told(iam.getOpenIDConnectProvider({ OpenIDConnectProviderArn: Arn }))),
    ...samls.map(({ Arn }) => told(iam.getSAMLProvider({ SAMLProviderArn: Arn }))),
    told(iam.getOutboundWebIdentityFederationInfo({})),
    // Whether a report exists, finished or not.
    told(iam.getCredentialReport({})).then((report) => report !== 'CredentialReportNotPresentException'),
    told(iam.getServiceLastAccessedDetails({ JobId: job })).then((report) => typeof report),
    told(iam.getDelegationRequest({ DelegationRequestId: delegation })),
  ]);
}

describeServiceContract({ manifest, scope: 'account', act, observe });

import { identityDirectory, type ServiceManifest } from '@emu/core/service';

/** Facts by which the gateway recognises requests for IAM before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'iam',
  signingNames: ['iam'],
  hostNames: ['iam'],
  queryVersions: ['2010-05-08'],
  // SAML metadata has up to 10,000,000 characters and a certificate chain 2 MB; form encoding may use three bytes per
  // character. https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateSAMLProvider.html
  bodies: {
    bytes: 2 * 1024 * 1024,
    operations: {
      CreateSAMLProvider: 30 * 1024 * 1024,
      UpdateSAMLProvider: 30 * 1024 * 1024,
      UploadServerCertificate: 8 * 1024 * 1024,
    },
  },
  credentials: 'access-keys',
  provides: [identityDirectory],
  quotas: async () => (await import('./quotas.ts')).quotas,
  cloudFormation: {
    types: [
      'AWS::IAM::AccessKey',
      'AWS::IAM::Group',
      'AWS::IAM::GroupPolicy',
      'AWS::IAM::InstanceProfile',
      'AWS::IAM::ManagedPolicy',
      'AWS::IAM::OIDCProvider',
      'AWS::IAM::Policy',
      'AWS::IAM::Role',
      'AWS::IAM::RolePolicy',
      'AWS::IAM::SAMLProvider',
      'AWS::IAM::ServerCertificate',
      'AWS::IAM::ServiceLinkedRole',
      'AWS::IAM::User',
      'AWS::IAM::UserPolicy',
      'AWS::IAM::UserToGroupAddition',
      'AWS::IAM::VirtualMFADevice',
    ],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  load: async () => (await import('./index.ts')).plugin,
};

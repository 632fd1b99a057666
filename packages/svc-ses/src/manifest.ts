import type { BodyLimits, ServiceManifest } from '@emu/core/service';
import { LINKS } from './mail/link-path.ts';
import { checkOptions, SES_OPTIONS } from './options.ts';

const MEGABYTE = 1024 * 1024;

/** Body limits: a message of 40 MB in base64 and its envelope. */
const BODIES: BodyLimits = { bytes: 64 * MEGABYTE };

/** Facts by which the gateway recognises requests for Amazon SES version 1 before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'ses',
  signingNames: ['ses', 'email'],
  hostNames: ['email'],
  queryVersions: ['2010-12-01'],
  // https://github.com/nodemailer/nodemailer-ses-transport/issues/10
  signatures: { describesMismatch: true },
  bodies: BODIES,
  options: { table: SES_OPTIONS, check: checkOptions },
  controlPaths: ['/_emulator/ses/', '/_aws/ses'],
  claims: (_method, path) => path.startsWith(LINKS),
  eager: (settings) => settings.of(SES_OPTIONS).EMULATOR_SMTP,
  quotas: async () => (await import('./quotas.ts')).quotas,
  cloudFormation: {
    types: [
      'AWS::SES::ConfigurationSet',
      'AWS::SES::ConfigurationSetEventDestination',
      'AWS::SES::ContactList',
      'AWS::SES::CustomVerificationEmailTemplate',
      'AWS::SES::DedicatedIpPool',
      'AWS::SES::EmailIdentity',
      'AWS::SES::MultiRegionEndpoint',
      'AWS::SES::ReceiptFilter',
      'AWS::SES::ReceiptRule',
      'AWS::SES::ReceiptRuleSet',
      'AWS::SES::Template',
      'AWS::SES::Tenant',
      'AWS::SES::VdmAttributes',
    ],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  load: async () => (await import('./index.ts')).plugin,
};

/** Facts by which the gateway recognises requests for version 2: by their paths, otherwise as version 1. */
export const v2Manifest: ServiceManifest = {
  name: 'sesv2',
  signingNames: ['ses', 'email'],
  hostNames: ['email'],
  pathPrefixes: ['/v2/email', '/v1/email'],
  // Some SDKs, such as Go's, send PutEmailIdentityDkimSigningAttributes to its former path.
  operationPath: (path) =>
    /^\/v1\/email\/identities\/[^/]+\/dkim\/signing$/.test(path) ? path.replace('/v1/', '/v2/') : undefined,
  bodies: BODIES,
  load: async () => (await import('./v2.ts')).plugin,
};

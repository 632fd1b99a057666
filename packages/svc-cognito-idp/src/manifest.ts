import { type ServiceManifest, userPoolTokens } from '@emu/core/service';
import { COGNITO_OPTIONS } from './options.ts';

/** Paths of a pool's documents and pages that contain the pool id. */
const POOL_PATH = /^\/[a-z]{2,4}(?:-[a-z]+){1,2}-\d{1,2}_[A-Za-z0-9]+\//;
/** Hosts of domain pages. */
const DOMAIN_HOST = /\.auth(?:-fips)?\.[a-z]{2,4}(?:-[a-z]+){1,2}-\d{1,2}\./;

/** Facts by which the gateway recognises requests for Amazon Cognito user pools before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'cognito-idp',
  signingNames: ['cognito-idp'],
  hostNames: ['cognito-idp'],
  targetPrefixes: ['AWSCognitoIdentityProviderService'],
  controlPaths: ['/_emulator/cognito/'],
  claims: (method, path, host, headers) =>
    headers['x-amz-target'] === undefined &&
    (POOL_PATH.test(path) || DOMAIN_HOST.test(host)) &&
    (method === 'GET' || method === 'POST' || method === 'OPTIONS' || method === 'HEAD' || method === 'PUT'),
  provides: [userPoolTokens],
  options: { table: COGNITO_OPTIONS },
  // Limit for an image of 100 KB, or branding with assets of 2 MB in Base64.
  // https://docs.aws.amazon.com/cognito/latest/developerguide/managed-login-brandingdesigner.html
  bodies: { bytes: 4 * 1024 * 1024 },
  cloudFormation: {
    types: [
      'AWS::Cognito::LogDeliveryConfiguration',
      'AWS::Cognito::ManagedLoginBranding',
      'AWS::Cognito::Terms',
      'AWS::Cognito::UserPool',
      'AWS::Cognito::UserPoolClient',
      'AWS::Cognito::UserPoolDomain',
      'AWS::Cognito::UserPoolGroup',
      'AWS::Cognito::UserPoolIdentityProvider',
      'AWS::Cognito::UserPoolResourceServer',
      'AWS::Cognito::UserPoolRiskConfigurationAttachment',
      'AWS::Cognito::UserPoolUICustomizationAttachment',
      'AWS::Cognito::UserPoolUser',
      'AWS::Cognito::UserPoolUserToGroupAttachment',
    ],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  quotas: async () => (await import('./quotas.ts')).quotas,
  load: async () => (await import('./index.ts')).plugin,
};

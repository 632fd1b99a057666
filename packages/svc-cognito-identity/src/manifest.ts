import { identityPoolKeys, type ServiceManifest } from '@emu/core/service';

/** How requests for Amazon Cognito identity pools are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'cognito-identity',
  signingNames: ['cognito-identity'],
  hostNames: ['cognito-identity'],
  targetPrefixes: ['AWSCognitoIdentityService'],
  // Serves the documents that verify OpenID tokens of identities. The names match discovery.ts.
  claims: (_method, path, host) =>
    path.startsWith('/_aws/cognito-identity/') ||
    (path.startsWith('/.well-known/') && /^cognito-identity\.amazonaws\.com(?::\d+)?$/i.test(host)),
  // Ten logins of 50,000 characters each, or role mappings of 400 rules for each of ten providers.
  // https://docs.aws.amazon.com/cognitoidentity/latest/APIReference/API_SetIdentityPoolRoles.html
  bodies: { bytes: 4 * 1024 * 1024 },
  provides: [identityPoolKeys],
  cloudFormation: {
    types: [
      'AWS::Cognito::IdentityPool',
      'AWS::Cognito::IdentityPoolPrincipalTag',
      'AWS::Cognito::IdentityPoolRoleAttachment',
    ],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  quotas: async () => (await import('./quotas.ts')).quotas,
  load: async () => (await import('./index.ts')).plugin,
};

import { providerTokens, type ServiceManifest } from '@emu/core/service';
import { STS_OPTIONS } from './options.ts';

/** How the gateway recognises STS before it is loaded. */
export const manifest: ServiceManifest = {
  name: 'sts',
  signingNames: ['sts'],
  hostNames: ['sts'],
  queryVersions: ['2011-06-15'],
  // SAML assertions have up to 100,000 characters, session policies 2,048. AWS documents no limit for the request.
  // https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithSAML.html
  bodies: { bytes: 1024 * 1024 },
  // Serves the keys for tokens of GetWebIdentityToken. The names match discovery.ts.
  claims: (_method, path, host) =>
    path.startsWith('/_aws/sts/issuers/') ||
    (path.startsWith('/.well-known/') && host.includes('.tokens.sts.global.api.aws')),
  credentials: 'sessions',
  provides: [providerTokens],
  options: { table: STS_OPTIONS },
  load: async () => (await import('./index.ts')).plugin,
};

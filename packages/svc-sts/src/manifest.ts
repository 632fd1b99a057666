import type { ServiceManifest } from '@emu/core';
import { STS_OPTIONS } from './options.ts';

/** How the gateway recognises STS before it is loaded. */
export const manifest: ServiceManifest = {
  name: 'sts',
  signingNames: ['sts'],
  hostNames: ['sts'],
  queryVersions: ['2011-06-15'],
  // What tokens of GetWebIdentityToken are verified by; the names are those of discovery.ts.
  claims: (_method, path, host) =>
    path.startsWith('/_aws/sts/issuers/') ||
    (path.startsWith('/.well-known/') && host.includes('.tokens.sts.global.api.aws')),
  credentials: 'sessions',
  options: { table: STS_OPTIONS },
  load: async () => (await import('./index.ts')).plugin,
};

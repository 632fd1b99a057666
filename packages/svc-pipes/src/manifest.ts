import type { ServiceManifest } from '@emu/core/service';

const MAX_BODY = 1024 * 1024;

/** How requests for Amazon EventBridge Pipes are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'pipes',
  signingNames: ['pipes'],
  hostNames: ['pipes'],
  // The largest members are two templates of 8 KiB and five patterns of 4 KiB. JSON may escape one byte as six.
  bodies: { bytes: MAX_BODY, refusal: 'RequestEntityTooLargeException' },
  cloudFormation: {
    types: ['AWS::Pipes::Pipe'],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  load: async () => (await import('./index.ts')).plugin,
};

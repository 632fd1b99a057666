import type { ServiceManifest } from '@emu/core/service';

/** How requests for AWS Resource Groups Tagging API are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'resourcegroupstaggingapi',
  signingNames: ['tagging'],
  hostNames: ['tagging'],
  targetPrefixes: ['ResourceGroupsTaggingAPI_20170126'],
  // AWS documents no limit. 100 ARNs and 50 filters with 20 values each are far smaller.
  bodies: { bytes: 1024 * 1024 },
  load: async () => (await import('./index.ts')).plugin,
};

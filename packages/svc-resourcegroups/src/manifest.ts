import type { ServiceManifest } from '@emu/core/service';

/** How requests for AWS Resource Groups are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'resourcegroups',
  localstackName: 'resource-groups',
  signingNames: ['resource-groups'],
  hostNames: ['resource-groups'],
  // AWS documents no limit. A query of 4096 characters and 50 tags are far smaller.
  bodies: { bytes: 1024 * 1024 },
  cloudFormation: {
    types: ['AWS::ResourceGroups::Group', 'AWS::ResourceGroups::TagSyncTask'],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  quotas: async () => (await import('./quotas.ts')).quotas,
  load: async () => (await import('./index.ts')).plugin,
};

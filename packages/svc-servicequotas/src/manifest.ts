import type { ServiceManifest } from '@emu/core/service';
import { SERVICE_QUOTAS_OPTIONS } from './options.ts';
import { requestApproval } from './requests/approval.ts';

/** How requests for Service Quotas are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'servicequotas',
  signingNames: ['servicequotas'],
  hostNames: ['servicequotas'],
  targetPrefixes: ['ServiceQuotasV20190624'],
  controlPaths: ['/_emulator/service-quotas/'],
  localstackName: 'service-quotas',
  // AWS documents no limit. A request with the maximum number of tags is far smaller.
  bodies: { bytes: 1024 * 1024 },
  options: { table: SERVICE_QUOTAS_OPTIONS },
  provides: [requestApproval],
  load: async () => (await import('./index.ts')).plugin,
};

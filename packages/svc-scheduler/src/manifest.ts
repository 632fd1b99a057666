import type { ServiceManifest } from '@emu/core/service';

const MAX_BODY = 2 * 1024 * 1024;

/** How requests for Amazon EventBridge Scheduler are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'scheduler',
  signingNames: ['scheduler'],
  hostNames: ['scheduler'],
  // The largest member is a target's Input of 256 KiB. JSON may escape one byte as six.
  bodies: { bytes: MAX_BODY, refusal: 'RequestEntityTooLargeException' },
  cloudFormation: {
    types: ['AWS::Scheduler::Schedule', 'AWS::Scheduler::ScheduleGroup'],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  load: async () => (await import('./index.ts')).plugin,
};

import type { ServiceManifest } from '@emu/core/service';

/** Maximum bytes of a request: a target's Input has up to 256 KiB, and JSON may escape one byte as six. */
const MAX_BODY = 2 * 1024 * 1024;

/** How requests for Amazon EventBridge Scheduler are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'scheduler',
  signingNames: ['scheduler'],
  hostNames: ['scheduler'],
  bodies: { bytes: MAX_BODY, refusal: 'RequestEntityTooLargeException' },
  cloudFormation: {
    types: ['AWS::Scheduler::Schedule', 'AWS::Scheduler::ScheduleGroup'],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  load: async () => (await import('./index.ts')).plugin,
};

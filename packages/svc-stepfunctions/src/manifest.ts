import type { ServiceManifest } from '@emu/core/service';
import { STEPFUNCTIONS_OPTIONS } from './options.ts';

/** Maximum body bytes: definitions have up to 1 MiB of characters and inputs and outputs 256 KiB, plus JSON escapes. */
const MAX_BODY = 8 * 1024 * 1024;

/** Facts by which the gateway recognises requests for AWS Step Functions before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'stepfunctions',
  signingNames: ['states'],
  hostNames: ['states', 'sync-states'],
  targetPrefixes: ['AWSStepFunctions'],
  bodies: { bytes: MAX_BODY, refusal: 'RequestEntityTooLargeException' },
  options: { table: STEPFUNCTIONS_OPTIONS },
  cloudFormation: {
    types: [
      'AWS::StepFunctions::Activity',
      'AWS::StepFunctions::StateMachine',
      'AWS::StepFunctions::StateMachineAlias',
      'AWS::StepFunctions::StateMachineVersion',
    ],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  quotas: async () => (await import('./quotas.ts')).quotas,
  load: async () => (await import('./index.ts')).plugin,
};

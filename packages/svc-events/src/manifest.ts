import type { ServiceManifest } from '@emu/core/service';

/** How requests for Amazon EventBridge are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'events',
  signingNames: ['events'],
  hostNames: ['events'],
  targetPrefixes: ['AWSEvents'],
  // The entries of a request have at most 1 MB together. JSON may escape one byte as six. AWS answers larger requests
  // with an empty 413. https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
  // A request has at most 100 targets, whose inputs and templates have up to 8 KB each.
  bodies: { bytes: 6 * 1024 * 1024, operations: { PutTargets: 4 * 1024 * 1024, RemoveTargets: 1024 * 1024 } },
  quotas: async () => (await import('./quotas.ts')).quotas,
  cloudFormation: {
    types: [
      'AWS::Events::ApiDestination',
      'AWS::Events::Archive',
      'AWS::Events::Connection',
      'AWS::Events::Endpoint',
      'AWS::Events::EventBus',
      'AWS::Events::EventBusPolicy',
      'AWS::Events::Rule',
    ],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  load: async () => (await import('./index.ts')).plugin,
};

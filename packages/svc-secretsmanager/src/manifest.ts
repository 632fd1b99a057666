import type { ServiceManifest } from '@emu/core';

/** How requests for AWS Secrets Manager are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'secretsmanager',
  signingNames: ['secretsmanager'],
  hostNames: ['secretsmanager'],
  targetPrefixes: ['secretsmanager'],
  // A secret has 65,536 bytes, which JSON may write with six each; AWS states no limit for the whole request.
  // https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html
  bodies: { bytes: 1024 * 1024 },
  quotas: async () => (await import('./quotas.ts')).quotas,
  cloudFormation: {
    types: [
      'AWS::SecretsManager::ResourcePolicy',
      'AWS::SecretsManager::RotationSchedule',
      'AWS::SecretsManager::Secret',
    ],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  load: async () => (await import('./index.ts')).plugin,
};

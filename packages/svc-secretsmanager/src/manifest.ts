import type { ServiceManifest } from '@emu/core/service';

/** How requests for AWS Secrets Manager are recognised before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'secretsmanager',
  signingNames: ['secretsmanager'],
  hostNames: ['secretsmanager'],
  targetPrefixes: ['secretsmanager'],
  // A secret has at most 65,536 bytes. JSON may escape one byte as six. AWS documents no limit for the request.
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

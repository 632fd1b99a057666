import type { BodyLimits, ServiceManifest } from '@emu/core/service';
import { checkOptions, DYNAMODB_OPTIONS } from './options.ts';

/**
 * Body limits: the largest request is a BatchWriteItem of 16 MB; all operations accept gzip.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
 */
const DYNAMODB_BODIES: BodyLimits = {
  bytes: 16 * 1024 * 1024,
  gzip: true,
  // More values than that cannot fit the limit of 400 KB per item.
  crowded: (operation) =>
    operation === 'PutItem'
      ? { code: 'ValidationException', message: 'Item size has exceeded the maximum allowed size', status: 400 }
      : undefined,
};

/** Facts by which the gateway recognises requests for DynamoDB before the service is loaded. */
export const manifest: ServiceManifest = {
  name: 'dynamodb',
  signingNames: ['dynamodb'],
  hostNames: ['dynamodb'],
  targetPrefixes: ['DynamoDB_20120810'],
  // https://github.com/vibe-aws/vibe-aws/issues/1
  signatures: { describesMismatch: true },
  bodies: DYNAMODB_BODIES,
  options: { table: DYNAMODB_OPTIONS, check: checkOptions },
  eager: (settings) => {
    const { EMULATOR_DYNAMODB_IMPORT_PATH: path, EMULATOR_DYNAMODB_IMPORT_DIR: folder } = settings.of(DYNAMODB_OPTIONS);
    return path !== undefined || folder !== undefined;
  },
  quotas: async () => (await import('./quotas.ts')).quotas,
  cloudFormation: {
    types: ['AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table'],
    load: async () => (await import('./cloudformation/index.ts')).providers,
  },
  load: async () => (await import('./index.ts')).plugin,
};

/**
 * Facts by which the gateway recognises requests for DynamoDB Streams, which are signed for DynamoDB and differ by
 * target and host.
 */
export const streamsManifest: ServiceManifest = {
  name: 'dynamodbstreams',
  signingNames: ['dynamodb'],
  hostNames: ['streams.dynamodb', 'dynamodbstreams'],
  targetPrefixes: ['DynamoDBStreams_20120810'],
  bodies: DYNAMODB_BODIES,
  load: async () => (await import('./streams-plugin.ts')).plugin,
};

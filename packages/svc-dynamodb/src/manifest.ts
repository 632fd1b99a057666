import type { ServiceManifest } from '@emu/core';
import { checkOptions, DYNAMODB_OPTIONS } from './options.ts';

/** How the gateway recognises DynamoDB before it is loaded. */
export const manifest: ServiceManifest = {
  name: 'dynamodb',
  signingNames: ['dynamodb'],
  hostNames: ['dynamodb'],
  targetPrefixes: ['DynamoDB_20120810'],
  options: { table: DYNAMODB_OPTIONS, check: checkOptions },
  eager: (settings) => {
    const { EMULATOR_DYNAMODB_IMPORT_PATH: path, EMULATOR_DYNAMODB_IMPORT_DIR: folder } = settings.of(DYNAMODB_OPTIONS);
    return path !== undefined || folder !== undefined;
  },
  load: async () => (await import('./index.ts')).plugin,
};

/** How the gateway recognises DynamoDB Streams, which signs as DynamoDB and is told by its target and host. */
export const streamsManifest: ServiceManifest = {
  name: 'dynamodbstreams',
  signingNames: ['dynamodb'],
  hostNames: ['streams.dynamodb', 'dynamodbstreams'],
  targetPrefixes: ['DynamoDBStreams_20120810'],
  load: async () => (await import('./streams/plugin.ts')).plugin,
};

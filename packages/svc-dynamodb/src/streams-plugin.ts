import { definePlugin } from '@emu/core/service';
import type { DynamodbstreamsOperations } from '@emu/service-types/dynamodbstreams';
import type { ServiceModel } from '@emu/wire';
import model from '../model/dynamodbstreams.json' with { type: 'json' };
import { streamsAuthorization as authorization } from './authorization.ts';
import * as streams from './operations/streams.ts';
import type { DynamoState } from './state.ts';

/** Amazon DynamoDB Streams, based on DynamoDB's state. */
export const plugin = definePlugin<DynamodbstreamsOperations, DynamoState>({
  name: 'dynamodbstreams',
  model: model as unknown as ServiceModel,
  errorNamespace: 'com.amazonaws.dynamodb.v20120810',
  stateScope: 'region',
  stateOf: 'dynamodb',
  collections: [],
  authorization,
  operations: [streams],
});

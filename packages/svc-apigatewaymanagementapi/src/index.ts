import { definePlugin } from '@emu/core/service';
import type { ApigatewaymanagementapiOperations } from '@emu/service-types/apigatewaymanagementapi';
import type { ServiceModel } from '@emu/wire';
import model from '../model/apigatewaymanagementapi.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import * as connections from './operations/connections.ts';
import { tooLong } from './operations/connections.ts';
import type { ConnectionState } from './state.ts';

/** The management API of API Gateway's WebSocket APIs. */
export const plugin = definePlugin<ApigatewaymanagementapiOperations, ConnectionState>({
  name: 'apigatewaymanagementapi',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  // Connections are part of the state of WebSocket APIs.
  stateOf: 'apigatewayv2',
  collections: [],
  authorization,
  resources: [],
  validationError: () => tooLong(),
  operations: [connections],
});

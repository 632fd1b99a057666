import * as sdk from '@aws-sdk/client-apigatewaymanagementapi';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-apigatewaymanagementapi/model/apigatewaymanagementapi.json' with {
  type: 'json',
};
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';

/** Creates the resources for the requests. */
async function setUp(_send: Send): Promise<Facts> {
  return {};
}

/** Connections are sockets: no operation lists them, and none is open here. */
async function observe(): Promise<unknown> {
  return undefined;
}

/** AmazonApiGatewayManagementApi. */
export const apigatewaymanagementapi: Scenario = {
  service: 'apigatewaymanagementapi',
  others: ['apigatewayv2'],
  model: model as unknown as ServiceModel,
  client: (emulator) =>
    sender(new sdk.ApiGatewayManagementApiClient({ ...emulator.clientConfig(), maxAttempts: 1 }) as never, sdk),
  setUp,
  observe,
  inputs: {
    DeleteConnection: () => ({ ConnectionId: 'JKl9dcKWCPECEaA=' }),
    GetConnection: () => ({ ConnectionId: 'JKl9dcKWCPECEaA=' }),
    PostToConnection: () => ({ ConnectionId: 'JKl9dcKWCPECEaA=', Data: Buffer.from('x') }),
  },
  // Only WebSockets create connections.
  reads: { GetConnection: undefined },
};

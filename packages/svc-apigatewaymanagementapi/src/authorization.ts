import type { ServiceAuthorization } from '@emu/core/service';
import type { ApigatewaymanagementapiOperations } from '@emu/service-types/apigatewaymanagementapi';
import { connectionArn } from './resources.ts';
import type { ConnectionState } from './state.ts';

const METHODS: Readonly<Record<keyof ApigatewaymanagementapiOperations, string>> = {
  DeleteConnection: 'DELETE',
  GetConnection: 'GET',
  PostToConnection: 'POST',
};

/**
 * Permissions of the connection operations.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-control-access-iam.html
 */
export const authorization: ServiceAuthorization<ApigatewaymanagementapiOperations, ConnectionState> = {
  operations: {},
  otherwise(operation, input, ctx) {
    const { ConnectionId: id } = input as { ConnectionId: string };
    const connection = ctx.state.runtime.connections.get(id);
    const subject = { apiId: connection?.apiId ?? '*', stage: connection?.stage ?? '*', id };
    const method = METHODS[operation as keyof ApigatewaymanagementapiOperations];
    return { action: 'execute-api:ManageConnections', resource: connectionArn(subject, method, ctx) };
  },
};

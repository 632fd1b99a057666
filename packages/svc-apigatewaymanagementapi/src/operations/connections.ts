import { apiAddressOf, MAX_UNSENT } from '@emu/apigateway-common';
import { percentDecoded } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/apigatewaymanagementapi';
import type { AwsError } from '@emu/wire';
import type { ApigatewaymanagementapiContext } from '../context.ts';
import { apigatewaymanagementapiError } from '../errors.ts';
import type { OpenConnection } from '../state.ts';

/**
 * Maximum bytes of a message.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html
 */
const MAX_MESSAGE = 128 * 1024;
const NORMAL = 1000;

/** Returns the model's error for a message above the limit. */
export const tooLong = (): AwsError =>
  apigatewaymanagementapiError('PayloadTooLargeException', `Message too long: the limit is ${MAX_MESSAGE} bytes`);

/** Matches a connection id: 11 bytes in Base64. */
const ID = /^[\w+/-]{15}=$/;

const forbidden = (): AwsError => apigatewaymanagementapiError('ForbiddenException', 'Forbidden');

/**
 * Returns the API and stage that a request's endpoint names; undefined for an endpoint of all APIs, which only emu has.
 * @throws AwsError `ForbiddenException` for an unknown one
 * @see https://github.com/aws/aws-sdk-php/issues/1955
 */
function endpointOf({ http, state }: ApigatewaymanagementapiContext): { apiId: string; stage: string } | undefined {
  const address = http && apiAddressOf({ path: http.signedPath, headers: http.headers });
  if (!address) return undefined;
  const { apiId, path } = address;
  const stage = address.stage ?? percentDecoded(path.split('/')[1] ?? '');
  if (!state.runtime.stage(apiId, stage)) throw forbidden();
  return { apiId, stage };
}

/**
 * Returns the connection of a request.
 * @throws AwsError `ForbiddenException` for another API or stage, `BadRequestException`, `GoneException`
 * @see https://github.com/dherault/serverless-offline/issues/749
 */
function connectionOf(id: string, ctx: ApigatewaymanagementapiContext): OpenConnection {
  const endpoint = endpointOf(ctx);
  if (!ID.test(id))
    throw apigatewaymanagementapiError('BadRequestException', `Invalid connectionId: ${id}`, { status: 400 });
  const connection = ctx.state.runtime.connections.get(id);
  if (!connection || connection.socket.readyState !== connection.socket.OPEN)
    throw apigatewaymanagementapiError('GoneException', '');
  if (endpoint && (endpoint.apiId !== connection.apiId || endpoint.stage !== connection.stage)) throw forbidden();
  return connection;
}

/**
 * @throws AwsError `LimitExceededException` while the client does not read earlier messages
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-how-to-call-websocket-api-connections.html
 * @see https://docs.aws.amazon.com/apigatewaymanagementapi/latest/reference/API_PostToConnection.html
 */
export async function PostToConnection(
  input: InputOf<'PostToConnection'>,
  ctx: ApigatewaymanagementapiContext,
): Promise<OutputOf<'PostToConnection'>> {
  const data = input.Data as Uint8Array;
  const connection = connectionOf(input.ConnectionId, ctx);
  if (connection.socket.bufferedAmount > MAX_UNSENT)
    throw apigatewaymanagementapiError('LimitExceededException', 'The buffer of the WebSocket client is full.');
  await new Promise<void>((resolve, reject) => {
    connection.socket.send(Buffer.from(data).toString(), (error) => {
      if (error) reject(apigatewaymanagementapiError('GoneException', ''));
      else resolve();
    });
  });
  ctx.state.runtime.connections.touch(connection);
  return {};
}

/** @see https://docs.aws.amazon.com/apigatewaymanagementapi/latest/reference/API_GetConnection.html */
export function GetConnection(
  input: InputOf<'GetConnection'>,
  ctx: ApigatewaymanagementapiContext,
): OutputOf<'GetConnection'> {
  const { connectedAt, lastActiveAt, sourceIp, userAgent } = connectionOf(input.ConnectionId, ctx);
  return {
    ConnectedAt: new Date(connectedAt),
    Identity: { SourceIp: sourceIp, UserAgent: userAgent },
    LastActiveAt: new Date(lastActiveAt),
  };
}

/** @see https://docs.aws.amazon.com/apigatewaymanagementapi/latest/reference/API_DeleteConnection.html */
export function DeleteConnection(
  input: InputOf<'DeleteConnection'>,
  ctx: ApigatewaymanagementapiContext,
): OutputOf<'DeleteConnection'> {
  connectionOf(input.ConnectionId, ctx).socket.close(NORMAL, 'Connection Closed Normally');
  return {};
}

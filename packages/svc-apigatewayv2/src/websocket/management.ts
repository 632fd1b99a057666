import { type DataPlaneRequest, type DataPlaneResponse, percentDecoded, readAtMost, signerOf } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import type { ApiEntrance } from '../domains/api-entrance.ts';
import type { Apigatewayv2State } from '../state.ts';

const CONNECTION = /^\/(?:@|%40)connections\/([^/]+)\/?$/i;
/** Maximum bytes read of a message, so that the size error can be reported. */
const MAX_BODY = 1024 * 1024;

const answer = (status: number, body: object | undefined, more: Record<string, string> = {}): DataPlaneResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...more },
  body: body === undefined ? '' : JSON.stringify(body),
});

/**
 * Serves an operation of the management API below a custom domain name's mapping to a WebSocket API stage. Requests to
 * such names only reach the data plane of the name's owner.
 * @param entrance of the domain name, with the path below its mapping
 * @returns undefined for other requests
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-how-to-call-websocket-api-connections.html
 */
export async function manageConnection(
  request: DataPlaneRequest,
  { path, state, stage }: Pick<ApiEntrance, 'path' | 'state' | 'stage'>,
): Promise<DataPlaneResponse | undefined> {
  const given = CONNECTION.exec(path)?.[1];
  if (given === undefined) return undefined;
  const id = percentDecoded(given);
  const connection = state.runtime.connections.get(id);
  if (!stage || (connection && (connection.apiId !== stage.api.ApiId || connection.stage !== stage.name)))
    return answer(403, { message: 'Forbidden' }, { 'x-amzn-errortype': 'ForbiddenException' });
  try {
    const principal = await signerOf(request, state.service, { services: ['execute-api'], region: state.region });
    if (!principal) return answer(403, { message: 'Missing Authentication Token' });
    return await managed(request, id, state, {
      accountId: state.accountId,
      principal,
      authorize: {},
      cause: request.requestId,
    });
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return answer(error.status ?? 400, { message: error.message }, { 'x-amzn-errortype': error.code });
  }
}

type CallOptions = Parameters<Apigatewayv2State['scope']['call']>[3];

async function managed(
  request: DataPlaneRequest,
  ConnectionId: string,
  { scope }: Apigatewayv2State,
  options: CallOptions,
): Promise<DataPlaneResponse> {
  switch (request.method) {
    case 'GET': {
      const input = { ConnectionId };
      const connection = await scope.call('apigatewaymanagementapi', 'GetConnection', input, options);
      return answer(200, {
        connectedAt: connection.ConnectedAt,
        identity: {
          sourceIp: connection.Identity?.SourceIp,
          userAgent: connection.Identity?.UserAgent,
        },
        lastActiveAt: connection.LastActiveAt,
      });
    }
    case 'POST': {
      const Data = await readAtMost(request.body, MAX_BODY);
      if (!Data)
        return answer(413, { message: 'Message too long' }, { 'x-amzn-errortype': 'PayloadTooLargeException' });
      await scope.call('apigatewaymanagementapi', 'PostToConnection', { ConnectionId, Data }, options);
      return answer(200, undefined);
    }
    case 'DELETE':
      await scope.call('apigatewaymanagementapi', 'DeleteConnection', { ConnectionId }, options);
      return answer(204, undefined);
    default:
      return answer(403, { message: 'Missing Authentication Token' });
  }
}

import type { DataPlaneRequest, DataPlaneResponse, ServiceHandle, UpgradableConnection } from '@emu/core';
import { type WebSocket, WebSocketServer } from 'ws';
import { authorizeBySignature } from '../authorizers/iam.ts';
import { type LambdaContext, Refusal } from '../authorizers/verdict.ts';
import { addressOf } from '../http/exchange.ts';
import { CONNECTION_BURST, NEW_CONNECTIONS } from '../quotas.ts';
import type { CompiledStage } from '../runtime/compiled-stage.ts';
import type { Apigatewayv2State } from '../state.ts';
import { socketEntrance } from './address.ts';
import { authorizeConnection } from './authorizer.ts';
import { CLOSE, type ConnectionFacts } from './connections.ts';
import { connectEvent, handshakeMembers } from './events.ts';
import { FrameLengths, MOST_MESSAGE } from './frames.ts';
import { integrateEvent, type SocketAnswer } from './integrations.ts';
import { leave, receive } from './messages.ts';
import { measure } from './metrics.ts';

const CONNECT_ROUTE = '$connect';
/** Messages of a connection that are dealt with at a time; more wait in the network. */
const MOST_RUNNING = 100;
/** Opens the sockets of all APIs; it listens nowhere. */
const server = new WebSocketServer({
  noServer: true,
  maxPayload: MOST_MESSAGE,
  clientTracking: false,
  perMessageDeflate: false,
});

const refusal = (status: number, message: string, facts: object = {}): DataPlaneResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message, ...facts }),
});

/**
 * Takes the connection of a client of a WebSocket API, once its authorizer and its `$connect` route let it in.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-overview.html
 */
export async function upgrade(
  request: DataPlaneRequest,
  connection: UpgradableConnection,
  handle: ServiceHandle<Apigatewayv2State>,
): Promise<DataPlaneResponse | 'taken' | undefined> {
  const entrance = socketEntrance(request, handle);
  if (!entrance) return undefined;
  const { state, stage, domainName } = entrance;
  if (!stage) return refusal(403, 'Forbidden');
  if (!takeConnection(state)) return refusal(429, 'Too Many Requests');
  const { connections } = state.runtime;
  const id = connections.newId();
  const connectedAt = state.clock.now();
  const facts = {
    apiId: stage.api.ApiId,
    stage: stage.name,
    domainName,
    sourceIp: addressOf(request.remoteAddress),
    userAgent: String(request.headers['user-agent'] ?? ''),
    cause: request.requestId,
    authorizer: undefined as LambdaContext | undefined,
  };
  measure(state, facts, 'ConnectCount');
  let answer: SocketAnswer | undefined;
  try {
    answer = await connect(request, state, stage, { ...facts, id, connectedAt }, (authorizer) => {
      facts.authorizer = authorizer;
    });
  } catch (error) {
    if (error instanceof Refusal) {
      measure(state, facts, 'ClientError');
      return refusal(error.status, error.message, { connectionId: id, requestId: request.requestId });
    }
    state.service.log.warn('the $connect route of a WebSocket API failed', { apiId: facts.apiId, error });
  }
  if (!answer) {
    measure(state, facts, 'ExecutionError');
    return refusal(502, 'Internal server error', { connectionId: id, requestId: request.requestId });
  }
  if (answer.status < 200 || answer.status > 299)
    return { ...refusal(answer.status, ''), body: answer.body, headers: { 'content-type': 'application/json' } };
  open(connection, answer, (socket) => attend(state, socket, connection, id, facts, connectedAt));
  return 'taken';
}

/** Counts a new connection towards the account's rate. @returns false where that is enforced and used up */
function takeConnection({ service, accountId, region, runtime, clock }: Apigatewayv2State): boolean {
  const rate = service.quotaLimit(NEW_CONNECTIONS, accountId, region);
  if (rate === Number.POSITIVE_INFINITY) return true;
  return runtime.throttles.take('connections', 1, rate, Math.min(rate, CONNECTION_BURST), clock.now());
}

/** Asks the authorizer and the integration of `$connect`. @returns undefined where the integration failed */
async function connect(
  request: DataPlaneRequest,
  state: Apigatewayv2State,
  stage: CompiledStage,
  subject: ConnectionFacts & { id: string; connectedAt: number },
  authorized: (context: LambdaContext | undefined) => void,
): Promise<SocketAnswer | undefined> {
  const ok = { status: 200, body: '', headers: {} };
  const route = stage.messageRoute(CONNECT_ROUTE);
  if (!route) return ok;
  const members = handshakeMembers(request, stage.variables);
  const caller =
    route.AuthorizationType === 'AWS_IAM'
      ? await authorizeBySignature(request, `${stage.api.ApiId}/${stage.name}/${CONNECT_ROUTE}`, state)
      : undefined;
  const authorizer =
    route.AuthorizationType === 'CUSTOM'
      ? await authorizeConnection(request, state, stage, route, subject, members)
      : undefined;
  authorized(authorizer);
  const integration = stage.integrationOf(route);
  if (!integration) return ok;
  const event = connectEvent(state, { ...subject, authorizer }, members, caller);
  return integrateEvent(state, stage, integration, event, request.requestId);
}

/** Answers the handshake; the subprotocol is the one that the integration names. */
function open(
  { incoming, socket, head }: UpgradableConnection,
  answer: SocketAnswer,
  opened: (socket: WebSocket) => void,
): void {
  const protocol = answer.headers['sec-websocket-protocol'];
  // The library chooses the first that the client offers; only what the integration has chosen is to be left.
  if (protocol === undefined) delete incoming.headers['sec-websocket-protocol'];
  else if (incoming.headers['sec-websocket-protocol'] !== undefined)
    incoming.headers['sec-websocket-protocol'] = protocol;
  server.handleUpgrade(incoming, socket, head, opened);
}

/** Deals with what comes over an open connection, and with its end. */
function attend(
  state: Apigatewayv2State,
  socket: WebSocket,
  { socket: stream, head }: UpgradableConnection,
  id: string,
  facts: ConnectionFacts,
  connectedAt: number,
): void {
  const kept = state.runtime.connections.add(id, socket, facts, connectedAt);
  const lengths = new FrameLengths();
  let ended = false;
  let running = 0;
  const watch = (bytes: Uint8Array): void => {
    if (ended || !lengths.exceeds(bytes)) return;
    ended = true;
    socket.close(CLOSE.tooLarge, 'Message too long');
  };
  if (head.length > 0) watch(head);
  stream.on('data', watch);
  socket.on('message', (data, binary) => {
    if (ended) return;
    if (binary) {
      ended = true;
      socket.close(CLOSE.unsupported, 'Binary messages are not supported');
      return;
    }
    running++;
    if (running >= MOST_RUNNING) socket.pause();
    receive(state, kept, String(data))
      .catch((error) => {
        state.service.log.error('a message of a WebSocket could not be dealt with', { error });
      })
      .finally(() => {
        running--;
        if (socket.isPaused && socket.readyState === socket.OPEN) socket.resume();
      });
  });
  socket.on('ping', () => state.runtime.connections.touch(kept));
  // What goes wrong closes the connection.
  socket.on('error', (error) => state.service.log.debug('a WebSocket failed', { id, error }));
  socket.on('close', (code, reason) => {
    leave(state, kept, code, String(reason)).catch((error) => {
      state.service.log.error('the end of a WebSocket could not be dealt with', { error });
    });
  });
}

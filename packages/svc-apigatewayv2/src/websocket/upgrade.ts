import {
  type DataPlaneRequest,
  type DataPlaneResponse,
  type Principal,
  restApis,
  type ServiceHandle,
  type UpgradableConnection,
} from '@emu/core/service';
import { type WebSocket, WebSocketServer } from 'ws';
import { authorizeSigner, signerOfRequest } from '../authorizers/iam.ts';
import { type LambdaContext, Refusal } from '../authorizers/verdict.ts';
import { addressOf } from '../http/exchange.ts';
import { CONNECTION_BURST, NEW_CONNECTIONS } from '../quotas.ts';
import type { CompiledStage } from '../runtime/compiled-stage.ts';
import type { Apigatewayv2State } from '../state.ts';
import { type SocketEntrance, socketEntrance } from './address.ts';
import { authorizeConnection } from './authorizer.ts';
import { CLOSE, type ConnectionFacts } from './connections.ts';
import { connectEvent, type EventSubject, handshakeMembers } from './events.ts';
import { SocketExecution } from './execution.ts';
import { FrameLengths, MAX_MESSAGE } from './frames.ts';
import { integrateEvent, type SocketAnswer } from './integrations.ts';
import { MessageQueue } from './message-queue.ts';
import { leave, receive } from './messages.ts';
import { measure } from './metrics.ts';
import { missingParameters } from './parameters.ts';

const CONNECT_ROUTE = '$connect';
/** WebSocket server of all APIs, without a listening port. */
const server = new WebSocketServer({
  noServer: true,
  maxPayload: MAX_MESSAGE,
  clientTracking: false,
  perMessageDeflate: false,
});

/** Close codes of the library by its errors. */
const FAILURES: Readonly<Record<string, number>> = {
  WS_ERR_INVALID_UTF8: 1007,
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: CLOSE.tooLarge,
};

const refusal = (status: number, message: string, facts: object = {}): DataPlaneResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message, ...facts }),
});

/**
 * Accepts a connection to a WebSocket API after its authorizer and `$connect` route allow it.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-overview.html
 */
export async function upgrade(
  request: DataPlaneRequest,
  connection: UpgradableConnection,
  handle: ServiceHandle<Apigatewayv2State>,
): Promise<DataPlaneResponse | 'taken' | undefined> {
  const entrance = socketEntrance(request, handle);
  return entrance && connectAt(request, connection, entrance);
}

/** Accepts a connection for the stage of its handshake. */
export async function connectAt(
  request: DataPlaneRequest,
  connection: UpgradableConnection,
  { state, stage, domainName }: SocketEntrance,
): Promise<DataPlaneResponse | 'taken'> {
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
  const subject = { ...facts, id, connectedAt };
  const members = handshakeMembers(request, stage.variables);
  const event = connectEvent(state, subject, members, undefined);
  const execution = new SocketExecution(state, stage, event, request.requestId);
  try {
    const answer = await connect(request, state, stage, subject, execution, facts);
    execution.status = answer.status;
    if (answer.status >= 200 && answer.status <= 299) {
      open(connection, answer, (socket) => attend(state, socket, connection, id, facts, connectedAt));
      return 'taken';
    }
    return { ...refusal(answer.status, ''), body: answer.body, headers: { 'content-type': 'application/json' } };
  } catch (error) {
    return refused(error, state, facts, execution, { connectionId: id, requestId: request.requestId });
  } finally {
    execution.end();
  }
}

/** Returns the response to a rejected client, or after a failed integration. */
function refused(
  error: unknown,
  state: Apigatewayv2State,
  facts: ConnectionFacts,
  execution: SocketExecution,
  ids: object,
): DataPlaneResponse {
  if (error instanceof Refusal) {
    measure(state, facts, 'ClientError');
    execution.fail(error.status, error.message, error.responseType, error.reason);
    return refusal(error.status, error.message, ids);
  }
  if (!(error instanceof FailedIntegration))
    state.service.log.warn('the $connect route of a WebSocket API failed', { apiId: facts.apiId, error });
  measure(state, facts, 'ExecutionError');
  const { error: reason } = execution.integration;
  execution.fail(502, 'Internal server error', 'INTEGRATION_FAILURE', reason);
  return refusal(502, 'Internal server error', ids);
}

/** The integration of `$connect` failed. */
class FailedIntegration extends Error {
  override readonly name = 'FailedIntegration';
}

/**
 * Counts a new connection towards the account's rate.
 * @returns false if the rate is enforced and exceeded
 */
function takeConnection({ service, accountId, region, runtime, clock }: Apigatewayv2State): boolean {
  const rate = service.quotaLimit(NEW_CONNECTIONS, accountId, region);
  if (rate === Number.POSITIVE_INFINITY) return true;
  return runtime.throttles.take('connections', 1, rate, Math.min(rate, CONNECTION_BURST), clock.now());
}

/**
 * Runs the authorizer and the integration of `$connect`.
 * @throws Refusal; FailedIntegration and others after a failure
 */
async function connect(
  request: DataPlaneRequest,
  state: Apigatewayv2State,
  stage: CompiledStage,
  subject: EventSubject,
  execution: SocketExecution,
  facts: { authorizer: LambdaContext | undefined },
): Promise<SocketAnswer> {
  const ok = { status: 200, body: '', headers: {} };
  const route = stage.messageRoute(CONNECT_ROUTE);
  if (!route) return ok;
  const { members, requestId } = execution.event;
  const caller =
    route.AuthorizationType === 'AWS_IAM' ? await checkSignature(request, state, stage, execution) : undefined;
  if (route.AuthorizationType === 'CUSTOM')
    facts.authorizer = await authorizeConnection(request, state, stage, route, execution);
  const known = { ...subject, authorizer: facts.authorizer };
  execution.event = connectEvent(state, known, members, caller, requestId);
  if (route.ApiKeyRequired) await checkKey(state, stage, execution, facts.authorizer);
  const missing = missingParameters(route, execution.event, stage);
  if (missing.length > 0)
    throw new Refusal(400, 'BAD_REQUEST_PARAMETERS', `Missing required request parameters: [${missing.join(', ')}]`);
  const integration = stage.integrationOf(route);
  if (!integration) return ok;
  const answer = await integrateEvent(state, stage, integration, execution, request.requestId);
  if (!answer) throw new FailedIntegration();
  return answer;
}

/**
 * Checks the signature of the handshake, evaluates the signer's policies and records the outcome.
 * @throws Refusal
 */
async function checkSignature(
  request: DataPlaneRequest,
  state: Apigatewayv2State,
  { api, name }: CompiledStage,
  { authenticate, authorize }: SocketExecution,
): Promise<Principal> {
  const began = state.clock.now();
  const note = (step: typeof authenticate, error: unknown): never => {
    if (error instanceof Refusal) Object.assign(step, { status: error.status, error: error.reason });
    throw error;
  };
  Object.assign(authenticate, { latency: 0, status: 200 });
  const signer = await signerOfRequest(request, state).catch((error: unknown) => note(authenticate, error));
  const resource = `${api.ApiId}/${name}/${CONNECT_ROUTE}`;
  try {
    await authorizeSigner(signer, resource, state, request.requestId);
    authorize.status = 200;
    return signer;
  } catch (error) {
    return note(authorize, error);
  } finally {
    authorize.latency = state.clock.now() - began;
  }
}

/**
 * Rejects connections without an API key in a usage plan for the stage.
 * @throws Refusal
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/websocket-api-control-access-api-keys.html
 */
async function checkKey(
  state: Apigatewayv2State,
  { api, name }: CompiledStage,
  execution: SocketExecution,
  authorizer: LambdaContext | undefined,
): Promise<void> {
  const { accountId, region } = state;
  const headers = Object.entries(execution.event.members.headers as Readonly<Record<string, string>>);
  const value =
    api.ApiKeySelectionExpression === '$context.authorizer.usageIdentifierKey'
      ? authorizer?.usageIdentifierKey
      : headers.find(([header]) => header.toLowerCase() === 'x-api-key')?.[1];
  const keys = await state.service.capability(restApis);
  const stage = { accountId, region, apiId: api.ApiId, stage: name };
  const { keyId, refused } = keys?.admitKey(stage, value) ?? { refused: 'forbidden' };
  const identity = execution.event.context.identity as Record<string, unknown>;
  if (keyId !== undefined) Object.assign(identity, { apiKey: value, apiKeyId: keyId });
  if (refused === 'forbidden') throw new Refusal(403, 'INVALID_API_KEY', 'the API key is invalid');
  if (refused === 'throttled') throw new Refusal(429, 'THROTTLED', 'the rate of the usage plan is used up');
  if (refused) throw new Refusal(429, 'QUOTA_EXCEEDED', 'the quota of the usage plan is used up');
}

/** Completes the handshake with the integration's subprotocol. */
function open(
  { incoming, socket, head }: UpgradableConnection,
  answer: SocketAnswer,
  opened: (socket: WebSocket) => void,
): void {
  const protocol = answer.headers['sec-websocket-protocol'];
  // The library chooses the client's first subprotocol, so only the integration's choice is left in the header.
  if (protocol === undefined) delete incoming.headers['sec-websocket-protocol'];
  else if (incoming.headers['sec-websocket-protocol'] !== undefined)
    incoming.headers['sec-websocket-protocol'] = protocol;
  server.handleUpgrade(incoming, socket, head, opened);
}

/** Processes messages and the end of an open connection. */
function attend(
  state: Apigatewayv2State,
  socket: WebSocket,
  { socket: stream, admit }: UpgradableConnection,
  id: string,
  facts: ConnectionFacts,
  connectedAt: number,
): void {
  const kept = state.runtime.connections.add(id, socket, facts, connectedAt);
  const lengths = new FrameLengths();
  let received = 0;
  /** Number of messages to process; later ones are discarded. */
  let accepted = Number.POSITIVE_INFINITY;
  /** Close code sent by the server, which the client need not repeat. */
  let own: number | undefined;
  const end = (code: number, reason: string, after: number): void => {
    accepted = after;
    own = code;
    socket.close(code, reason);
  };
  const messages = new MessageQueue(socket, stream, admit, (message) =>
    receive(state, kept, message).catch((error) => {
      state.service.log.error('a WebSocket message could not be processed', { error });
    }),
  );
  // Before the library, which passes on a message as soon as its last bytes arrive.
  stream.prependListener('data', (bytes: Uint8Array) => {
    if (own === undefined && lengths.exceeds(bytes)) end(CLOSE.tooLarge, 'Message too long', lengths.messages);
  });
  socket.on('message', (data, binary) => {
    if (++received > accepted) return;
    if (binary) end(CLOSE.unsupported, 'Binary messages are not supported', received);
    else messages.add(String(data));
  });
  socket.on('ping', () => state.runtime.connections.touch(kept));
  // The error closes the connection.
  socket.on('error', (error) => {
    own ??= FAILURES[(error as NodeJS.ErrnoException).code ?? ''];
    state.service.log.debug('a WebSocket failed', { id, error });
  });
  socket.on('close', (code, reason) => {
    messages.end(() => {
      leave(state, kept, own ?? code, String(reason)).catch((error) => {
        state.service.log.error('the end of a WebSocket connection could not be processed', { error });
      });
    });
  });
}

import { takeFromAccount } from '@emu/apigateway-common';
import type { WebSocket } from 'ws';
import type { RouteRecord } from '../records.ts';
import type { CompiledStage } from '../runtime/compiled-stage.ts';
import type { Apigatewayv2State } from '../state.ts';
import type { Connection } from './connections.ts';
import { disconnectEvent, messageEvent, newEventId } from './events.ts';
import { SocketExecution } from './execution.ts';
import { integrateEvent, type SocketAnswer } from './integrations.ts';
import { measure } from './metrics.ts';
import { problemOf } from './models.ts';
import { keyOfMessage } from './selection.ts';

const DEFAULT_ROUTE = '$default';
const DISCONNECT_ROUTE = '$disconnect';

function routeOf(stage: CompiledStage, message: string): RouteRecord | undefined {
  const key = keyOfMessage(stage.configuration.routeSelectionExpression, message);
  const named = key === undefined || key.startsWith('$') ? undefined : stage.messageRoute(key);
  return named ?? stage.messageRoute(DEFAULT_ROUTE);
}

/** Sends a client the error for a message that could not be processed. */
function refuse(socket: WebSocket, message: string, connection: Connection, requestId: string): void {
  socket.send(JSON.stringify({ message, connectionId: connection.id, requestId }));
}

/** Whether a route sends responses: it is configured to and has a route response. */
function answers(stage: CompiledStage, { RouteId, RouteResponseSelectionExpression }: RouteRecord): boolean {
  const responses = stage.configuration.routeResponses[RouteId] ?? [];
  return RouteResponseSelectionExpression === DEFAULT_ROUTE && responses.length > 0;
}

/** Processes a client message. */
export async function receive(state: Apigatewayv2State, connection: Connection, message: string): Promise<void> {
  const { apiId, socket } = connection;
  state.runtime.connections.touch(connection);
  const stage = state.runtime.stage(apiId, connection.stage);
  const route = stage && routeOf(stage, message);
  const integration = route && stage.integrationOf(route);
  if (!stage || !route || !integration) {
    refuse(socket, 'Forbidden', connection, newEventId(state));
    return;
  }
  const event = messageEvent(state, connection, route.RouteKey, message, stage.variables);
  const execution = new SocketExecution(state, stage, event, connection.cause);
  try {
    await deal(state, stage, route, connection, execution);
  } finally {
    execution.end();
  }
}

/** Validates a message and calls its integration. */
async function deal(
  state: Apigatewayv2State,
  stage: CompiledStage,
  route: RouteRecord,
  connection: Connection,
  execution: SocketExecution,
): Promise<void> {
  const { apiId, socket } = connection;
  const { throttles } = state.runtime;
  const { requestId, body } = execution.event;
  const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = stage.settingsOf(route.RouteKey);
  const key = `${apiId}/${stage.name}/${route.RouteKey}`;
  const refused =
    !takeFromAccount(throttles, state.service, state) ||
    (rate !== undefined && !throttles.take(key, 1, rate, burst ?? rate, state.clock.now()));
  if (refused) {
    execution.fail(429, 'Too Many Requests', 'THROTTLED');
    refuse(socket, 'Too Many Requests', connection, requestId);
    return;
  }
  const problem = await problemOf(stage, route, body);
  if (problem !== undefined) {
    execution.fail(400, 'Bad request body', 'BAD_REQUEST_BODY', `invalid request body: ${problem}`, problem);
    measure(state, connection, 'ClientError');
    refuse(socket, 'Bad request body', connection, requestId);
    return;
  }
  const answer = await run(state, stage, route, execution, connection);
  measure(state, connection, answer === undefined ? 'ExecutionError' : 'MessageCount');
  const { latency } = execution.integration;
  if (latency !== undefined) measure(state, connection, 'IntegrationLatency', latency);
  if (!answer || answer.status >= 500) {
    execution.fail(500, 'Internal server error', 'INTEGRATION_FAILURE', execution.integration.error);
    refuse(socket, 'Internal server error', connection, requestId);
    return;
  }
  execution.status = answer.status;
  if (answers(stage, route) && answer.body !== '') socket.send(answer.body);
}

/** Processes the end of a connection in the background. */
export async function leave(
  state: Apigatewayv2State,
  connection: Connection,
  code: number,
  reason: string,
): Promise<void> {
  if (!state.runtime.connections.remove(connection.id)) return;
  const stage = state.runtime.stage(connection.apiId, connection.stage);
  const route = stage?.messageRoute(DISCONNECT_ROUTE);
  if (!stage || !route) return;
  const event = disconnectEvent(state, connection, code, reason, stage.variables);
  const execution = new SocketExecution(state, stage, event, connection.cause);
  const answer = await run(state, stage, route, execution, connection);
  if (answer) execution.status = answer.status;
  else execution.fail(500, 'Internal server error', 'INTEGRATION_FAILURE', execution.integration.error);
  execution.end();
}

/** Calls a route's integration with an event; undefined if it failed, which is logged. */
async function run(
  state: Apigatewayv2State,
  stage: CompiledStage,
  route: RouteRecord,
  execution: SocketExecution,
  { apiId, cause }: Connection,
): Promise<SocketAnswer | undefined> {
  const integration = stage.integrationOf(route);
  if (!integration) return undefined;
  try {
    return await integrateEvent(state, stage, integration, execution, cause);
  } catch (error) {
    state.service.log.warn('an integration of a WebSocket API failed', { apiId, routeKey: route.RouteKey, error });
    return undefined;
  }
}

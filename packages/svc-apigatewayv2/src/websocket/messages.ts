import { findByPath, takeFromAccount } from '@emu/apigateway-common';
import type { WebSocket } from 'ws';
import type { RouteRecord } from '../records.ts';
import type { CompiledStage } from '../runtime/compiled-stage.ts';
import type { Apigatewayv2State } from '../state.ts';
import type { Connection } from './connections.ts';
import { disconnectEvent, messageEvent, newEventId, type SocketEvent } from './events.ts';
import { integrateEvent, type SocketAnswer } from './integrations.ts';
import { measure } from './metrics.ts';

const DEFAULT_ROUTE = '$default';
const DISCONNECT_ROUTE = '$disconnect';

/**
 * The key that a message names by the API's route selection expression.
 * @param expression e.g. `$request.body.action` or `${request.body.action}`
 * @returns undefined for what names none
 */
export function routeKeyOf(expression: string, message: string): string | undefined {
  const path = /^\$\{?request\.body\.([^}]+)\}?$/.exec(expression)?.[1];
  if (path === undefined) return undefined;
  try {
    const value = findByPath(JSON.parse(message), `$.${path}`);
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined;
  } catch {
    return undefined;
  }
}

function routeOf(stage: CompiledStage, message: string): RouteRecord | undefined {
  const key = routeKeyOf(stage.configuration.routeSelectionExpression, message);
  const named = key === undefined || key.startsWith('$') ? undefined : stage.messageRoute(key);
  return named ?? stage.messageRoute(DEFAULT_ROUTE);
}

/** What a client is told whose message could not be dealt with. */
function refuse(socket: WebSocket, message: string, connection: Connection, requestId: string): void {
  socket.send(JSON.stringify({ message, connectionId: connection.id, requestId }));
}

/** Whether a route answers: it says so, and has a response. */
function answers(stage: CompiledStage, { RouteId, RouteResponseSelectionExpression }: RouteRecord): boolean {
  const responses = stage.configuration.routeResponses[RouteId] ?? [];
  return RouteResponseSelectionExpression === DEFAULT_ROUTE && responses.length > 0;
}

/** Deals with a message of a client. */
export async function receive(state: Apigatewayv2State, connection: Connection, message: string): Promise<void> {
  const { apiId, socket } = connection;
  const { connections, throttles } = state.runtime;
  connections.touch(connection);
  const stage = state.runtime.stage(apiId, connection.stage);
  const route = stage && routeOf(stage, message);
  const integration = route && stage.integrationOf(route);
  if (!stage || !route || !integration) {
    refuse(socket, 'Forbidden', connection, newEventId(state));
    return;
  }
  const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = stage.settingsOf(route.RouteKey);
  const event = messageEvent(state, connection, route.RouteKey, message, stage.variables);
  const refused =
    !takeFromAccount(throttles, state.service, state) ||
    (rate !== undefined &&
      !throttles.take(`${apiId}/${stage.name}/${route.RouteKey}`, 1, rate, burst ?? rate, state.clock.now()));
  if (refused) {
    refuse(socket, 'Too Many Requests', connection, event.requestId);
    return;
  }
  const answer = await run(state, stage, route, event, connection);
  measure(state, connection, answer === undefined ? 'ExecutionError' : 'MessageCount');
  if (!answer || answer.status >= 500) refuse(socket, 'Internal server error', connection, event.requestId);
  else if (answers(stage, route) && answer.body !== '') socket.send(answer.body);
}

/** Deals with the end of a connection; nobody waits for what comes of it. */
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
  await run(state, stage, route, disconnectEvent(state, connection, code, reason, stage.variables), connection);
}

/** Has a route's integration deal with an event; undefined where it failed, which is logged. */
async function run(
  state: Apigatewayv2State,
  stage: CompiledStage,
  route: RouteRecord,
  event: SocketEvent,
  { apiId, cause }: Connection,
): Promise<SocketAnswer | undefined> {
  const integration = stage.integrationOf(route);
  if (!integration) return undefined;
  try {
    return await integrateEvent(state, stage, integration, event, cause);
  } catch (error) {
    state.service.log.warn('an integration of a WebSocket API failed', { apiId, routeKey: route.RouteKey, error });
    return undefined;
  }
}

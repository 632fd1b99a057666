import { callFunction, contextValue, Fields, functionOfUri } from '@emu/apigateway-common';
import type { DataPlaneRequest } from '@emu/core/service';
import { lets, verdictOf } from '../authorizers/answer.ts';
import { forbidden, type LambdaContext, Refusal, unauthorized, undecided } from '../authorizers/verdict.ts';
import { addressOf } from '../http/exchange.ts';
import { withTimeout } from '../http/timeout.ts';
import type { RouteRecord } from '../records.ts';
import { executionArn } from '../resources.ts';
import type { CompiledStage } from '../runtime/compiled-stage.ts';
import type { Apigatewayv2State } from '../state.ts';
import type { SocketExecution } from './execution.ts';

/** Timeout of an authorizer in milliseconds. */
const TIMEOUT = 10_000;

/** Returns the value of an identity source in a handshake, for example `route.request.header.Auth`. */
function identityOf(
  source: string,
  headers: Fields,
  query: Fields,
  variables: Readonly<Record<string, string>>,
  context: Readonly<Record<string, unknown>>,
): string | undefined {
  const parts = source.split('.');
  if (parts[0] === 'stageVariables') return variables[parts[1]!];
  if (parts[0] === 'context') {
    const value = contextValue(context, parts.slice(1).join('.'));
    return value === undefined ? undefined : String(value);
  }
  return (parts[2] === 'header' ? headers : query).get(parts.slice(3).join('.'));
}

/**
 * Authorizes a connection with the authorizer of `$connect`.
 * @throws Refusal; no other errors
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-websocket-api-lambda-auth.html
 */
export async function authorizeConnection(
  request: DataPlaneRequest,
  state: Apigatewayv2State,
  stage: CompiledStage,
  route: RouteRecord,
  execution: SocketExecution,
): Promise<LambdaContext> {
  const authorizer = stage.authorizerOf(route);
  const functionArn = authorizer && functionOfUri(authorizer.AuthorizerUri ?? '', stage.variables);
  if (!authorizer || functionArn === undefined) throw undecided('The route has no authorizer');
  const { context, members } = execution.event;
  const [headers, query] = [Fields.ofRequest(request), Fields.ofQuery(request.query)];
  for (const source of authorizer.IdentitySource)
    if (!identityOf(source, headers, query, stage.variables, context))
      throw unauthorized('an identity source is missing');
  const methodArn = executionArn(`${stage.api.ApiId}/${stage.name}/$connect`, state);
  const event = { type: 'REQUEST', methodArn, ...members, requestContext: context };
  const began = state.clock.now();
  const { authorizer: notes } = execution;
  const requestId = state.ids.uuid();
  notes.requestId = requestId;
  try {
    const answer = await withTimeout(state.clock, TIMEOUT, request.signal, (signal) =>
      callFunction(state.scope, {
        functionArn,
        accountId: state.accountId,
        sourceArn: executionArn(`${stage.api.ApiId}/authorizers/${authorizer.AuthorizerId}`, state),
        role: authorizer.AuthorizerCredentialsArn,
        payload: JSON.stringify(event),
        cause: request.requestId,
        requestId,
        signal,
      }),
    );
    notes.integrationStatus = 200;
    if (answer.failed) throw undecided(`The authorizer failed: ${answer.payload}`);
    const verdict = verdictOf(answer.payload, false);
    const { accountId, region } = state;
    if (!lets(verdict, { resource: methodArn, accountId, region, sourceIp: addressOf(request.remoteAddress) }))
      throw forbidden('The authorizer does not allow this connection');
    notes.status = 200;
    return verdict.context;
  } catch (error) {
    const refusal =
      error instanceof Refusal ? error : undecided(error instanceof Error ? error.message : String(error));
    Object.assign(notes, { status: refusal.status, error: refusal.reason });
    throw refusal;
  } finally {
    notes.latency = state.clock.now() - began;
    notes.integrationLatency = notes.latency;
  }
}

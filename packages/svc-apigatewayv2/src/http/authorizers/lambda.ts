import { callFunction, functionOfUri } from '@emu/apigateway-common';
import { lets, verdictOf } from '../../authorizers/answer.ts';
import {
  type AuthorizerVerdict,
  forbidden,
  type LambdaContext,
  Refusal,
  unauthorized,
  undecided,
} from '../../authorizers/verdict.ts';
import type { AuthorizerRecord } from '../../records.ts';
import { executionArn } from '../../resources.ts';
import { requestV1, resourceOf } from '../event-v1.ts';
import { requestV2 } from '../event-v2.ts';
import type { HttpExchange } from '../exchange.ts';
import { withTimeout } from '../timeout.ts';
import { identityValues } from './identity.ts';

/** Timeout of an authorizer in milliseconds. */
const TIMEOUT = 10_000;

/**
 * Authorizes a request with a Lambda authorizer or its cached verdict.
 * @throws Refusal; no other errors
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-lambda-authorizer.html
 */
export async function authorizeByFunction(
  exchange: HttpExchange,
  authorizer: AuthorizerRecord,
): Promise<LambdaContext> {
  const { state, stage } = exchange;
  const { AuthorizerId, AuthorizerResultTtlInSeconds: ttl = 0, IdentitySource } = authorizer;
  const identity = identityValues(exchange, IdentitySource);
  if (identity.some((value) => !value)) throw unauthorized('an identity source is missing');
  const key = `${stage.api.ApiId}/${stage.name}/${AuthorizerId}/${JSON.stringify(identity)}`;
  const { verdicts } = state.runtime;
  let verdict = ttl > 0 ? verdicts.get(key, state.clock.now()) : undefined;
  if (!verdict) {
    verdict = await ask(exchange, authorizer, identity as string[]);
    verdicts.put(key, verdict, state.clock.now(), ttl * 1000);
  }
  const { accountId, region } = state;
  const question = {
    resource: executionArn(exchange.executionPath, state),
    accountId,
    region,
    sourceIp: exchange.sourceIp,
  };
  if (!lets(verdict, question)) throw forbidden('The authorizer does not allow this request');
  return verdict.context;
}

async function ask(
  exchange: HttpExchange,
  authorizer: AuthorizerRecord,
  identity: readonly string[],
): Promise<AuthorizerVerdict> {
  const { state, stage, traceHeader } = exchange;
  const { AuthorizerUri = '', AuthorizerCredentialsArn: role, EnableSimpleResponses: simple = false } = authorizer;
  const functionArn = functionOfUri(AuthorizerUri, stage.variables);
  if (functionArn === undefined) throw undecided('The authorizer has no function');
  try {
    const answer = await withTimeout(state.clock, TIMEOUT, exchange.request.signal, (signal) =>
      callFunction(state.scope, {
        functionArn,
        accountId: state.accountId,
        sourceArn: executionArn(`${stage.api.ApiId}/authorizers/${authorizer.AuthorizerId}`, state),
        role,
        payload: JSON.stringify(eventOf(exchange, authorizer, identity)),
        traceHeader,
        cause: exchange.request.requestId,
        signal,
      }),
    );
    if (answer.failed) throw undecided(`The authorizer failed: ${answer.payload}`);
    return verdictOf(answer.payload, simple);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw undecided(error instanceof Error ? error.message : String(error));
  }
}

/** Returns the authorizer event of a request, without its body. */
function eventOf(exchange: HttpExchange, authorizer: AuthorizerRecord, identity: readonly string[]): object {
  const arn = executionArn(exchange.executionPath, exchange.state);
  if (authorizer.AuthorizerPayloadFormatVersion === '2.0') {
    const request = requestV2(exchange);
    return { version: '2.0', type: 'REQUEST', routeArn: arn, identitySource: identity, ...request };
  }
  const { body: _body, isBase64Encoded: _encoded, ...request } = requestV1(exchange);
  const source = identity.join(',');
  return {
    version: '1.0',
    type: 'REQUEST',
    methodArn: arn,
    identitySource: source,
    authorizationToken: source,
    ...request,
    resource: resourceOf(exchange.match!.route.RouteKey),
  };
}

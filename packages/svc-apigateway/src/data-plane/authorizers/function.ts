import { callFunction, Fields, functionOfUri, invocationUrl, masked } from '@emu/apigateway-common';
import { RegexError, WholeRegex } from '@emu/core/regex';
import type { DeepReadonly } from '@emu/core/service';
import { AwsError, asString } from '@emu/wire';
import type { AuthorizerRecord } from '../../records.ts';
import type { Call } from '../call.ts';
import { eventHeaders } from '../event-headers.ts';
import { accessDenied, authorizerFault, GatewayFault, unauthorized } from '../fault.ts';
import { jsonOf, sharedValue } from '../mapping.ts';
import { verdictOf } from './policy.ts';
import type { AuthorizerResult } from './result.ts';

const DEFAULT_TTL = 300;
const NOT_AUTHORIZED = 'User is not authorized to access this resource';

/** Lambda failed or was busy, so the caller is unknown. */
const undecided = (log: string): GatewayFault =>
  new GatewayFault('AUTHORIZER_FAILURE', null, 'AuthorizerFailureException', {
    log: `Execution failed due to an internal error: ${log}`,
  });

/** Returns the error for a client if Lambda refuses to run the authorizer function. */
function refusal({ code, message, status }: AwsError): GatewayFault {
  const busy = code === 'TooManyRequestsException' || (status ?? 0) >= 500;
  return busy ? undecided(message) : authorizerFault(message);
}

/** Returns the value of an identity source in a request. */
function identityValue(call: Call, source: string): string | undefined {
  const [, place, name = ''] =
    /^method\.request\.(header|querystring|multivaluequerystring)\.(.+)$/.exec(source.trim()) ?? [];
  const { headers, query } = call.request;
  if (place === 'header') return headers.get(name);
  if (place !== undefined) return query.get(name);
  return sharedValue(call, source.trim());
}

/**
 * Returns the event of an authorizer.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-input.html
 */
function eventOf(call: Call, { type }: DeepReadonly<AuthorizerRecord>, token: string): object {
  const { methodArn, request, resource, pathParameters, stage, context } = call;
  if (type === 'TOKEN') return { type, methodArn, authorizationToken: token };
  const { requestOverride, responseOverride, isCanaryRequest, xrayTraceId, ...shown } = context;
  const headers = eventHeaders(call);
  return {
    type,
    methodArn,
    resource: resource.path,
    path: request.path,
    httpMethod: request.method,
    headers: headers.last(),
    multiValueHeaders: headers.lists(),
    queryStringParameters: request.query.last(),
    multiValueQueryStringParameters: request.query.lists(),
    pathParameters: { ...pathParameters },
    stageVariables: { ...stage.variables },
    requestContext: { ...shown, resourceId: resource.id, resourcePath: resource.path },
  };
}

/** Returns the context values of an authorizer response; undefined if one is invalid. */
function contextOf(given: unknown): Record<string, string> | undefined {
  if (given === undefined || given === null) return {};
  if (typeof given !== 'object' || Array.isArray(given)) return undefined;
  const context: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'object' && value !== null) return undefined;
    if (value !== null && value !== undefined) context[name] = String(value);
  }
  return context;
}

/** Whether the policy of an authorizer response has non-empty statements. */
function isPolicy({ Statement: given }: { Statement?: unknown }): boolean {
  const statements = [given].flat() as (Record<string, unknown> | null | undefined)[];
  return statements.every((one) => {
    if (typeof one !== 'object' || one === null) return false;
    const { Effect, Action, NotAction, Resource, NotResource } = one;
    return (Effect === 'Allow' || Effect === 'Deny') && (Action ?? NotAction) && (Resource ?? NotResource);
  });
}

/**
 * Parses an authorizer response.
 * @throws GatewayFault if it is invalid
 */
function resultOf(payload: string): AuthorizerResult {
  const answer = jsonOf(payload) as Record<string, unknown> | undefined;
  const { principalId, policyDocument, context, usageIdentifierKey } = answer ?? {};
  const values = contextOf(context);
  if (typeof principalId !== 'string' || typeof policyDocument !== 'object' || policyDocument === null || !values)
    throw authorizerFault('Invalid JSON in response of the authorizer');
  if (!isPolicy(policyDocument)) throw authorizerFault(`Invalid policy document: ${payload}`);
  return {
    principalId,
    policy: JSON.stringify(policyDocument),
    context: values,
    usageIdentifierKey: asString(usageIdentifierKey),
  };
}

/**
 * Invokes an authorizer function.
 * @throws GatewayFault if it denies access or fails
 */
export async function askAuthorizer(
  call: Call,
  authorizer: DeepReadonly<AuthorizerRecord>,
  token: string,
): Promise<AuthorizerResult> {
  const { state, apiId, stage, request, trace } = call;
  const functionArn = functionOfUri(authorizer.authorizerUri ?? '', stage.variables);
  if (!functionArn) throw authorizerFault('Invalid authorizer URI');
  const payload = JSON.stringify(eventOf(call, authorizer, token));
  const { log } = call;
  log.add(() => `Starting authorizer: ${authorizer.id} for request: ${request.requestId}`);
  log.add(() => `Incoming identity: ${masked(token)}`);
  const headers = Fields.headers([['X-Amzn-Trace-Id', trace]]);
  log.request(invocationUrl(authorizer.authorizerUri ?? '', state.region), headers, payload);
  const { authorizer: notes } = call.notes;
  const started = state.clock.now();
  const requestId = state.ids.uuid();
  notes.requestId = requestId;
  try {
    const answer = await callFunction(state.scope, {
      functionArn,
      accountId: state.accountId,
      sourceArn: authorizerArn(call, authorizer.id),
      role: authorizer.authorizerCredentials,
      payload,
      traceHeader: trace,
      cause: request.requestId,
      requestId,
      signal: request.signal,
    });
    notes.integrationStatus = 200;
    log.data(() => `Authorizer result body before parsing: ${answer.payload}`);
    if (!answer.failed) {
      const result = resultOf(answer.payload);
      log.add(() => `Using valid authorizer policy for principal: ${masked(result.principalId)}`);
      log.add(() => 'Successfully completed authorizer execution');
      return result;
    }
    const { errorMessage } = (jsonOf(answer.payload) ?? {}) as { errorMessage?: unknown };
    if (errorMessage === 'Unauthorized') {
      log.add(() => `Unauthorized request: ${request.requestId}`, true);
      throw unauthorized();
    }
    throw authorizerFault(`the authorizer of ${apiId} failed: ${String(errorMessage)}`);
  } catch (error) {
    notes.error = error instanceof GatewayFault ? (error.details.log ?? error.message) : String(error);
    if (error instanceof AwsError) throw refusal(error);
    throw error;
  } finally {
    notes.integrationLatency = state.clock.now() - started;
  }
}

const authorizerArn = ({ state, apiId, sourceArn }: Call, id: string): string =>
  `${sourceArn.slice(0, sourceArn.indexOf(`:${state.accountId}:`))}:${state.accountId}:${apiId}/authorizers/${id}`;

/** @throws GatewayFault if the expression cannot be used, or the token is too long for it */
function matches(expression: string, token: string): boolean {
  try {
    return new WholeRegex(expression).test(token);
  } catch (error) {
    if (error instanceof RegexError) throw authorizerFault(error.message);
    throw error;
  }
}

/**
 * Returns the caller's identity for an authorizer.
 * @throws GatewayFault `UNAUTHORIZED` if an identity source is missing
 */
export function identityOf(call: Call, authorizer: DeepReadonly<AuthorizerRecord>): { key: string; token: string } {
  const { identitySource, identityValidationExpression: expression, type } = authorizer;
  const sources = (identitySource ?? '').split(',').filter((one) => one.trim() !== '');
  const values = sources.map((source) => identityValue(call, source));
  if (values.some((value) => !value)) throw unauthorized();
  const token = values[0] ?? '';
  if (type === 'TOKEN' && expression && !matches(expression, token)) throw unauthorized();
  return { key: values.join('\n'), token };
}

/**
 * Authorizes a caller with a Lambda authorizer; results are cached.
 * @throws GatewayFault if the caller is denied or the authorizer fails
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-use-lambda-authorizer.html
 */
export async function authorizeByFunction(call: Call, authorizer: DeepReadonly<AuthorizerRecord>): Promise<void> {
  const { state, apiId, stage } = call;
  const life = (authorizer.authorizerResultTtlInSeconds ?? DEFAULT_TTL) * 1000;
  // Without a cache, the authorizer is also invoked for requests without identity sources.
  const needed = authorizer.type === 'TOKEN' || life > 0;
  const { key, token } = needed ? identityOf(call, authorizer) : { key: '', token: '' };
  const place = `${apiId}/${stage.name}/${authorizer.id}/${key}`;
  let result = life > 0 ? state.authorizerResults.get(place, state.clock.now()) : undefined;
  if (!result) {
    result = await askAuthorizer(call, authorizer, token);
    state.authorizerResults.put(place, result, state.clock.now(), life);
  }
  const { integrationLatency = 0 } = call.notes.authorizer;
  call.context.authorizer = { ...result.context, principalId: result.principalId, integrationLatency };
  call.apiKey = result.usageIdentifierKey;
  const verdict = verdictOf(call, result.policy);
  if (verdict !== 'allowed')
    throw accessDenied(verdict === 'explicitDeny' ? `${NOT_AUTHORIZED} with an explicit deny` : NOT_AUTHORIZED);
}

/** Returns headers for a test of an authorizer. */
export const testHeaders = (
  single: Readonly<Record<string, string>> = {},
  multi: Readonly<Record<string, readonly string[]>> = {},
): Fields => {
  const headers = Fields.headers(Object.entries(single));
  for (const [name, values] of Object.entries(multi)) headers.set(name, ...values);
  return headers;
};

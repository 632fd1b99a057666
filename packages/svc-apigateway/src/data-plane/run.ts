import { Fields, functionOfUri, javaMap, masked, withoutSecrets } from '@emu/apigateway-common';
import { parseArn } from '@emu/core/service';
import { STATUSES } from '../apis/gateway-response.ts';
import { faultAnswer } from './answers.ts';
import { authorizeByFunction } from './authorizers/function.ts';
import { authorizeByIam, checkDomainPolicy, checkResourcePolicy, verifySigner } from './authorizers/iam.ts';
import { authorizeByUserPool } from './authorizers/user-pools.ts';
import type { Call, CallAnswer } from './call.ts';
import { authorizerFault, configurationFault, GatewayFault, missingToken } from './fault.ts';
import { callService } from './integrations/aws.ts';
import { callMappedFunction, callProxyFunction } from './integrations/function.ts';
import { callHttp } from './integrations/http.ts';
import { callMock } from './integrations/mock.ts';
import { type CachePlace, cachedAnswer, keepAnswer, placeOf } from './response-cache.ts';
import { routerOf } from './router.ts';
import { checkApiKey, checkRate } from './usage.ts';
import { validateRequest } from './validate.ts';

/**
 * Authorizes a call; returns a promise if that is asynchronous.
 * @throws GatewayFault
 */
function authorize(call: Call): Promise<void> | undefined {
  const isVerified = call.method.authorizationType === 'AWS_IAM' && call.request.verifySignature !== undefined;
  return isVerified ? verifySigner(call).then(() => authorizeCaller(call)) : authorizeCaller(call);
}

function authorizeCaller(call: Call): Promise<void> | undefined {
  const { method, definition, privateDomain } = call;
  if (privateDomain) checkDomainPolicy(call, privateDomain);
  if (definition.policy !== undefined) checkResourcePolicy(call, definition.policy);
  if (method.authorizationType === 'NONE') return undefined;
  if (method.authorizationType === 'AWS_IAM') return authorizeByIam(call);
  const authorizer = definition.authorizers.find(({ id }) => id === method.authorizerId);
  if (!authorizer) throw authorizerFault('The authorizer is not there');
  return recordAuthorizer(
    call,
    authorizer.type === 'COGNITO_USER_POOLS'
      ? authorizeByUserPool(call, authorizer)
      : authorizeByFunction(call, authorizer),
  );
}

/** Records duration and outcome of an authorizer. */
async function recordAuthorizer(
  { notes: { authorizer }, state: { clock } }: Call,
  running: Promise<void>,
): Promise<void> {
  const started = clock.now();
  try {
    await running;
    authorizer.status = 200;
  } catch (error) {
    if (error instanceof GatewayFault) {
      authorizer.status = Number(STATUSES[error.type] ?? 500);
      authorizer.error ??= error.message;
    }
    throw error;
  } finally {
    authorizer.latency = clock.now() - started;
  }
}

/**
 * Calls the integration of the method.
 * @throws GatewayFault
 */
function integrate(call: Call): CallAnswer | Promise<CallAnswer> {
  const { methodIntegration: integration } = call.method;
  if (!integration) throw configurationFault('No integration defined for method');
  switch (integration.type) {
    case 'MOCK':
      return callMock(call, integration);
    case 'HTTP':
    case 'HTTP_PROXY':
      return callHttp(call, integration);
    case 'AWS_PROXY':
      return callProxyFunction(call, integration);
    default:
      return isFunction(integration.uri) ? callMappedFunction(call, integration) : callService(call, integration);
  }
}

const isFunction = (uri: string | undefined): boolean =>
  uri !== undefined && parseArn(uri) !== undefined && functionOfUri(uri) !== undefined;

/**
 * Finds the method of a call.
 * @throws GatewayFault if there is none
 */
export function route(call: Call): void {
  const found = routerOf(call.definition).find(call.request.method, call.request.path);
  if (!found?.method) throw missingToken();
  call.enter(found.resource, found.method, found.pathParameters);
}

/** Returns the response from the stage's cache, or from the integration. */
async function cached(call: Call, place: CachePlace): Promise<CallAnswer> {
  const kept = cachedAnswer(call, place);
  call.cache = kept ? 'hit' : 'miss';
  const found = kept ?? (await integrate(call));
  if (!kept) keepAnswer(call, place, found);
  if (place.warning !== undefined) found.headers.set('Warning', place.warning);
  return found;
}

/**
 * Checks and logs the API key and its usage plan.
 * @throws GatewayFault
 */
function admit(call: Call): void {
  const { log, request, apiId, stage, method, resource } = call;
  const key = method.apiKeyRequired ? masked(call.apiKey ?? request.headers.get('x-api-key') ?? '') : '';
  const place = `${apiId}/${stage.name}`;
  log.add(() => `Verifying Usage Plan for request: ${request.requestId}. API Key: ${key} API Stage: ${place}`);
  if (!method.apiKeyRequired)
    log.add(
      () =>
        `API Key ${key} authorized because method '${method.httpMethod} ${resource.path}' does not require API Key. Request will not contribute to throttle or quota limits`,
    );
  checkApiKey(call);
  log.add(() => `Usage Plan check succeeded for API Key ${key} and API Stage ${place}`);
}

function logRequest({ log, request, pathParameters }: Call): void {
  log.add(() => `Starting execution for request: ${request.requestId}`);
  log.add(() => `HTTP Method: ${request.method}, Resource Path: ${request.path}`);
  log.data(() => `Method request path: ${javaMap(pathParameters)}`);
  log.data(() => `Method request query string: ${javaMap(request.query.last())}`);
  log.data(() => `Method request headers: ${javaMap(withoutSecrets(request.headers))}`);
  log.data(() => `Method request body before transformations: ${request.body.toString()}`);
}

/** Integration types whose responses include the trace header. */
const TRACED: ReadonlySet<string> = new Set(['AWS', 'AWS_PROXY', 'HTTP']);

/** Whether a response of the integration includes the trace header. */
export const includesTrace = ({ method }: Call): boolean => TRACED.has(method?.methodIntegration?.type ?? '');

/** Adds the trace header for clients of a stage. */
function tracedHeaders(call: Call, headers: Fields): Fields {
  if (!includesTrace(call)) return headers;
  const traced = Fields.headers([['X-Amzn-Trace-Id', call.trace]]);
  for (const [name, values] of headers.entries()) traced.set(name, ...values);
  return traced;
}

function logAnswer({ log }: Call, { status, headers, body, stream }: CallAnswer): void {
  if (!stream) log.data(() => `Method response body after transformations: ${body.toString()}`);
  log.data(() => `Method response headers: ${javaMap(headers.joined())}`);
  log.add(() => 'Successfully completed execution');
  log.add(() => `Method completed with status: ${status}`);
}

/**
 * Processes a call from request to response.
 * @param find finds the method first
 */
export async function run(call: Call, find?: (call: Call) => void): Promise<CallAnswer> {
  const { log, test } = call;
  try {
    find?.(call);
    if (!test) {
      log.add(() => `Extended Request Id: ${call.extendedRequestId}`);
      const asked = authorize(call);
      if (asked) await asked;
      admit(call);
      checkRate(call);
    }
    if (log.on) logRequest(call);
    const validating = validateRequest(call);
    if (validating) await validating;
    const place = placeOf(call);
    const answer = place ? cached(call, place) : integrate(call);
    const found = answer instanceof Promise ? await answer : answer;
    if (test) found.headers = tracedHeaders(call, found.headers);
    if (log.on) logAnswer(call, found);
    return found;
  } catch (error) {
    if (!(error instanceof GatewayFault)) throw error;
    const refused = await faultAnswer(call, error);
    // Recorded from AWS: errors of test invocations have no content type.
    if (test) refused.headers.delete('content-type');
    log.add(() => `Method completed with status: ${refused.status}`);
    return refused;
  }
}

import { functionOfUri } from '@emu/apigateway-common';
import { parseArn } from '@emu/core';
import { faultAnswer } from './answers.ts';
import { authorizeByFunction } from './authorizers/function.ts';
import { authorizeByIam, checkResourcePolicy } from './authorizers/iam.ts';
import { authorizeByUserPool } from './authorizers/user-pools.ts';
import type { Call, CallAnswer } from './call.ts';
import { configurationFault, GatewayFault, missingToken } from './fault.ts';
import { callService } from './integrations/aws.ts';
import { callMappedFunction, callProxyFunction } from './integrations/function.ts';
import { callHttp } from './integrations/http.ts';
import { callMock } from './integrations/mock.ts';
import { javaMap } from './log.ts';
import { cachedAnswer, keepAnswer, placeOf } from './response-cache.ts';
import { routerOf } from './router.ts';
import { checkApiKey, checkRate } from './usage.ts';
import { validateRequest } from './validate.ts';

/** Lets only callers through who may call the method. @throws GatewayFault */
async function authorize(call: Call): Promise<void> {
  const { method, definition } = call;
  checkResourcePolicy(call);
  if (method.authorizationType === 'NONE') return;
  if (method.authorizationType === 'AWS_IAM') {
    await authorizeByIam(call);
    return;
  }
  const authorizer = definition.authorizers.find(({ id }) => id === method.authorizerId);
  if (!authorizer)
    throw new GatewayFault(
      'AUTHORIZER_CONFIGURATION_ERROR',
      'Internal server error',
      'AuthorizerConfigurationException',
    );
  if (authorizer.type === 'COGNITO_USER_POOLS') await authorizeByUserPool(call, authorizer);
  else await authorizeByFunction(call, authorizer);
}

/** Has the integration of the method answer. @throws GatewayFault */
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

/** Finds the method of a call. @throws GatewayFault where there is none */
export function route(call: Call): void {
  const found = routerOf(call.definition).find(call.request.method, call.request.path);
  if (!found?.method) throw missingToken();
  enter(call, found);
}

/** Gives a call its method. */
export function enter(
  call: Call,
  { resource, method, pathParameters }: ReturnType<ReturnType<typeof routerOf>['find']> & object,
): void {
  call.resource = resource;
  call.method = method!;
  call.pathParameters = pathParameters;
  call.context.resourceId = resource.id;
  call.context.resourcePath = resource.path;
}

/** Has the integration answer, or the stage's cache. */
async function answer(call: Call): Promise<CallAnswer> {
  const place = placeOf(call);
  const kept = place && cachedAnswer(call, place);
  const found = kept ?? (await integrate(call));
  if (place && !kept) keepAnswer(call, place, found);
  if (place?.warning !== undefined) found.headers.set('Warning', place.warning);
  return found;
}

/**
 * Takes a call that has its method from its request to its answer.
 * @param find finds the method first
 */
export async function run(call: Call, find?: (call: Call) => void): Promise<CallAnswer> {
  const { log, request, test } = call;
  try {
    find?.(call);
    log.add(() => `Starting execution for request: ${request.requestId}`);
    log.add(() => `HTTP Method: ${request.method}, Resource Path: ${request.path}`);
    log.add(() => `Method request path: ${javaMap(call.pathParameters)}`);
    log.add(() => `Method request query string: ${javaMap(request.query.last())}`);
    log.add(() => `Method request headers: ${javaMap(request.headers.last())}`);
    log.add(() => `Method request body before transformations: ${request.body.toString()}`);
    if (!test) {
      await authorize(call);
      checkApiKey(call);
      checkRate(call);
    }
    validateRequest(call);
    const found = await answer(call);
    log.add(() => `Method response body after transformations: ${found.body.toString()}`);
    log.add(() => `Method response headers: ${javaMap(found.headers.joined())}`);
    log.add(() => 'Successfully completed execution');
    log.add(() => `Method completed with status: ${found.status}`);
    return found;
  } catch (error) {
    if (!(error instanceof GatewayFault)) throw error;
    const refused = faultAnswer(call, error);
    log.add(() => `Method completed with status: ${refused.status}`);
    return refused;
  }
}

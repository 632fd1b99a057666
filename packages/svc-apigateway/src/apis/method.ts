import type { Method } from '@emu/service-types/apigateway';
import type { ApigatewayContext } from '../context.ts';
import { badRequest } from '../errors.ts';
import type { MethodInput } from '../lookup.ts';

const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'ANY'];
const AUTHORIZATION = ['NONE', 'AWS_IAM', 'CUSTOM', 'COGNITO_USER_POOLS'];

/**
 * Validates a method's references to other resources.
 * @throws AwsError `BadRequestException`
 */
export function checkMethod(restApiId: string, method: Method, { state }: ApigatewayContext): void {
  const { httpMethod, authorizationType = '', authorizerId, requestValidatorId } = method;
  if (!METHODS.includes(httpMethod!))
    throw badRequest(`Invalid HttpMethod specified. Valid options are ${METHODS.join(',')}`);
  if (!AUTHORIZATION.includes(authorizationType))
    throw badRequest(
      `Invalid Authorization type specified. Valid options are NONE, AWS_IAM, CUSTOM, COGNITO_USER_POOLS`,
    );
  if (authorizationType === 'CUSTOM' || authorizationType === 'COGNITO_USER_POOLS') {
    const authorizer = authorizerId === undefined ? undefined : state.authorizers.get(restApiId, authorizerId);
    const ofPools = authorizer?.type === 'COGNITO_USER_POOLS';
    if (!authorizer || ofPools !== (authorizationType === 'COGNITO_USER_POOLS'))
      throw badRequest(
        'Invalid authorizer ID specified. Setting the authorization type to CUSTOM or COGNITO_USER_POOLS requires a valid authorizer.',
      );
  }
  if (requestValidatorId !== undefined && !state.validators.get(restApiId, requestValidatorId))
    throw badRequest('Invalid Request Validator identifier specified');
  for (const model of Object.values(method.requestModels ?? {}))
    if (!state.models.get(restApiId, model)) throw badRequest(`Invalid model identifier specified: ${model}`);
  checkParameterNames(method.requestParameters);
}

const PARAMETER = /^method\.request\.(?:path|querystring|header|multivaluequerystring|multivalueheader)\.([^\s]+)$/;

function checkParameterNames(parameters: Record<string, boolean> | undefined): void {
  const names = new Set<string>();
  for (const key of Object.keys(parameters ?? {})) {
    const name = PARAMETER.exec(key)?.[1];
    if (name === undefined) throw badRequest(`Invalid mapping expression specified: ${key}`);
    if (names.has(name)) throw badRequest('Parameter names must be unique across querystring, header and path');
    names.add(name);
  }
}

const RESPONSE_PARAMETER = /^method\.response\.header\.[^\s]+$/;

/**
 * Validates the parameters of a method response.
 * @throws AwsError `BadRequestException`
 */
export function checkResponseParameters(parameters: Record<string, unknown> | undefined): void {
  for (const key of Object.keys(parameters ?? {}))
    if (!RESPONSE_PARAMETER.test(key)) throw badRequest(`Invalid mapping expression specified: ${key}`);
}

/**
 * Checks that models exist.
 * @throws AwsError `BadRequestException`
 */
export function checkModels(
  restApiId: string,
  models: Record<string, string> | undefined,
  { state }: ApigatewayContext,
): void {
  for (const model of Object.values(models ?? {}))
    if (!state.models.get(restApiId, model)) throw badRequest(`Invalid model identifier specified: ${model}`);
}

/** Changes an existing method. */
export function updateMethod(input: MethodInput, ctx: ApigatewayContext, change: (draft: Method) => void): Method {
  const { restApiId, resourceId, httpMethod } = input;
  const resource = ctx.state.resources.update(restApiId, resourceId, (draft) => change(draft.methods[httpMethod]!));
  return resource.methods[httpMethod] as Method;
}

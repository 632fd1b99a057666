import type { InputOf, Method, MethodResponse, OutputOf } from '@emu/service-types/apigateway';
import { checkMethod, checkModels, checkResponseParameters, updateMethod } from '../apis/method.ts';
import type { ApigatewayContext } from '../context.ts';
import { badRequest, conflict, notFound } from '../errors.ts';
import { type MethodInput, methodOf, resourceOf } from '../lookup.ts';
import {
  applyPatch,
  entries,
  flagOf,
  givenValue,
  optionalText,
  type PatchRule,
  type PatchTable,
  refusePath,
} from '../patch/patch.ts';

/** Returns a rule for a map of names to required flags. */
const flags = <Draft extends { [Key in Member]?: Record<string, boolean> | undefined }, Member extends keyof Draft>(
  path: string,
  member: Member,
): PatchRule<Draft> => ({
  path,
  ops: ['add', 'replace', 'remove'],
  apply(draft, step) {
    const [name = ''] = step.names;
    const map = { ...draft[member] } as Record<string, boolean>;
    if (step.op !== 'add' && !Object.hasOwn(map, name)) throw notFound('Invalid parameter name specified');
    if (step.op === 'remove') delete map[name];
    else map[name] = flagOf(step);
    if (Object.keys(map).length === 0) delete draft[member];
    else draft[member] = map as Draft[Member];
  },
});

/** @see https://docs.aws.amazon.com/apigateway/latest/api/patch-operations.html#UpdateMethod-Patch */
const TABLE: PatchTable<Method> = {
  rules: [
    {
      path: '/authorizationType',
      ops: ['replace'],
      apply(draft, step) {
        draft.authorizationType = givenValue(step).toUpperCase();
      },
    },
    optionalText('/authorizerId', 'authorizerId'),
    optionalText('/operationName', 'operationName'),
    optionalText('/requestValidatorId', 'requestValidatorId'),
    {
      path: '/apiKeyRequired',
      ops: ['replace'],
      apply(draft, step) {
        draft.apiKeyRequired = flagOf(step);
      },
    },
    {
      path: '/authorizationScopes',
      ops: ['add', 'remove'],
      apply(draft, step) {
        const others = (draft.authorizationScopes ?? []).filter((scope) => scope !== step.value);
        draft.authorizationScopes = step.op === 'remove' ? others : [...others, givenValue(step)];
      },
    },
    flags('/requestParameters/{name}', 'requestParameters'),
    entries('/requestModels/{type}', 'requestModels', () => notFound('Invalid content type specified')),
  ],
  refuse: (step, known) =>
    known ? badRequest('Invalid patch operation specified. Must be one of: [replace]') : refusePath(step),
};

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_PutMethod.html */
export function PutMethod(input: InputOf<'PutMethod'>, ctx: ApigatewayContext): OutputOf<'PutMethod'> {
  const { restApiId, resourceId, apiKeyRequired = false, ...rest } = input;
  const resource = resourceOf(input, ctx);
  const method: Method = { ...rest, apiKeyRequired, authorizationType: input.authorizationType.toUpperCase() };
  if (method.authorizationType === 'NONE' || method.authorizationType === 'AWS_IAM') delete method.authorizerId;
  checkMethod(restApiId, method, ctx);
  if (resource.methods[input.httpMethod]) throw conflict('Method already exists for this resource');
  ctx.state.resources.update(restApiId, resourceId, (draft) => {
    draft.methods[input.httpMethod] = method;
  });
  return method;
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetMethod.html */
export function GetMethod(input: InputOf<'GetMethod'>, ctx: ApigatewayContext): OutputOf<'GetMethod'> {
  return structuredClone(methodOf(input, ctx)) as Method;
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateMethod.html */
export function UpdateMethod(input: InputOf<'UpdateMethod'>, ctx: ApigatewayContext): OutputOf<'UpdateMethod'> {
  methodOf(input, ctx);
  return updateMethod(input, ctx, (draft) => {
    applyPatch(TABLE, draft, input.patchOperations);
    if (draft.authorizationType === 'NONE' || draft.authorizationType === 'AWS_IAM') delete draft.authorizerId;
    checkMethod(input.restApiId, draft, ctx);
  });
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteMethod.html */
export function DeleteMethod(input: InputOf<'DeleteMethod'>, ctx: ApigatewayContext): OutputOf<'DeleteMethod'> {
  methodOf(input, ctx);
  ctx.state.resources.update(input.restApiId, input.resourceId, (draft) => {
    delete draft.methods[input.httpMethod];
  });
  return {};
}

type ResponseInput = MethodInput & { statusCode: string };

function responseOf(input: ResponseInput, ctx: ApigatewayContext): MethodResponse {
  const response = methodOf(input, ctx).methodResponses?.[input.statusCode];
  if (!response) throw notFound('Invalid Response status code specified');
  return structuredClone(response) as MethodResponse;
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_PutMethodResponse.html */
export function PutMethodResponse(
  input: InputOf<'PutMethodResponse'>,
  ctx: ApigatewayContext,
): OutputOf<'PutMethodResponse'> {
  const { restApiId, statusCode, responseParameters, responseModels } = input;
  const method = methodOf(input, ctx);
  checkResponseParameters(responseParameters);
  checkModels(restApiId, responseModels, ctx);
  if (method.methodResponses?.[statusCode]) throw conflict('Response already exists for this resource');
  const response: MethodResponse = {
    statusCode,
    ...(responseParameters && { responseParameters }),
    ...(responseModels && { responseModels }),
  };
  updateMethod(input, ctx, (draft) => {
    draft.methodResponses = { ...draft.methodResponses, [statusCode]: response };
  });
  return response;
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetMethodResponse.html */
export function GetMethodResponse(
  input: InputOf<'GetMethodResponse'>,
  ctx: ApigatewayContext,
): OutputOf<'GetMethodResponse'> {
  return responseOf(input, ctx);
}

const RESPONSE_TABLE: PatchTable<MethodResponse> = {
  rules: [
    flags('/responseParameters/{name}', 'responseParameters'),
    entries('/responseModels/{type}', 'responseModels', () => notFound('Content-Type specified was not found')),
  ],
  refuse: refusePath,
};

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateMethodResponse.html */
export function UpdateMethodResponse(
  input: InputOf<'UpdateMethodResponse'>,
  ctx: ApigatewayContext,
): OutputOf<'UpdateMethodResponse'> {
  responseOf(input, ctx);
  updateMethod(input, ctx, (draft) => {
    const response = draft.methodResponses![input.statusCode]!;
    applyPatch(RESPONSE_TABLE, response, input.patchOperations);
    checkResponseParameters(response.responseParameters);
    checkModels(input.restApiId, response.responseModels, ctx);
  });
  return responseOf(input, ctx);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteMethodResponse.html */
export function DeleteMethodResponse(
  input: InputOf<'DeleteMethodResponse'>,
  ctx: ApigatewayContext,
): OutputOf<'DeleteMethodResponse'> {
  responseOf(input, ctx);
  updateMethod(input, ctx, (draft) => {
    delete draft.methodResponses![input.statusCode];
    if (Object.keys(draft.methodResponses!).length === 0) delete draft.methodResponses;
  });
  return {};
}

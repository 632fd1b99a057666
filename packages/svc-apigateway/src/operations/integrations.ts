import { WholeRegex } from '@emu/core/regex';
import type { InputOf, Integration, IntegrationResponse, OutputOf } from '@emu/service-types/apigateway';
import {
  checkAnswerParameters,
  checkDeclared,
  checkIntegration,
  checkTemplates,
  connectionOf,
  TIMEOUT,
} from '../apis/integration.ts';
import { updateMethod } from '../apis/method.ts';
import type { ApigatewayContext } from '../context.ts';
import { badRequest, notFound } from '../errors.ts';
import { type MethodInput, methodOf, resourceOf } from '../lookup.ts';
import {
  applyPatch,
  entries,
  flagOf,
  integerOf,
  optionalText,
  type PatchTable,
  refusePath,
  text,
  wordOf,
} from '../patch/patch.ts';

function integrationOf(input: MethodInput, ctx: ApigatewayContext): Integration {
  const { methodIntegration } = methodOf(input, ctx);
  if (!methodIntegration) throw notFound('Invalid Integration identifier specified');
  return structuredClone(methodIntegration) as Integration;
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_PutIntegration.html */
export function PutIntegration(input: InputOf<'PutIntegration'>, ctx: ApigatewayContext): OutputOf<'PutIntegration'> {
  const { restApiId, resourceId, httpMethod, integrationHttpMethod, ...rest } = input;
  const method = methodOf(input, ctx);
  const integration: Integration = {
    ...rest,
    ...(integrationHttpMethod !== undefined && { httpMethod: integrationHttpMethod }),
    ...connectionOf(input.type, input.connectionType),
    passthroughBehavior: input.passthroughBehavior?.toUpperCase() ?? 'WHEN_NO_MATCH',
    timeoutInMillis: input.timeoutInMillis ?? TIMEOUT,
    cacheNamespace: input.cacheNamespace ?? resourceId,
    cacheKeyParameters: input.cacheKeyParameters ?? [],
  };
  checkIntegration(integration, method);
  updateMethod({ restApiId, resourceId, httpMethod }, ctx, (draft) => {
    draft.methodIntegration = integration;
  });
  return integration;
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetIntegration.html */
export function GetIntegration(input: InputOf<'GetIntegration'>, ctx: ApigatewayContext): OutputOf<'GetIntegration'> {
  return integrationOf(input, ctx);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/patch-operations.html#UpdateIntegration-Patch */
const TABLE: PatchTable<Integration> = {
  rules: [
    text('/httpMethod', 'httpMethod'),
    text('/uri', 'uri'),
    // AWS's page omits it, but clients such as Terraform replace it.
    optionalText('/credentials', 'credentials'),
    text('/passthroughBehavior', 'passthroughBehavior'),
    text('/cacheNamespace', 'cacheNamespace'),
    optionalText('/connectionId', 'connectionId'),
    optionalText('/integrationTarget', 'integrationTarget'),
    {
      path: '/connectionType',
      ops: ['replace'],
      apply(draft, step) {
        draft.connectionType = wordOf(step, ['INTERNET', 'VPC_LINK']);
      },
    },
    {
      path: '/responseTransferMode',
      ops: ['replace'],
      apply(draft, step) {
        draft.responseTransferMode = wordOf(step, ['BUFFERED', 'STREAM']);
      },
    },
    {
      path: '/contentHandling',
      ops: ['replace'],
      apply(draft, step) {
        if (!step.value) delete draft.contentHandling;
        else draft.contentHandling = wordOf(step, ['CONVERT_TO_BINARY', 'CONVERT_TO_TEXT']);
      },
    },
    {
      path: '/timeoutInMillis',
      ops: ['replace'],
      apply(draft, step) {
        draft.timeoutInMillis = integerOf(step);
      },
    },
    {
      path: '/tlsConfig/insecureSkipVerification',
      ops: ['replace'],
      apply(draft, step) {
        draft.tlsConfig = { insecureSkipVerification: flagOf(step) };
      },
    },
    {
      path: '/cacheKeyParameters/{name}',
      ops: ['add', 'replace', 'remove'],
      apply(draft, { op, names: [name = ''], value }) {
        const others = (draft.cacheKeyParameters ?? []).filter((one) => one !== name);
        draft.cacheKeyParameters = op === 'remove' ? others : [...others, (op === 'replace' && value) || name];
      },
    },
    entries('/requestParameters/{name}', 'requestParameters', () => notFound('Invalid parameter name specified')),
    entries('/requestTemplates/{type}', 'requestTemplates', () => notFound('Invalid content type specified')),
  ],
  refuse: refusePath,
};

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateIntegration.html */
export function UpdateIntegration(
  input: InputOf<'UpdateIntegration'>,
  ctx: ApigatewayContext,
): OutputOf<'UpdateIntegration'> {
  integrationOf(input, ctx);
  updateMethod(input, ctx, (method) => {
    applyPatch(TABLE, method.methodIntegration!, input.patchOperations);
    checkIntegration(method.methodIntegration!, method);
  });
  return integrationOf(input, ctx);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteIntegration.html */
export function DeleteIntegration(
  input: InputOf<'DeleteIntegration'>,
  ctx: ApigatewayContext,
): OutputOf<'DeleteIntegration'> {
  integrationOf(input, ctx);
  updateMethod(input, ctx, (draft) => {
    delete draft.methodIntegration;
  });
  return {};
}

type ResponseInput = MethodInput & { statusCode: string };

function responseOf(input: ResponseInput, ctx: ApigatewayContext): IntegrationResponse {
  const response = integrationOf(input, ctx).integrationResponses?.[input.statusCode];
  if (!response) throw notFound('Invalid Response status code specified');
  return response;
}

/**
 * Validates an integration response.
 * @throws AwsError `BadRequestException`
 */
function checkResponse({ selectionPattern, responseParameters, responseTemplates }: IntegrationResponse): void {
  checkAnswerParameters(responseParameters);
  checkTemplates(responseTemplates);
  if (!selectionPattern) return;
  const problem = WholeRegex.problem(selectionPattern);
  if (problem !== undefined) throw badRequest(`Invalid selection pattern specified: ${selectionPattern}${problem}`);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_PutIntegrationResponse.html */
export function PutIntegrationResponse(
  input: InputOf<'PutIntegrationResponse'>,
  ctx: ApigatewayContext,
): OutputOf<'PutIntegrationResponse'> {
  const { statusCode, selectionPattern, responseParameters, responseTemplates, contentHandling } = input;
  integrationOf(input, ctx);
  const response: IntegrationResponse = {
    statusCode,
    ...(selectionPattern !== undefined && { selectionPattern }),
    ...(responseParameters && { responseParameters }),
    ...(responseTemplates && { responseTemplates }),
    ...(contentHandling && { contentHandling }),
  };
  checkResponse(response);
  updateMethod(input, ctx, ({ methodIntegration, methodResponses }) => {
    checkDeclared(responseParameters, methodResponses?.[statusCode]);
    methodIntegration!.integrationResponses = { ...methodIntegration!.integrationResponses, [statusCode]: response };
  });
  return response;
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetIntegrationResponse.html */
export function GetIntegrationResponse(
  input: InputOf<'GetIntegrationResponse'>,
  ctx: ApigatewayContext,
): OutputOf<'GetIntegrationResponse'> {
  return responseOf(input, ctx);
}

const RESPONSE_TABLE: PatchTable<IntegrationResponse> = {
  rules: [
    optionalText('/selectionPattern', 'selectionPattern'),
    {
      path: '/contentHandling',
      ops: ['replace'],
      apply(draft, step) {
        if (!step.value) delete draft.contentHandling;
        else draft.contentHandling = wordOf(step, ['CONVERT_TO_BINARY', 'CONVERT_TO_TEXT']);
      },
    },
    entries('/responseParameters/{name}', 'responseParameters', () => notFound('Invalid parameter name specified')),
    entries('/responseTemplates/{type}', 'responseTemplates', () => notFound('Invalid content type specified')),
  ],
  refuse: refusePath,
};

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateIntegrationResponse.html */
export function UpdateIntegrationResponse(
  input: InputOf<'UpdateIntegrationResponse'>,
  ctx: ApigatewayContext,
): OutputOf<'UpdateIntegrationResponse'> {
  responseOf(input, ctx);
  updateMethod(input, ctx, ({ methodIntegration, methodResponses }) => {
    const response = methodIntegration!.integrationResponses![input.statusCode]!;
    applyPatch(RESPONSE_TABLE, response, input.patchOperations);
    checkResponse(response);
    checkDeclared(response.responseParameters, methodResponses?.[input.statusCode]);
  });
  return responseOf(input, ctx);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteIntegrationResponse.html */
export function DeleteIntegrationResponse(
  input: InputOf<'DeleteIntegrationResponse'>,
  ctx: ApigatewayContext,
): OutputOf<'DeleteIntegrationResponse'> {
  // Recorded from AWS, which reports the integration if the method is missing.
  if (!resourceOf(input, ctx).methods[input.httpMethod]) throw notFound('Invalid Integration identifier specified');
  responseOf(input, ctx);
  updateMethod(input, ctx, ({ methodIntegration }) => {
    delete methodIntegration!.integrationResponses![input.statusCode];
    if (Object.keys(methodIntegration!.integrationResponses!).length === 0)
      delete methodIntegration!.integrationResponses;
  });
  return {};
}

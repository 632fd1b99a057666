import { credentialsRole, documentRoles, withVariables } from '@emu/apigateway-common';
import type { PassedRole, PassedRoles, ServiceAuthorization } from '@emu/core/service';
import type { ApigatewayOperations, PatchOperation } from '@emu/service-types/apigateway';
import type { ApigatewayInternalOperations } from '@emu/service-types/internal/apigateway';
import model from '../model/apigateway.json' with { type: 'json' };
import type { ApigatewayContext } from './context.ts';
import { OpenApi } from './openapi/document.ts';
import { controlArn } from './resources.ts';
import type { ApiGatewayState } from './state.ts';

interface OperationShape {
  readonly http: { readonly method: string; readonly uri: string };
  readonly input?: { readonly shape: string };
}
interface InputShape {
  readonly members?: Readonly<Record<string, { readonly location?: string; readonly locationName?: string }>>;
}

const OPERATIONS = model.operations as unknown as Readonly<Record<string, OperationShape>>;
const SHAPES = model.shapes as unknown as Readonly<Record<string, InputShape>>;

/** Returns the HTTP path of an operation, to which permissions apply. */
function pathOf(operation: string, input: Readonly<Record<string, unknown>>): string {
  const { http, input: given } = OPERATIONS[operation]!;
  let path = http.uri.split('?')[0]!;
  for (const [name, { location, locationName = name }] of Object.entries(SHAPES[given?.shape ?? '']?.members ?? {}))
    if (location === 'uri') path = path.replace(new RegExp(`\\{${locationName}\\+?\\}`), String(input[name] ?? ''));
  return path;
}

/** Credentials may also select the caller's identity. */
const CREDENTIALS: PassedRole<ApiGatewayState> = { service: 'apigateway', role: credentialsRole };
const DOCUMENT: PassedRoles<ApiGatewayState> = {
  body: { service: 'apigateway', role: (text, ctx) => documentRoles(OpenApi.read(withVariables(text, ctx))?.root) },
};

/** Returns the roles in the values that a patch gives to a path. */
const patching = (path: string): PassedRoles<ApiGatewayState> => ({
  'patchOperations.value': {
    service: 'apigateway',
    role(value, _ctx, input) {
      const { patchOperations = [] } = input as { patchOperations?: readonly PatchOperation[] };
      const isGiven = patchOperations.some((operation) => operation.path === path && operation.value === value);
      return isGiven ? credentialsRole(value) : undefined;
    },
  },
});

/**
 * Permissions of API Gateway's operations: the HTTP method on the path.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonapigatewaymanagement.html
 */
export const authorization: ServiceAuthorization<ApigatewayOperations & ApigatewayInternalOperations, ApiGatewayState> =
  {
    roles: {
      CreateAuthorizer: { authorizerCredentials: CREDENTIALS },
      ImportRestApi: DOCUMENT,
      PutIntegration: { credentials: CREDENTIALS },
      PutRestApi: DOCUMENT,
      UpdateAccount: patching('/cloudwatchRoleArn'),
      UpdateAuthorizer: patching('/authorizerCredentials'),
      UpdateIntegration: patching('/credentials'),
    },
    operations: {
      InvokeMethod: ({ arn, policy }) => ({
        action: 'execute-api:Invoke',
        resource: arn,
        ...(policy !== undefined && { resourcePolicy: { document: policy, id: arn, type: 'resource' as const } }),
      }),
    },
    otherwise: (operation, input, ctx: ApigatewayContext) => ({
      action: `apigateway:${OPERATIONS[operation]!.http.method}`,
      resource: controlArn(ctx, pathOf(operation, input as Readonly<Record<string, unknown>>)),
    }),
  };

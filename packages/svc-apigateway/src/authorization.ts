import type { ServiceAuthorization } from '@emu/core/service';
import type { ApigatewayOperations } from '@emu/service-types/apigateway';
import type { ApigatewayInternalOperations } from '@emu/service-types/internal/apigateway';
import model from '../model/apigateway.json' with { type: 'json' };
import type { ApigatewayContext } from './context.ts';
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

/**
 * Permissions of API Gateway's operations: the HTTP method on the path.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonapigatewaymanagement.html
 */
export const authorization: ServiceAuthorization<ApigatewayOperations & ApigatewayInternalOperations, ApiGatewayState> =
  {
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

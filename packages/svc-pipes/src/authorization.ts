import { type AuthorizationRequest, namedResource, permissionOn, type ServiceAuthorization } from '@emu/core/service';
import type { PipesOperations } from '@emu/service-types/pipes';
import type { PipesContext } from './context.ts';
import { resources } from './resources.ts';
import type { PipesState } from './state.ts';

/** Returns the permission for an operation on the resource that its input names. */
function onNamed(operation: string, input: object, ctx: PipesContext): AuthorizationRequest {
  const action = `pipes:${operation}`;
  const named = namedResource(resources, input as Readonly<Record<string, unknown>>, ctx, operation);
  if (!named) return { action, resource: '*' };
  return permissionOn(action, named.type, named.address, ctx.handle);
}

/**
 * Permissions that the operations of EventBridge Pipes require.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoneventbridgepipes.html
 */
export const authorization: ServiceAuthorization<PipesOperations, PipesState> = {
  roles: { CreatePipe: { RoleArn: 'pipes' }, UpdatePipe: { RoleArn: 'pipes' } },
  tagOnCreate: { CreatePipe: 'TagResource' },
  otherwise: (operation, input, ctx) => onNamed(operation, input as object, ctx),
};

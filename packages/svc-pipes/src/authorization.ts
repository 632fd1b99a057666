import {
  type AuthorizationRequest,
  namedResource,
  permissionOn,
  type ServiceAuthorization,
  type TagRecord,
} from '@emu/core/service';
import type { PipesOperations } from '@emu/service-types/pipes';
import type { PipesContext } from './context.ts';
import { resources } from './resources.ts';
import type { PipesState } from './state.ts';
import { tagging } from './tags.ts';

/** Tags in a request. */
interface TagInput {
  Tags?: Record<string, string>;
  tags?: Record<string, string>;
  tagKeys?: string[];
}

/** Returns the permission for an operation on the resource that its input names. */
function onNamed(operation: string, input: object, ctx: PipesContext): AuthorizationRequest {
  const action = `pipes:${operation}`;
  const named = namedResource(resources, input as Readonly<Record<string, unknown>>, ctx, operation);
  if (!named) return { action, resource: '*' };
  const { Tags, tags = Tags, tagKeys: keys } = input as TagInput;
  const request: TagRecord | undefined = tagging.record(tags);
  return permissionOn(action, named.type, named.address, ctx.handle, { request, keys });
}

/**
 * Permissions that the operations of EventBridge Pipes require.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoneventbridgepipes.html
 */
export const authorization: ServiceAuthorization<PipesOperations, PipesState> = {
  roles: { CreatePipe: { RoleArn: 'pipes' }, UpdatePipe: { RoleArn: 'pipes' } },
  operations: {
    CreatePipe: (input, ctx) => [
      onNamed('CreatePipe', input, ctx),
      ...(input.Tags ? [onNamed('TagResource', input, ctx)] : []),
    ],
  },
  otherwise: (operation, input, ctx) => onNamed(operation, input as object, ctx),
};

import type { ServiceAuthorization } from '../plugin/authorization.ts';
import type { OperationContext } from '../plugin/context.ts';
import type { AnyServicePlugin } from '../plugin/plugin.ts';
import type { AuthorizationRequest, AuthorizationRequests } from '../policy/authorization-request.ts';
import { namedResource, permissionOn } from '../resources/permission.ts';
import type { Invocation } from '../services/invocation.ts';
import { passedRoles } from './passed-roles.ts';

/** The authorization of any service. */
export type Authorization = ServiceAuthorization<Record<string, { input: unknown; output: unknown }>, unknown>;

/**
 * Returns the permissions that a call requires: those of its operation, and those for the tags and roles in its input.
 * @throws AwsError for an unknown or invalid resource
 */
export function authorizationRequests(
  plugin: AnyServicePlugin,
  invocation: Pick<Invocation, 'operation' | 'input'>,
  ctx: OperationContext,
): AuthorizationRequests | Promise<AuthorizationRequests> {
  const { operation, input } = invocation;
  const requests = operationRequests(plugin, invocation, ctx);
  const { roles, tagOnCreate } = (plugin.authorization as Authorization | undefined) ?? {};
  const members = roles?.[operation];
  const tagAction = givesTags(input as object) ? tagOnCreate?.[operation] : undefined;
  if (!members && tagAction === undefined) return requests;
  const complete = (own: AuthorizationRequests) => [
    ...(tagAction === undefined ? [own].flat() : withTagging([own].flat(), tagAction)),
    ...(members ? passedRoles(members, input, ctx) : []),
  ];
  return requests instanceof Promise ? requests.then(complete) : complete(requests);
}

function operationRequests(
  plugin: AnyServicePlugin,
  { operation, input }: Pick<Invocation, 'operation' | 'input'>,
  ctx: OperationContext,
): AuthorizationRequests | Promise<AuthorizationRequests> {
  const authorization = plugin.authorization as Authorization | undefined;
  const operations = authorization?.operations;
  if (operations && Object.hasOwn(operations, operation)) return operations[operation]!(input, ctx);
  if (authorization?.otherwise) return authorization.otherwise(operation, input, ctx);
  const action = `${authorization?.prefix ?? plugin.model.metadata.signingName}:${operation}`;
  const types = plugin.resources ?? [];
  const named = namedResource(types, input as Readonly<Record<string, unknown>>, ctx, operation);
  return named ? permissionOn(action, named.type, named.address, ctx.handle) : { action, resource: '*' };
}

/** Whether an input contains tags, in a member with the name of most services. */
function givesTags(input: object): boolean {
  const { Tags, tags = Tags } = input as { Tags?: object; tags?: object };
  return tags !== undefined && Object.keys(tags).length > 0;
}

/** Returns the permissions of a creation with the one for its tags. */
function withTagging(
  [create, ...others]: readonly AuthorizationRequest[],
  tagAction: string,
): readonly AuthorizationRequest[] {
  if (!create) return others;
  const prefix = create.action.slice(0, create.action.indexOf(':') + 1);
  return [create, { ...create, action: `${prefix}${tagAction}` }, ...others];
}

import type { ServiceAuthorization } from '../plugin/authorization.ts';
import type { OperationContext } from '../plugin/context.ts';
import type { AnyServicePlugin } from '../plugin/plugin.ts';
import type { AuthorizationRequest, AuthorizationRequests } from '../policy/authorization-request.ts';
import { type ConditionTags, tagCondition } from '../policy/tags.ts';
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
  const { roles, tagOnCreate, requestTags } = (plugin.authorization as Authorization | undefined) ?? {};
  const members = roles?.[operation];
  const tags = tagsOfRequest(input as object, requestTags?.[operation]);
  if (!members && tags === undefined) return requests;
  const tagging = tags?.request && tagOnCreate?.[operation];
  const complete = (given: AuthorizationRequests) => {
    const [first, ...others] = [given].flat();
    const tagged = first && tagging && (typeof tagging === 'function' ? tagging(input, ctx) : onSame(first, tagging));
    const own = [...(first ? [first] : []), ...(tagged ? [tagged] : []), ...others];
    return [
      ...(tags === undefined ? own : own.map((request) => withRequestTags(request, tags))),
      ...(members ? passedRoles(members, input, ctx) : []),
    ];
  };
  return requests instanceof Promise ? requests.then(complete) : complete(requests);
}

function operationRequests(
  plugin: AnyServicePlugin,
  { operation, input }: Pick<Invocation, 'operation' | 'input'>,
  ctx: OperationContext,
): AuthorizationRequests | Promise<AuthorizationRequests> {
  const authorization = plugin.authorization as Authorization | undefined;
  const operations = authorization?.operations;
  const action = `${authorization?.prefix ?? plugin.model.metadata.signingName}:${operation}`;
  if (authorization?.withoutResource?.[operation]) return { action, resource: '*' };
  if (operations && Object.hasOwn(operations, operation)) return operations[operation]!(input, ctx);
  if (authorization?.otherwise) return authorization.otherwise(operation, input, ctx);
  const types = plugin.resources ?? [];
  const named = namedResource(types, input as Readonly<Record<string, unknown>>, ctx, operation);
  return named ? permissionOn(action, named.type, named.address, ctx.handle) : { action, resource: '*' };
}

/** Members of inputs that set tags, by the names that services use. */
const TAG_MEMBERS = ['Tags', 'tags', 'UserPoolTags', 'IdentityPoolTags'] as const;
/** Members of inputs that name the keys of tags to remove: `tags` of UntagLogGroup, `Keys` of Resource Groups' Untag. */
const KEY_MEMBERS = ['TagKeys', 'tagKeys', 'Keys', 'tags'] as const;

type RequestTags = Pick<ConditionTags, 'request' | 'keys'>;

/**
 * Returns the tags that an input sets, or the keys that it removes, in any form of AWS's services; undefined for none.
 * @param tagsIn the operation's own function that returns the tags
 */
function tagsOfRequest(input: object, tagsIn?: (input: never) => unknown): RequestTags | undefined {
  const members = TAG_MEMBERS.map((member) => (input as Record<string, unknown>)[member]);
  for (const tags of [...members, tagsIn?.(input as never)]) {
    const entries = tagEntries(tags);
    if (entries.length > 0) return { request: Object.fromEntries(entries) };
  }
  for (const member of KEY_MEMBERS) {
    const given = (input as Record<string, unknown>)[member];
    const keys = Array.isArray(given) ? given.filter((key) => typeof key === 'string') : [];
    if (keys.length > 0) return { keys };
  }
  return undefined;
}

/** Returns the key and value of each tag in a list or an object. */
function tagEntries(tags: unknown): (readonly [key: string, value: string])[] {
  if (typeof tags !== 'object' || tags === null) return [];
  if (!Array.isArray(tags)) return Object.entries(tags).map(([key, value]) => [key, String(value)] as const);
  return tags.flatMap((tag: Readonly<Record<string, unknown>>) => {
    const key = tag.Key ?? tag.key ?? tag.TagKey;
    return typeof key === 'string' ? [[key, String(tag.Value ?? tag.value ?? tag.TagValue ?? '')] as const] : [];
  });
}

/** Returns a permission with the request's tags as conditions. */
const withRequestTags = (request: AuthorizationRequest, tags: RequestTags): AuthorizationRequest => ({
  ...request,
  condition: (key) => request.condition?.(key) ?? tagCondition(key, tags),
});

/** Returns the permission for another action, without prefix, on the same resource. */
const onSame = (request: AuthorizationRequest, action: string): AuthorizationRequest => ({
  ...request,
  action: `${request.action.slice(0, request.action.indexOf(':') + 1)}${action}`,
});

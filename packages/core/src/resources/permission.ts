import type { AuthorizationRequest } from '../policy/authorization-request.ts';
import { type ConditionTags, tagCondition } from '../policy/tags.ts';
import type { AnyResourceType, Place, ResourceAddress, ResourceType, StateFinder } from './resource-type.ts';

/** A resource that an input names, with its type. */
export interface NamedResource {
  readonly type: ResourceType<object>;
  readonly address: ResourceAddress<object>;
}

/** The first of a service's types of which an input names a resource; undefined where it names none. */
export function namedResource(
  types: readonly AnyResourceType[],
  input: Readonly<Record<string, unknown>>,
  place: Place,
  operation: string,
): NamedResource | undefined {
  for (const type of types) {
    const address = type.identify(input, place, operation);
    if (address) return { type: type as ResourceType<object>, address };
  }
  return undefined;
}

/**
 * The permission for an action on a resource, whether it exists or not: its ARN, its policy and its tags, as far as the
 * type declares them.
 * @param action e.g. `sqs:sendmessage`
 * @param tags those that the request sets or names
 */
export function permissionOn<Key, State>(
  action: string,
  type: ResourceType<Key, State>,
  address: ResourceAddress<Key>,
  states: StateFinder<State>,
  tags: Pick<ConditionTags, 'request' | 'keys'> = {},
): AuthorizationRequest {
  const located = type.locate(states, address);
  const found = located && type.find(located.state, address.key);
  const key = found ?? address.key;
  const place = located?.place ?? address.place;
  const document = located && found && type.policy(located.state, found);
  const arn = type.arn(key, place);
  return {
    action,
    resource: arn,
    ...(type.scope === 'partition' && { resourceAccountId: place.accountId }),
    ...(document !== undefined && { resourcePolicy: { document, id: arn, type: 'resource' as const } }),
    condition: (name) =>
      tagCondition(name, { ...tags, resource: located && found ? type.tags(located.state, found) : undefined }),
  };
}

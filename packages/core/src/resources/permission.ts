import type { AuthorizationRequest } from '../policy/authorization-request.ts';
import { tagCondition } from '../policy/tags.ts';
import type { AnyResourceType, Place, ResourceAddress, ResourceType, StateFinder } from './resource-type.ts';

/** The resource of an input, with its type. */
export interface NamedResource {
  readonly type: ResourceType<object>;
  readonly address: ResourceAddress<object>;
}

/** Returns the resource of an input, of the first of a service's types that identifies one; undefined for none. */
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
 * Returns the permission for an action on a resource, known or unknown: its ARN, its policy and its tags, as far as the
 * type declares them.
 * @param action e.g. `sqs:sendmessage`
 */
export function permissionOn<Key, State>(
  action: string,
  type: ResourceType<Key, State>,
  address: ResourceAddress<Key>,
  states: StateFinder<State>,
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
      tagCondition(name, { resource: located && found ? type.tags(located.state, found) : undefined }),
  };
}

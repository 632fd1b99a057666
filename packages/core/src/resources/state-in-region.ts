import type { Place, ResourceType, StateFinder } from './resource-type.ts';

/** A request's place and the states of its service. */
interface RequestStates<State> extends Place {
  readonly state: State;
  readonly handle: StateFinder<State>;
}

/**
 * Returns the state of the account in an ARN. Undefined for an ARN of another region, which a regional endpoint of AWS
 * does not find, and for an account without a state. Never creates the state of another account.
 */
export function stateInRegion<State>({ accountId, region }: Place, ctx: RequestStates<State>): State | undefined {
  if (region !== ctx.region) return undefined;
  return accountId === ctx.accountId ? ctx.state : ctx.handle.existingState(accountId, region);
}

/** Returns the key in the ARN of a resource in an account and region; undefined for an ARN of another place or type. */
export function keyInPlace<Key>(
  type: Pick<ResourceType<Key>, 'parse' | 'scope'>,
  arn: string,
  { accountId, region }: Place,
): Key | undefined {
  const address = type.parse(arn);
  if (address?.place.accountId !== accountId) return undefined;
  return type.scope === 'account' || address.place.region === region ? address.key : undefined;
}

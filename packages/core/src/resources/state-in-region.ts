import type { Place, StateFinder } from './resource-type.ts';

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

import type { IamState } from '../state.ts';

/** How often a managed policy is used. */
export interface Usage {
  /** Users, groups and roles it is attached to. */
  attached: number;
  /** Users and roles whose permissions boundary it is. */
  boundary: number;
}

/** Uses of every managed policy of an account that is used, by ARN. */
export function usageOfPolicies(state: IamState): Map<string, Usage> {
  const usage = new Map<string, Usage>();
  const of = (arn: string): Usage => {
    let found = usage.get(arn);
    if (!found) {
      found = { attached: 0, boundary: 0 };
      usage.set(arn, found);
    }
    return found;
  };
  for (const collection of [state.users, state.groups, state.roles])
    for (const { attachedPolicies } of collection.values()) for (const arn of attachedPolicies) of(arn).attached++;
  for (const collection of [state.users, state.roles])
    for (const { boundary } of collection.values()) if (boundary !== undefined) of(boundary).boundary++;
  return usage;
}

/** What a policy is that nothing uses. */
export const UNUSED: Usage = { attached: 0, boundary: 0 };

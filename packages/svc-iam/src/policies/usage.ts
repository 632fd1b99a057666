import type { IamState } from '../state.ts';

/** Number of uses of a managed policy. */
export interface Usage {
  /** Number of users, groups and roles it is attached to. */
  attached: number;
  /** Number of users and roles that have it as boundary. */
  boundary: number;
}

/** Returns the uses of all used managed policies of an account by ARN. */
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

/** Usage of an unused policy. */
export const UNUSED: Usage = { attached: 0, boundary: 0 };

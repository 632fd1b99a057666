import { parseArn } from '@emu/core';
import { invalidParameter } from '../errors.ts';
import type { LogGroup } from '../groups.ts';
import type { Subscription } from '../records.ts';
import type { LogsRegistry } from '../registry.ts';

const CRITERIA = /^\s*(LogGroupName|LogGroupNamePrefix)\s+(NOT\s+IN|IN)\s*(\[.*\])\s*$/is;

/** Tells the groups that a policy of the account is for. */
export type Selection = (group: string) => boolean;

/** What selection criteria say. */
export interface Criteria {
  readonly names: readonly string[];
  /** Whether the names are beginnings of groups' names. */
  readonly byPrefix: boolean;
  /** Whether all other groups are meant. */
  readonly excludes: boolean;
}

/**
 * Reads selection criteria, as `LogGroupName NOT IN ["a", "b"]`.
 * @throws AwsError `InvalidParameterException`
 */
export function criteriaOf(criteria: string): Criteria {
  const [, field, operator, list] = CRITERIA.exec(criteria) ?? [];
  const names = namesIn(list);
  if (!names) throw invalidParameter('The specified selection criteria is not valid.');
  return { names, byPrefix: /prefix/i.test(field!), excludes: /not/i.test(operator!) };
}

/**
 * Tells the groups that selection criteria select, all without any.
 * @throws AwsError `InvalidParameterException`
 */
export function parseSelection(criteria: string | undefined): Selection {
  if (criteria === undefined) return () => true;
  const { names, byPrefix, excludes } = criteriaOf(criteria);
  return (group) => names.some((name) => (byPrefix ? group.startsWith(name) : group === name)) !== excludes;
}

/**
 * The beginnings of the names of the groups that criteria select, all names without any.
 * @throws AwsError `InvalidParameterException` for criteria of another kind
 */
export function prefixesOf(criteria: string | undefined): string[] {
  if (criteria === undefined) return [''];
  const { names, byPrefix, excludes } = criteriaOf(criteria);
  if (!byPrefix || excludes) throw invalidParameter('The specified selection criteria is not valid.');
  return [...names];
}

function namesIn(list: string | undefined): string[] | undefined {
  try {
    const names: unknown = JSON.parse(list ?? '');
    return Array.isArray(names) && names.every((name) => typeof name === 'string') ? names : undefined;
  } catch {
    return undefined;
  }
}

/** The log group that a function writes to, where it is not told another. */
export function ownGroupOf(destinationArn: string): string | undefined {
  const arn = parseArn(destinationArn);
  return arn?.service === 'lambda' ? `/aws/lambda/${arn.resource.split(':')[1]}` : undefined;
}

/** Whether a subscription of the account is for a group: a function never gets what it writes itself. */
export function selects(state: LogsRegistry, filter: Subscription, group: LogGroup): boolean {
  if (group.record.class !== 'STANDARD' || group.name === ownGroupOf(filter.destinationArn)) return false;
  const policy = state.accountPolicies.get(`SUBSCRIPTION_FILTER_POLICY:${filter.name}`);
  return policy !== undefined && parseSelection(policy.selectionCriteria)(group.name);
}

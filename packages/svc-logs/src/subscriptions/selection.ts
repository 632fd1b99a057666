import { parseArn } from '@emu/core/service';
import { invalidParameter } from '../errors.ts';
import type { LogGroup } from '../groups/groups.ts';
import type { Subscription } from '../records.ts';
import type { LogsRegistry } from '../registry.ts';

const CRITERIA = /^\s*(LogGroupName|LogGroupNamePrefix)\s+(NOT\s+IN|IN)\s*(\[.*\])\s*$/is;

/** Tests whether an account policy applies to a group. */
export type Selection = (group: string) => boolean;

/** Selection criteria. */
export interface Criteria {
  readonly names: readonly string[];
  /** Whether the names are prefixes. */
  readonly byPrefix: boolean;
  /** Whether the criteria are negated. */
  readonly excludes: boolean;
}

/**
 * Parses selection criteria such as `LogGroupName NOT IN ["a", "b"]`.
 * @throws AwsError `InvalidParameterException`
 */
export function criteriaOf(criteria: string): Criteria {
  const [, field, operator, list] = CRITERIA.exec(criteria) ?? [];
  const names = namesIn(list);
  if (!names) throw invalidParameter('The specified selection criteria is not valid.');
  return { names, byPrefix: /prefix/i.test(field!), excludes: /not/i.test(operator!) };
}

/**
 * Returns a test of group names against selection criteria; all match without criteria.
 * @throws AwsError `InvalidParameterException`
 */
export function parseSelection(criteria: string | undefined): Selection {
  if (criteria === undefined) return () => true;
  const { names, byPrefix, excludes } = criteriaOf(criteria);
  return (group) => names.some((name) => (byPrefix ? group.startsWith(name) : group === name)) !== excludes;
}

/**
 * Returns the name prefixes that criteria select; all names without criteria.
 * @throws AwsError `InvalidParameterException` for other criteria
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

/** Returns the default log group of a function. */
export function ownGroupOf(destinationArn: string): string | undefined {
  const arn = parseArn(destinationArn);
  return arn?.service === 'lambda' ? `/aws/lambda/${arn.resource.split(':')[1]}` : undefined;
}

/** Whether an account subscription applies to a group: a function never receives its own logs. */
export function selects(state: LogsRegistry, filter: Subscription, group: LogGroup): boolean {
  if (group.record.class !== 'STANDARD' || group.name === ownGroupOf(filter.destinationArn)) return false;
  const policy = state.accountPolicies.get(`SUBSCRIPTION_FILTER_POLICY:${filter.name}`);
  return policy !== undefined && parseSelection(policy.selectionCriteria)(group.name);
}

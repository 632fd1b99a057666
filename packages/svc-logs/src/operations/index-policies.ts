import type { IndexPolicy, InputOf, OutputOf } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { invalidParameter, notFound } from '../errors.ts';
import { facetsOf, type IndexPolicyView, indexPoliciesOf, parseIndexFields } from '../index-policies.ts';
import { type GroupTarget, groupIdentified } from '../lookup.ts';
import { paging } from '../paging.ts';
import { groupType } from '../resources.ts';

const arnOf = ({ state, group }: GroupTarget): string => groupType.arn({ name: group.name }, state);

const describe = (arn: string, { name, document, updatedAt }: IndexPolicyView): IndexPolicy => ({
  logGroupIdentifier: arn,
  lastUpdateTime: updatedAt,
  policyDocument: document,
  ...(name !== undefined && { policyName: name }),
  source: name === undefined ? 'LOG_GROUP' : 'ACCOUNT',
});

/**
 * Sets the field index policy of a group.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutIndexPolicy.html
 */
export function PutIndexPolicy(input: InputOf<'PutIndexPolicy'>, ctx: LogsContext): OutputOf<'PutIndexPolicy'> {
  const { policyDocument: document } = input;
  const target = groupIdentified(input.logGroupIdentifier, ctx);
  if (target.group.record.class !== 'STANDARD')
    throw invalidParameter('Field index policies are supported only for log groups of the STANDARD log class.');
  const fields = parseIndexFields(document);
  const updatedAt = ctx.clock.now();
  target.state.groups.update(target.group, (draft) => {
    draft.indexPolicy = { document, updatedAt };
  });
  return { indexPolicy: describe(arnOf(target), { name: undefined, document, fields, updatedAt }) };
}

/**
 * Deletes the field index policy of a group.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DeleteIndexPolicy.html
 */
export function DeleteIndexPolicy(
  input: InputOf<'DeleteIndexPolicy'>,
  ctx: LogsContext,
): OutputOf<'DeleteIndexPolicy'> {
  const { state, group } = groupIdentified(input.logGroupIdentifier, ctx);
  if (!group.record.indexPolicy) throw notFound('The specified index policy does not exist.');
  state.groups.update(group, (draft) => {
    draft.indexPolicy = undefined;
  });
  return {};
}

/**
 * Returns the index policies of groups, including the account's.
 * @throws AwsError `ResourceNotFoundException`, `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DescribeIndexPolicies.html
 */
export function DescribeIndexPolicies(
  input: InputOf<'DescribeIndexPolicies'>,
  ctx: LogsContext,
): OutputOf<'DescribeIndexPolicies'> {
  const found = input.logGroupIdentifiers.flatMap((identifier) => {
    const target = groupIdentified(identifier, ctx);
    return indexPoliciesOf(target.state, target.group).map((policy) => describe(arnOf(target), policy));
  });
  return paging
    .page('DescribeIndexPolicies', input, found, (policy) => `${policy.logGroupIdentifier} ${policy.policyName ?? ''}`)
    .list((policy) => policy);
}

/**
 * Returns the indexed fields of groups.
 * @throws AwsError `ResourceNotFoundException`, `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DescribeFieldIndexes.html
 */
export function DescribeFieldIndexes(
  input: InputOf<'DescribeFieldIndexes'>,
  ctx: LogsContext,
): OutputOf<'DescribeFieldIndexes'> {
  const found = input.logGroupIdentifiers.flatMap((identifier) => {
    const target = groupIdentified(identifier, ctx);
    const segments = target.state.store.segments(target.group.key);
    const times = segments.length
      ? {
          firstEventTime: Math.min(...segments.map(({ from, cutoff = 0 }) => Math.max(from, cutoff))),
          lastEventTime: Math.max(...segments.map(({ to }) => to)),
        }
      : {};
    const policies = indexPoliciesOf(target.state, target.group);
    const facets = policies.flatMap(({ document }) => facetsOf(document));
    return [...new Set(policies.flatMap(({ fields }) => fields))].map((fieldIndexName) => ({
      logGroupIdentifier: arnOf(target),
      fieldIndexName,
      lastScanTime: ctx.clock.now(),
      ...times,
      type: facets.includes(fieldIndexName) ? ('FACET' as const) : ('FIELD_INDEX' as const),
    }));
  });
  return paging
    .page('DescribeFieldIndexes', input, found, (index) => `${index.logGroupIdentifier} ${index.fieldIndexName}`)
    .list((index) => index);
}

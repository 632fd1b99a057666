import type { DeepReadonly } from '@emu/core/service';
import type { InputOf, OutputOf, SubscriptionFilter } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { invalidParameter, limitExceeded, notFound } from '../errors.ts';
import { checkClass } from '../groups/group-classes.ts';
import { groupNamed } from '../lookup.ts';
import { checkExpressions } from '../metric-filters/pattern-quota.ts';
import { parseSystemCriteria, systemFieldsOf } from '../metric-filters/system-fields.ts';
import { paging } from '../paging.ts';
import { parsePattern } from '../patterns/parse.ts';
import { keyIn, type SubscriptionRecord } from '../records.ts';
import { checkTarget } from '../subscriptions/check.ts';

/** Maximum number of subscription filters per group. */
const MAX_FILTERS = 2;

/**
 * Creates or updates a subscription filter, which delivers events stored from now on.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`, `LimitExceededException`,
 * `InvalidOperationException`, `AccessDeniedException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutSubscriptionFilter.html
 */
export async function PutSubscriptionFilter(
  input: InputOf<'PutSubscriptionFilter'>,
  ctx: LogsContext,
): Promise<OutputOf<'PutSubscriptionFilter'>> {
  const { filterName: name, filterPattern, destinationArn, roleArn, distribution = 'ByLogStream' } = input;
  const { fieldSelectionCriteria: criteria } = input;
  parseSystemCriteria(criteria);
  const systemFields = systemFieldsOf(input.emitSystemFields);
  if (!systemFields)
    throw invalidParameter('The system fields that are sent with events must be @aws.account or @aws.region.');
  const pattern = parsePattern(filterPattern);
  // AWS checks the destination first.
  await checkTarget({ destinationArn, roleArn }, input.logGroupName, ctx);
  const { state, group } = groupNamed(input.logGroupName, ctx);
  checkClass(group, 'PutSubscriptionFilter');
  const key = keyIn(group.name, name);
  const existing = state.subscriptions.get(key);
  const own = [...state.subscriptions.values()].filter((filter) => filter.group === group.name);
  if (!existing && own.length >= MAX_FILTERS) throw limitExceeded();
  checkExpressions(state, group.name, pattern, key);
  state.subscriptions.put(key, {
    group: group.name,
    name,
    pattern: filterPattern,
    destinationArn,
    ...(roleArn !== undefined && { roleArn }),
    distribution,
    onTransformed: input.applyOnTransformedLogs ?? false,
    ...(criteria && { criteria }),
    ...(systemFields.length && { systemFields }),
    createdAt: existing?.createdAt ?? ctx.clock.now(),
  });
  if (existing) state.deliveries.wake(group);
  else state.deliveries.begin(key, [group]);
  return {};
}

/**
 * Deletes a subscription filter.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DeleteSubscriptionFilter.html
 */
export function DeleteSubscriptionFilter(
  input: InputOf<'DeleteSubscriptionFilter'>,
  ctx: LogsContext,
): OutputOf<'DeleteSubscriptionFilter'> {
  const { state, group } = groupNamed(input.logGroupName, ctx);
  const key = keyIn(group.name, input.filterName);
  if (!state.subscriptions.delete(key)) throw notFound('The specified subscription filter does not exist.');
  state.deliveries.end(key);
  return {};
}

/**
 * Lists the subscription filters of a group.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DescribeSubscriptionFilters.html
 */
export function DescribeSubscriptionFilters(
  input: InputOf<'DescribeSubscriptionFilters'>,
  ctx: LogsContext,
): OutputOf<'DescribeSubscriptionFilters'> {
  const { state, group } = groupNamed(input.logGroupName, ctx);
  const { filterNamePrefix: prefix } = input;
  const found = [...state.subscriptions.values()].filter(
    (filter) => filter.group === group.name && (prefix === undefined || filter.name.startsWith(prefix)),
  );
  return paging.page('DescribeSubscriptionFilters', input, found, ({ name }) => name).list(describe);
}

const describe = (filter: DeepReadonly<SubscriptionRecord>): SubscriptionFilter => ({
  filterName: filter.name,
  logGroupName: filter.group,
  filterPattern: filter.pattern,
  destinationArn: filter.destinationArn,
  ...(filter.roleArn !== undefined && { roleArn: filter.roleArn }),
  distribution: filter.distribution,
  applyOnTransformedLogs: filter.onTransformed,
  ...(filter.criteria !== undefined && { fieldSelectionCriteria: filter.criteria }),
  ...(filter.systemFields && { emitSystemFields: [...filter.systemFields] }),
  creationTime: filter.createdAt,
});

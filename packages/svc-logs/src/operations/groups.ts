import type { InputOf, LogGroup as LogGroupDescription, OutputOf } from '@emu/service-types/logs';
import type { LogsContext } from '../context.ts';
import { isFrom } from '../data-sources.ts';
import { alreadyExists, invalid, invalidParameter } from '../errors.ts';
import { type LogGroup, newGroup } from '../groups/groups.ts';
import { indexPoliciesOf } from '../index-policies.ts';
import { checkedKey } from '../kms.ts';
import { type GroupTarget, groupIdentified, groupNamed } from '../lookup.ts';
import { paging } from '../paging.ts';
import { groupType } from '../resources.ts';
import type { LogsState } from '../state.ts';
import { tagging } from '../tags.ts';

/** Retention of groups of the class DELIVERY in days; it cannot be changed. */
const DELIVERY_RETENTION = 2;

/**
 * Creates a log group.
 * @throws AwsError `InvalidParameterException`, `ResourceAlreadyExistsException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_CreateLogGroup.html
 */
export async function CreateLogGroup(input: InputOf<'CreateLogGroup'>, ctx: LogsContext): Promise<void> {
  const { logGroupName: name, logGroupClass = 'STANDARD', kmsKeyId, deletionProtectionEnabled = false } = input;
  if (/^aws\//i.test(name)) throw invalidParameter('Log groups starting with AWS/ are reserved for AWS.');
  const tags = tagging.merge(undefined, input.tags);
  const key = kmsKeyId === undefined ? undefined : await checkedKey(kmsKeyId, groupType.arn({ name }, ctx), ctx);
  const { state } = ctx;
  if (state.groups.find(name)) throw alreadyExists('The specified log group already exists');
  state.groups.create({
    ...newGroup(name, ctx.ids.uuid(), ctx.clock.now()),
    class: logGroupClass,
    ...(logGroupClass === 'DELIVERY' && { retentionInDays: DELIVERY_RETENTION }),
    ...(key !== undefined && { kmsKeyId: key }),
    deletionProtected: deletionProtectionEnabled,
    tags,
  });
  state.retention.enforce();
}

/**
 * Deletes a log group with all its contents.
 * @throws AwsError `ResourceNotFoundException`, `ValidationException` if it is protected
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DeleteLogGroup.html
 */
export async function DeleteLogGroup(input: InputOf<'DeleteLogGroup'>, ctx: LogsContext): Promise<void> {
  const { state, group } = groupNamed(input.logGroupName, ctx);
  checkUnprotected(group);
  state.drop(group);
  state.retention.enforce();
  await state.store.committed();
}

/** @throws AwsError `ValidationException` */
export function checkUnprotected({ record }: LogGroup): void {
  if (record.deletionProtected)
    throw invalid('Deletion protection is enabled for the specified log group. Disable it before you delete.');
}

/**
 * Sets the deletion protection of a log group and its streams.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutLogGroupDeletionProtection.html
 */
export function PutLogGroupDeletionProtection(
  input: InputOf<'PutLogGroupDeletionProtection'>,
  ctx: LogsContext,
): OutputOf<'PutLogGroupDeletionProtection'> {
  const { state, group } = groupIdentified(input.logGroupIdentifier, ctx);
  state.groups.update(group, (draft) => {
    draft.deletionProtected = input.deletionProtectionEnabled;
  });
  return {};
}

/** Returns the groups of several accounts, with their account ids. */
export function groupsOf(accountIds: readonly string[] | undefined, ctx: LogsContext): GroupTarget[] {
  const wanted = accountIds?.length ? accountIds : [ctx.accountId];
  return wanted.flatMap((accountId) => {
    const state = accountId === ctx.accountId ? ctx.state : ctx.handle.existingState(accountId, ctx.region);
    return state ? state.groups.list().map((group) => ({ state, group })) : [];
  });
}

/** Returns the accounts to list. If policies are enforced, only the own one: emu has no links between accounts. */
export const accountsOf = (
  include: boolean | undefined,
  accountIds: readonly string[] | undefined,
  ctx: LogsContext,
) => {
  if (!include) return undefined;
  if (ctx.enforced)
    return (accountIds ?? []).length === 0 || accountIds!.includes(ctx.accountId) ? [ctx.accountId] : [];
  if (accountIds?.length) return accountIds;
  const linked = [...ctx.handle.states()].filter(({ region }) => region === ctx.region);
  return [...new Set([ctx.accountId, ...linked.map(({ accountId }) => accountId)])];
};

/**
 * Lists log groups by name prefix or name pattern.
 * @throws AwsError `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DescribeLogGroups.html
 */
export function DescribeLogGroups(
  input: InputOf<'DescribeLogGroups'>,
  ctx: LogsContext,
): OutputOf<'DescribeLogGroups'> {
  const { logGroupNamePrefix: prefix, logGroupNamePattern: pattern, logGroupIdentifiers, logGroupClass } = input;
  if (prefix !== undefined && pattern !== undefined)
    throw invalidParameter('LogGroup name prefix and LogGroup name pattern are mutually exclusive parameters.');
  if (logGroupIdentifiers && (prefix !== undefined || pattern !== undefined))
    throw invalidParameter('LogGroup identifiers cannot be specified with a name prefix or a name pattern.');
  const all = logGroupIdentifiers
    ? logGroupIdentifiers.map((identifier) => groupIdentified(identifier, ctx))
    : groupsOf(accountsOf(input.includeLinkedAccounts, input.accountIdentifiers, ctx), ctx);
  const found = all.filter(
    ({ group: { name, record } }) =>
      (prefix === undefined || name.startsWith(prefix)) &&
      (pattern === undefined || name.includes(pattern)) &&
      (logGroupClass === undefined || record.class === logGroupClass),
  );
  const whole = pattern === undefined;
  return paging
    .page('DescribeLogGroups', input, found, ({ group, state }) => `${group.name} ${state.accountId}`)
    .list(({ group, state }) => describe(group, state, whole));
}

/** @param whole whether to include members that AWS omits in a search by pattern */
function describe({ record, key }: LogGroup, state: LogsState, whole: boolean): LogGroupDescription {
  const logGroupArn = groupType.arn({ name: record.name }, state);
  const bytes = state.store.segments(key).reduce((sum, segment) => sum + segment.bytes, 0);
  return {
    logGroupName: record.name,
    creationTime: record.createdAt,
    ...(record.retentionInDays !== undefined && { retentionInDays: record.retentionInDays }),
    metricFilterCount: state.metrics.of(record.name).length,
    arn: `${logGroupArn}:*`,
    ...(whole && { storedBytes: bytes }),
    ...(record.kmsKeyId !== undefined && { kmsKeyId: record.kmsKeyId }),
    ...(record.dataProtection && { dataProtectionStatus: 'ACTIVATED' as const }),
    ...(state.protection.isInherited && { inheritedProperties: ['ACCOUNT_DATA_PROTECTION' as const] }),
    logGroupClass: record.class,
    logGroupArn,
    ...(whole && { deletionProtectionEnabled: record.deletionProtected }),
    ...(record.bearerTokens !== undefined && { bearerTokenAuthenticationEnabled: record.bearerTokens }),
  };
}

/**
 * Lists log groups by a regular expression on their names.
 * @throws AwsError `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_ListLogGroups.html
 */
export function ListLogGroups(input: InputOf<'ListLogGroups'>, ctx: LogsContext): OutputOf<'ListLogGroups'> {
  const { logGroupNamePattern, logGroupClass, includeLinkedAccounts, accountIdentifiers, dataSources } = input;
  const { logGroupTags = [], fieldIndexNames = [] } = input;
  const names = nameExpression(logGroupNamePattern);
  const found = groupsOf(accountsOf(includeLinkedAccounts, accountIdentifiers, ctx), ctx).filter(({ group, state }) => {
    const { name, record } = group;
    const indexed = fieldIndexNames.length ? indexPoliciesOf(state, group).flatMap(({ fields }) => fields) : [];
    return (
      names(name) &&
      (logGroupClass === undefined || record.class === logGroupClass) &&
      isFrom(record.tags, dataSources) &&
      fieldIndexNames.every((field) => indexed.includes(field)) &&
      logGroupTags.every(({ key, values }) => hasTag(record.tags, key, values))
    );
  });
  return paging
    .page('ListLogGroups', input, found, ({ group, state }) => `${group.name} ${state.accountId}`)
    .list(({ group, state }) => ({
      logGroupName: group.name,
      logGroupArn: groupType.arn({ name: group.name }, state),
      logGroupClass: group.record.class,
    }));
}

/** Whether a tag exists, with one of the values if any are given. */
const hasTag = (tags: Readonly<Record<string, string>>, key: string, values: readonly string[] | undefined): boolean =>
  Object.hasOwn(tags, key) && (!values?.length || values.includes(tags[key]!));

/**
 * Converts a search pattern to a test of names: substrings separated by `|`, of which `^` anchors one to the start.
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_ListLogGroups.html
 */
export function nameExpression(pattern: string | undefined): (name: string) => boolean {
  if (pattern === undefined) return () => true;
  const parts = pattern.split('|').map((part) => ({ start: part.startsWith('^'), text: part.replace(/^\^/, '') }));
  return (name) => parts.some(({ start, text }) => (start ? name.startsWith(text) : name.includes(text)));
}

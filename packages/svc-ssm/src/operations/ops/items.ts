import type { InputOf, OpsItemDataValue, OutputOf } from '@emu/service-types/ssm';
import type { SsmContext } from '../../context.ts';
import { ssmError } from '../../errors.ts';
import { announceItem } from '../../ops/announcements.ts';
import { addOpsItem, authorOf, checkOpsItem, dedupString, ISSUE, opsItemArn, opsItemAt } from '../../ops/items.ts';
import type { OpsItemTimes } from '../../ops/records.ts';
import { opsItemFilter } from '../../ops/searching.ts';
import type { OpsItem } from '../../ops/store.ts';
import { paging } from '../../paging.ts';
import { tagging } from '../../tags.ts';

const TIMES = ['ActualStartTime', 'ActualEndTime', 'PlannedStartTime', 'PlannedEndTime'] as const;

const timesIn = (input: { [Name in (typeof TIMES)[number]]?: Date | undefined }): OpsItemTimes =>
  Object.fromEntries(TIMES.flatMap((name) => (input[name] ? [[name, input[name].getTime()]] : [])));

const datesOf = (times: OpsItemTimes): { [Name in (typeof TIMES)[number]]?: Date } =>
  Object.fromEntries(Object.entries(times).map(([name, time]) => [name, new Date(time as number)]));

/** Returns the members common to list entries and single OpsItems. */
const summaryOf = (item: OpsItem) => ({
  CreatedBy: item.createdBy,
  CreatedTime: new Date(item.createdAt),
  LastModifiedBy: item.modifiedBy,
  LastModifiedTime: new Date(item.modifiedAt),
  Priority: item.priority,
  Source: item.source,
  Status: item.status,
  OpsItemId: item.id,
  Title: item.title,
  Category: item.category,
  Severity: item.severity,
  OpsItemType: item.type,
  ...datesOf(item.times),
});

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_CreateOpsItem.html */
export function CreateOpsItem(input: InputOf<'CreateOpsItem'>, ctx: SsmContext): OutputOf<'CreateOpsItem'> {
  const { state, ids, clock, accountId } = ctx;
  if (input.AccountId !== undefined && input.AccountId !== accountId)
    throw ssmError(
      'OpsItemAccessDeniedException',
      `Account ${accountId} is not set up to work with OpsItems of account ${input.AccountId}.`,
    );
  const { OpsItemType: type = ISSUE, Source: source, Category: category, Severity: severity } = input;
  const operationalData = input.OperationalData ?? {};
  checkOpsItem({ type, source, category, severity, operationalData });
  const cause = dedupString(operationalData);
  const same =
    cause === undefined
      ? undefined
      : [...state.ops.items.values()].find(
          (item) =>
            item.status !== 'Resolved' &&
            item.source === source &&
            dedupString(item.operationalData as Record<string, OpsItemDataValue>) === cause,
        );
  if (same)
    throw ssmError('OpsItemAlreadyExistsException', `The OpsItem already exists: ${same.id}.`, {
      members: { OpsItemId: same.id },
    });
  const tags = tagging.merge(undefined, input.Tags);
  const id = `oi-${ids.hex(12)}`;
  addOpsItem(
    {
      id,
      type,
      title: input.Title,
      description: input.Description,
      source,
      status: type === '/aws/changerequest' ? 'Pending' : 'Open',
      priority: input.Priority,
      category,
      severity,
      operationalData,
      notifications: input.Notifications ?? [],
      relatedItems: input.RelatedOpsItems ?? [],
      times: timesIn(input),
      tags,
    },
    clock.now(),
    ctx,
  );
  return { OpsItemId: id, OpsItemArn: opsItemArn(id, ctx) };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_UpdateOpsItem.html */
export function UpdateOpsItem(input: InputOf<'UpdateOpsItem'>, ctx: SsmContext): OutputOf<'UpdateOpsItem'> {
  const { state, clock, principal } = ctx;
  const { type } = opsItemAt(input.OpsItemId, ctx);
  const { Category: category, Severity: severity, Status: status, OperationalData: operationalData } = input;
  checkOpsItem({ type, category, severity, status, ...(operationalData && { operationalData }) });
  if (operationalData) dedupString(operationalData);
  const updated = state.ops.items.update(input.OpsItemId, (draft) => {
    draft.title = input.Title ?? draft.title;
    draft.description = input.Description ?? draft.description;
    draft.priority = input.Priority ?? draft.priority;
    draft.category = category ?? draft.category;
    draft.severity = severity ?? draft.severity;
    draft.status = status ?? draft.status;
    draft.notifications = input.Notifications ?? draft.notifications;
    draft.relatedItems = input.RelatedOpsItems ?? draft.relatedItems;
    Object.assign(draft.operationalData, operationalData);
    for (const key of input.OperationalDataToDelete ?? []) delete draft.operationalData[key];
    Object.assign(draft.times, timesIn(input));
    draft.version++;
    draft.modifiedAt = clock.now();
    draft.modifiedBy = principal.arn;
  });
  announceItem('OpsItem Update', updated, authorOf(ctx));
  return {};
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetOpsItem.html */
export function GetOpsItem(input: InputOf<'GetOpsItem'>, ctx: SsmContext): OutputOf<'GetOpsItem'> {
  const item = opsItemAt(input.OpsItemId, ctx);
  return {
    OpsItem: {
      ...summaryOf(item),
      Description: item.description,
      Notifications: item.notifications.map((one) => ({ ...one })),
      RelatedOpsItems: item.relatedItems.map((one) => ({ ...one })),
      OperationalData: { ...item.operationalData },
      Version: String(item.version),
      OpsItemArn: opsItemArn(item.id, ctx),
    },
  };
}

/**
 * Deletes an OpsItem; succeeds for an unknown one.
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DeleteOpsItem.html
 */
export function DeleteOpsItem(input: InputOf<'DeleteOpsItem'>, { state }: SsmContext): OutputOf<'DeleteOpsItem'> {
  state.ops.deleteItem(input.OpsItemId);
  state.access.remove(input.OpsItemId);
  return {};
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeOpsItems.html */
export function DescribeOpsItems(input: InputOf<'DescribeOpsItems'>, ctx: SsmContext): OutputOf<'DescribeOpsItems'> {
  const passes = opsItemFilter(input.OpsItemFilters, ctx);
  const listed = [...ctx.state.ops.items.values()].filter(passes);
  return paging
    .page('DescribeOpsItems', input, listed, ({ id }) => id)
    .list((item) => ({
      ...summaryOf(item),
      // Only GetOpsItem returns data that is not searchable.
      OperationalData: Object.fromEntries(
        Object.entries(item.operationalData).filter(([, { Type }]) => Type === 'SearchableString'),
      ),
    }));
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ListOpsItemEvents.html */
export function ListOpsItemEvents(input: InputOf<'ListOpsItemEvents'>, ctx: SsmContext): OutputOf<'ListOpsItemEvents'> {
  const wanted = input.Filters?.map(({ Values }) => Values);
  for (const id of wanted?.flat() ?? []) opsItemAt(id, ctx);
  const listed = [...ctx.state.ops.events.values()].filter(({ opsItemId }) =>
    (wanted ?? []).every((values) => values.includes(opsItemId)),
  );
  return paging
    .page('ListOpsItemEvents', input, listed, ({ at, id }) => `${String(at).padStart(16, '0')} ${id}`)
    .list((event) => ({
      OpsItemId: event.opsItemId,
      EventId: event.id,
      Source: 'aws.ssm',
      DetailType: event.detailType,
      Detail: event.detail,
      CreatedBy: { Arn: event.by },
      CreatedTime: new Date(event.at),
    }));
}

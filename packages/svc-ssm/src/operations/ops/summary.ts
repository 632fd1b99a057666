import { notEmulated } from '@emu/core/service';
import type { InputOf, OpsAggregator, OpsFilter, OutputOf } from '@emu/service-types/ssm';
import { compares } from '../../comparisons.ts';
import type { SsmContext } from '../../context.ts';
import { ssmError } from '../../errors.ts';
import type { OpsItem } from '../../ops/store.ts';
import { paging } from '../../paging.ts';

const TYPE = 'AWS:OpsItem';

type Row = Record<string, string>;

/** Returns a summary row for an OpsItem of an account. */
const rowOf = (item: OpsItem, AccountId: string): Row => ({
  AccountId,
  Category: item.category ?? '',
  CreatedBy: item.createdBy,
  CreatedTime: new Date(item.createdAt).toISOString(),
  Description: item.description,
  LastModifiedBy: item.modifiedBy,
  LastModifiedTime: new Date(item.modifiedAt).toISOString(),
  Notifications: item.notifications.length ? JSON.stringify(item.notifications) : '',
  OperationalData: JSON.stringify(
    Object.fromEntries(
      Object.entries(item.operationalData).map(([key, { Type, Value }]) => [key, { type: Type, value: Value }]),
    ),
  ),
  OpsItemId: item.id,
  OpsItemType: item.type,
  Priority: item.priority === undefined ? '' : String(item.priority),
  RelatedItems: item.relatedItems.length ? JSON.stringify(item.relatedItems) : '',
  Severity: item.severity ?? '',
  Source: item.source,
  Status: item.status,
  Title: item.title,
});

function rowFilter(filters: readonly OpsFilter[] = []): (row: Row) => boolean {
  const tests = filters.map(({ Key, Values, Type = 'Equal' }) => {
    const name = Key.startsWith(`${TYPE}.`) ? Key.slice(TYPE.length + 1) : undefined;
    if (name === undefined || Type === 'Exists') throw ssmError('InvalidFilter', `The filter ${Key} is not valid.`);
    return (row: Row) => row[name] !== undefined && compares(row[name], Type, Values);
  });
  return (row) => tests.every((test) => test(row));
}

/** Counts rows by value of an attribute, recursively for nested aggregators. */
function countBy(
  rows: readonly Row[],
  { AggregatorType, TypeName, AttributeName, Values, Filters, Aggregators }: OpsAggregator,
): Row[] {
  if (AggregatorType !== undefined && AggregatorType !== 'count')
    throw notEmulated(`aggregators of type ${AggregatorType} of ssm`);
  if (TypeName !== undefined && TypeName !== TYPE)
    throw ssmError('InvalidTypeNameException', `The type ${TypeName} is not valid.`);
  if (Values) throw ssmError('InvalidAggregatorException', 'An aggregator of type count has no values.');
  if (AttributeName === undefined) throw ssmError('InvalidAggregatorException', 'The aggregator has no attribute.');
  const passing = rows.filter(rowFilter(Filters));
  return [...new Set(passing.map((row) => row[AttributeName]))].flatMap((value) => {
    if (value === undefined) return [];
    const same = passing.filter((row) => row[AttributeName] === value);
    const own = { [AttributeName]: value };
    return Aggregators
      ? Aggregators.flatMap((nested) => countBy(same, nested)).map((row) => ({ ...own, ...row }))
      : [{ ...own, Count: String(same.length) }];
  });
}

/**
 * Summarizes the OpsItems of the account, including those of the regions that a sync collects.
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetOpsSummary.html
 */
export function GetOpsSummary(input: InputOf<'GetOpsSummary'>, ctx: SsmContext): OutputOf<'GetOpsSummary'> {
  const { accountId, region, handle, clock } = ctx;
  const other = input.ResultAttributes?.find(({ TypeName }) => TypeName !== TYPE);
  if (other) throw notEmulated(`operational data of type ${other.TypeName} of ssm`);
  const regions = input.SyncName === undefined ? [region] : ctx.state.syncs.sourceRegions(input.SyncName);
  const rows = regions
    .flatMap((one) => [...(handle.existingState(accountId, one)?.ops.items.values() ?? [])])
    .map((item) => rowOf(item, accountId))
    .filter(rowFilter(input.Filters));
  if (input.Aggregators) {
    const Content = input.Aggregators.flatMap((aggregator) => countBy(rows, aggregator));
    return { Entities: [{ Data: { [TYPE]: { Content } } }] };
  }
  const CaptureTime = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
  return paging
    .page('GetOpsSummary', input, rows, ({ OpsItemId = '' }) => OpsItemId)
    .list((row) => ({
      Id: row.OpsItemId,
      Data: { [TYPE]: { CaptureTime, Content: [row] } },
    }));
}

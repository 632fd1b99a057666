import { notEmulated } from '@emu/core/service';
import type { ContributorInsightsSummary, InputOf, OutputOf } from '@emu/service-types/dynamodb';
import type { DynamodbContext } from '../context.ts';
import { namedTable } from '../context.ts';
import { dynamodbError } from '../errors.ts';
import { paging } from '../paging.ts';
import type { Table } from '../tables/table.ts';

/** Storage key of the table's own settings, which no index can have. */
const TABLE = '';

function checkIndex(table: Table, indexName: string | undefined): string {
  if (indexName === undefined) return TABLE;
  if (table.index(indexName)?.kind === 'global') return indexName;
  throw dynamodbError(
    'ResourceNotFoundException',
    `Requested resource not found: Index: ${indexName} of table: ${table.name} not found`,
  );
}

function settingsOf({ record: { insights } }: Table, name: string) {
  return insights && Object.hasOwn(insights, name) ? insights[name] : undefined;
}

/**
 * Disables the rules of a table or index; enabling is unsupported, as nothing reports to CloudWatch.
 * @throws AwsError `ResourceNotFoundException`; `NotImplemented` to enable them
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateContributorInsights.html
 */
export function UpdateContributorInsights(
  input: InputOf<'UpdateContributorInsights'>,
  ctx: DynamodbContext,
): OutputOf<'UpdateContributorInsights'> {
  const table = namedTable(ctx, input.TableName);
  const name = checkIndex(table, input.IndexName);
  if (input.ContributorInsightsAction === 'ENABLE') throw notEmulated('contributor insights', 'dynamodb');
  table.update((draft) => {
    draft.insights = { ...draft.insights, [name]: { changedAt: ctx.clock.now() } };
  });
  return { TableName: table.name, IndexName: input.IndexName, ContributorInsightsStatus: 'DISABLING' };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeContributorInsights.html */
export function DescribeContributorInsights(
  input: InputOf<'DescribeContributorInsights'>,
  ctx: DynamodbContext,
): OutputOf<'DescribeContributorInsights'> {
  const table = namedTable(ctx, input.TableName);
  const name = checkIndex(table, input.IndexName);
  const settings = settingsOf(table, name);
  return {
    TableName: table.name,
    IndexName: input.IndexName,
    ContributorInsightsStatus: 'DISABLED',
    LastUpdateDateTime: settings && new Date(settings.changedAt),
  };
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListContributorInsights.html */
export function ListContributorInsights(
  input: InputOf<'ListContributorInsights'>,
  ctx: DynamodbContext,
): OutputOf<'ListContributorInsights'> {
  const tables =
    input.TableName === undefined
      ? ctx.state.tableNames().map((name) => ctx.state.table(name)!)
      : [namedTable(ctx, input.TableName)];
  const all = tables.flatMap((table) =>
    Object.keys(table.record.insights ?? {}).map(
      (name): ContributorInsightsSummary => ({
        TableName: table.name,
        IndexName: name === TABLE ? undefined : name,
        ContributorInsightsStatus: 'DISABLED',
      }),
    ),
  );
  const keyOf = ({ TableName, IndexName = '' }: ContributorInsightsSummary) => `${TableName}/${IndexName}`;
  return paging.page('ListContributorInsights', input, all, keyOf).list((summary) => summary);
}

import type {
  ContributorInsightsSummary,
  DescribeContributorInsightsInput,
  DescribeContributorInsightsOutput,
  ListContributorInsightsInput,
  ListContributorInsightsOutput,
  UpdateContributorInsightsInput,
  UpdateContributorInsightsOutput,
} from '@emu/service-types/dynamodb';
import { awsError } from '@emu/wire';
import { type Context, namedTable } from '../context.ts';
import { paging } from '../paging.ts';
import type { Table } from '../tables/table.ts';

/** Under which name the settings of the table itself are kept, which no index can have. */
const TABLE = '';

function checkIndex(table: Table, indexName: string | undefined): string {
  if (indexName === undefined) return TABLE;
  if (table.index(indexName)?.kind === 'global') return indexName;
  throw awsError(
    'ResourceNotFoundException',
    `Requested resource not found: Index: ${indexName} of table: ${table.name} not found`,
  );
}

function settingsOf({ record: { insights } }: Table, name: string) {
  return insights && Object.hasOwn(insights, name) ? insights[name] : undefined;
}

/** Names of the CloudWatch rules: most accessed and most throttled, by partition key and by sort key. */
function rulesOf(table: Table, name: string, mode: string, since: number): string[] {
  const schema = name === TABLE ? table.primary.schema : table.index(name)!.items.schema;
  const subject = [table.name, ...(name === TABLE ? [] : [name]), since].join('-');
  const kinds = mode === 'THROTTLED_KEYS' ? ['T'] : ['C', 'T'];
  return kinds.flatMap((kind) => [
    `DynamoDBContributorInsights-PK${kind}-${subject}`,
    ...(schema.range.length ? [`DynamoDBContributorInsights-SK${kind}-${subject}`] : []),
  ]);
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateContributorInsights.html */
export function UpdateContributorInsights(
  input: UpdateContributorInsightsInput,
  ctx: Context,
): UpdateContributorInsightsOutput {
  const table = namedTable(ctx, input.TableName);
  const name = checkIndex(table, input.IndexName);
  const enabled = input.ContributorInsightsAction === 'ENABLE';
  const mode =
    input.ContributorInsightsMode ?? settingsOf(table, name)?.mode ?? ('ACCESSED_AND_THROTTLED_KEYS' as const);
  table.update((draft) => {
    draft.insights = { ...draft.insights, [name]: { enabled, mode, changedAt: ctx.clock.now() } };
  });
  return {
    TableName: table.name,
    IndexName: input.IndexName,
    ContributorInsightsStatus: enabled ? 'ENABLING' : 'DISABLING',
    ContributorInsightsMode: enabled ? mode : undefined,
  };
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeContributorInsights.html */
export function DescribeContributorInsights(
  input: DescribeContributorInsightsInput,
  ctx: Context,
): DescribeContributorInsightsOutput {
  const table = namedTable(ctx, input.TableName);
  const name = checkIndex(table, input.IndexName);
  const settings = settingsOf(table, name);
  return {
    TableName: table.name,
    IndexName: input.IndexName,
    ContributorInsightsRuleList: settings?.enabled
      ? rulesOf(table, name, settings.mode, settings.changedAt)
      : undefined,
    ContributorInsightsStatus: settings?.enabled ? 'ENABLED' : 'DISABLED',
    LastUpdateDateTime: settings && new Date(settings.changedAt),
    ContributorInsightsMode: settings?.enabled ? settings.mode : undefined,
  };
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ListContributorInsights.html */
export function ListContributorInsights(
  input: ListContributorInsightsInput,
  ctx: Context,
): ListContributorInsightsOutput {
  const tables =
    input.TableName === undefined
      ? ctx.state.tableNames().map((name) => ctx.state.table(name)!)
      : [namedTable(ctx, input.TableName)];
  const all = tables.flatMap((table) =>
    Object.entries(table.record.insights ?? {}).map(
      ([name, { enabled, mode }]): ContributorInsightsSummary => ({
        TableName: table.name,
        IndexName: name === TABLE ? undefined : name,
        ContributorInsightsStatus: enabled ? 'ENABLED' : 'DISABLED',
        ContributorInsightsMode: enabled ? mode : undefined,
      }),
    ),
  );
  const keyOf = ({ TableName, IndexName = '' }: ContributorInsightsSummary) => `${TableName}/${IndexName}`;
  return paging.page('ListContributorInsights', input, all, keyOf).list((summary) => summary);
}

import {
  type AnyQuota,
  defineQuotas,
  listedQuotas,
  type NumberQuota,
  oneMore,
  type QuotaFacts,
} from '@emu/core/service';
import type { CreateTableInput, DynamodbOperations, UpdateTableInput } from '@emu/service-types/dynamodb';
import type { AwsError } from '@emu/wire';
import { dynamodbError, invalid } from './errors.ts';
import { tableType } from './resources.ts';
import type { DynamoState } from './state.ts';
import { provisionedUnits, type Units } from './tables/provisioned.ts';
import type { Table } from './tables/table.ts';

const PAGE = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html';
const dynamodb = (code: string, name: string, defaultValue: number) => ({
  serviceCode: 'dynamodb',
  code,
  name,
  defaultValue,
  adjustable: true,
  page: PAGE,
});

/** Maximum provisioned units of one table with its indexes, and of all tables. */
export const THROUGHPUT = {
  tableRead: dynamodb('L-CF0CBE56', 'Table-level read throughput limit', 40_000),
  tableWrite: dynamodb('L-AB614373', 'Table-level write throughput limit', 40_000),
  accountRead: dynamodb('L-34F6A552', 'Account-level read throughput limit (Provisioned mode)', 80_000),
  accountWrite: dynamodb('L-34F8CCC8', 'Account-level write throughput limit (Provisioned mode)', 80_000),
};

const limitExceeded = (message: string): AwsError => dynamodbError('LimitExceededException', message);

/** Returns the table of a request if it belongs to the account and region. */
function ownTable(name: string, state: DynamoState): Table | undefined {
  const { accountId, region } = state.scope;
  const address = tableType.parse(name);
  if (!address) return state.table(name);
  const { place, key } = address;
  return place.accountId === accountId && place.region === region ? state.table(key.table) : undefined;
}

type Throughputs = readonly { readonly ReadCapacityUnits: number; readonly WriteCapacityUnits: number }[];
const sum = (throughputs: Throughputs): Units => ({
  read: throughputs.reduce((total, { ReadCapacityUnits }) => total + ReadCapacityUnits, 0),
  write: throughputs.reduce((total, { WriteCapacityUnits }) => total + WriteCapacityUnits, 0),
});

/** Returns the provisioned units of a new table; undefined for on-demand tables and existing ones. */
function unitsOfNew(input: CreateTableInput, state: DynamoState): Units | undefined {
  if (input.BillingMode === 'PAY_PER_REQUEST' || ownTable(input.TableName, state)) return undefined;
  return sum([input, ...(input.GlobalSecondaryIndexes ?? [])].flatMap((each) => each.ProvisionedThroughput ?? []));
}

/** Returns the provisioned units of a table after an update; undefined if it becomes on-demand or does not exist. */
function unitsOfUpdated(input: UpdateTableInput, table: Table | undefined): Units | undefined {
  const mode = input.BillingMode ?? table?.record.billingMode;
  if (!table || mode === 'PAY_PER_REQUEST') return undefined;
  const { throughput, globalIndexes } = table.record;
  const units = ({ read, write }: Units) => ({ ReadCapacityUnits: read, WriteCapacityUnits: write });
  const indexes = new Map(globalIndexes.map((index) => [index.name, units(index.throughput)]));
  for (const { Create, Update, Delete } of input.GlobalSecondaryIndexUpdates ?? []) {
    const given = Create ?? Update;
    if (given?.ProvisionedThroughput) indexes.set(given.IndexName, given.ProvisionedThroughput);
    if (Delete) indexes.delete(Delete.IndexName);
  }
  return sum([input.ProvisionedThroughput ?? units(throughput), ...indexes.values()]);
}

/** Returns the quotas of provisioned throughput of one table and of all tables. */
const throughput = (kind: keyof Units, ofTable: QuotaFacts, ofAll: QuotaFacts) => {
  const refuse = (whose: string) => (limit: number) =>
    limitExceeded(
      `Subscriber limit exceeded: Provisioned ${kind} throughput exceeds the ${whose} limit of ${limit} units`,
    );
  const more = (units: Units | undefined, input: UpdateTableInput, state: DynamoState): number | undefined => {
    const table = ownTable(input.TableName, state);
    return units && table && units[kind] > provisionedUnits(table.record)[kind] ? units[kind] : undefined;
  };
  const perTable: NumberQuota<DynamodbOperations, DynamoState> = {
    ...ofTable,
    grows: {
      CreateTable: (input, state) => unitsOfNew(input, state)?.[kind],
      UpdateTable: (input, state) => more(unitsOfUpdated(input, ownTable(input.TableName, state)), input, state),
    },
    error: refuse('per-table'),
  };
  const ofAccount: NumberQuota<DynamodbOperations, DynamoState> = {
    ...ofAll,
    usage: ({ provisioned }) => provisioned[kind],
    grows: {
      CreateTable(input, state) {
        const units = unitsOfNew(input, state);
        return units && state.provisioned[kind] + units[kind];
      },
      UpdateTable(input, state) {
        const table = ownTable(input.TableName, state);
        const units = more(unitsOfUpdated(input, table), input, state);
        return units === undefined
          ? undefined
          : state.provisioned[kind] + units - provisionedUnits(table!.record)[kind];
      },
    },
    error: refuse('account'),
  };
  return [perTable, ofAccount];
};

/** Enforceable quotas of DynamoDB. */
export const quotas: readonly AnyQuota[] = defineQuotas<DynamodbOperations, DynamoState>([
  {
    ...dynamodb('L-F98FE922', 'Maximum number of tables', 2500),
    usage: (state) => tableType.count(state),
    grows: {
      CreateTable: oneMore(tableType),
      RestoreTableFromBackup: ({ TargetTableName }, state) =>
        state.table(TargetTableName) ? undefined : state.tableNumber + 1,
      RestoreTableToPointInTime: ({ TargetTableName }, state) =>
        state.table(TargetTableName) ? undefined : state.tableNumber + 1,
      ImportTable: ({ TableCreationParameters: { TableName } }, state) =>
        state.table(TableName) ? undefined : state.tableNumber + 1,
    },
    error: (limit) => limitExceeded(`Subscriber limit exceeded: There is a limit of ${limit} tables per subscriber`),
  },
  {
    ...dynamodb('L-F7858A77', 'Global Secondary Indexes per table', 20),
    grows: {
      CreateTable: ({ GlobalSecondaryIndexes: indexes }) => indexes?.length,
      UpdateTable({ TableName, GlobalSecondaryIndexUpdates: updates = [] }, state) {
        const created = updates.filter(({ Create }) => Create).length;
        const table = ownTable(TableName, state);
        return table && created ? table.record.globalIndexes.length + created : undefined;
      },
    },
    error(limit, input) {
      const sentence = `GlobalSecondaryIndex count exceeds the per-table limit of ${limit}`;
      return (input as CreateTableInput).GlobalSecondaryIndexes
        ? invalid(`One or more parameter values were invalid: ${sentence}`)
        : limitExceeded(sentence);
    },
  },
  ...throughput('read', THROUGHPUT.tableRead, THROUGHPUT.accountRead),
  ...throughput('write', THROUGHPUT.tableWrite, THROUGHPUT.accountWrite),
  ...listedQuotas({ serviceCode: 'dynamodb', page: PAGE }, [
    ['L-1BB77E89', 'Concurrent control plane operations', 500, { adjustable: true }],
    ['L-F3CA5463', 'Provisioned capacity decreases per day', 27, { adjustable: true }],
    ['L-923BEB7A', 'Write throughput limit for DynamoDB Streams (Provisioned mode)', 40_000, { adjustable: true }],
  ]),
]);

import { defineResource, type Place, type ResourceAddress, taggedResource } from '@emu/core/service';
import { asString } from '@emu/wire';
import type { DynamoState } from './state.ts';
import type { Table } from './tables/table.ts';
import { tagging } from './tags.ts';

type Input = Readonly<Record<string, unknown>>;

/** Members that name a resource by ARN, in order of precedence. */
const ARN_MEMBERS = ['ResourceArn', 'BackupArn', 'ExportArn', 'ImportArn', 'TableArn', 'StreamArn'] as const;

const arnIn = (input: Input): string | undefined => {
  if (input.TableName !== undefined || input.GlobalTableName !== undefined) return undefined;
  return ARN_MEMBERS.map((member) => asString(input[member])).find((arn) => arn !== undefined);
};

/** Returns the policy of a resource that shares its table's policy. */
const tablePolicy = (state: DynamoState, { table }: { table: string }): string | undefined => {
  const arn = state.table(table)?.record.arn;
  return arn === undefined ? undefined : state.policies.get(arn)?.policy;
};
const tableTags = (state: DynamoState, { table }: { table: string }) => state.table(table)?.record.tags;

const tablesOf = (state: DynamoState): Table[] => state.tableNames().map((name) => state.table(name)!);

/**
 * Tables, identified by name or ARN.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html
 */
export const tableType = defineResource({
  name: 'table',
  service: 'dynamodb',
  scope: 'region',
  format: 'table/{table}',
  cloudFormation: 'AWS::DynamoDB::Table',
  identify(input, place): ResourceAddress<{ table: string }> | undefined {
    const table = asString(input.TableName);
    if (table !== undefined) return tableAddress(table, place);
    const arn = arnIn(input);
    return arn === undefined ? undefined : tableType.parse(arn);
  },
  find: (state: DynamoState, { table }) => (state.table(table) ? { table } : undefined),
  list: (state) => state.tableNames().map((table) => ({ table })),
  count: ({ tableNumber }) => tableNumber,
  tagged: {
    tagging,
    find(state, { table: name }) {
      const table = state.table(name);
      return taggedResource(
        () => table?.record,
        (change) => table!.update(change),
      );
    },
  },
  policy: tablePolicy,
});

/** Secondary indexes, which share the policies and tags of their tables. */
export const indexType = defineResource({
  name: 'index',
  service: 'dynamodb',
  scope: 'region',
  format: 'table/{table}/index/{index}',
  identify(input, place) {
    const table = asString(input.TableName);
    const index = asString(input.IndexName);
    if (table === undefined || index === undefined) return undefined;
    const address = tableAddress(table, place);
    return { place: address.place, key: { table: address.key.table, index } };
  },
  find: (state: DynamoState, { table, index }) => (state.table(table)?.index(index) ? { table, index } : undefined),
  list: (state) =>
    tablesOf(state).flatMap(({ name, indexes }) => indexes.map((index) => ({ table: name, index: index.name }))),
  tags: tableTags,
  untagged: true,
  policy: tablePolicy,
});

interface StreamKey {
  table: string;
  label: string;
}

/** Streams of tables, which have policies of their own. */
export const streamType = defineResource({
  name: 'stream',
  service: 'dynamodb',
  scope: 'region',
  format: 'table/{table}/stream/{label+}',
  identify(input): ResourceAddress<StreamKey> | undefined {
    const arn = arnIn(input);
    return arn === undefined ? undefined : streamType.parse(arn);
  },
  find: (state: DynamoState, key): StreamKey | undefined =>
    state.streams.info(streamType.arn(key, state.scope)) ? key : undefined,
  list: (state): StreamKey[] => state.streams.list().map(({ tableName, label }) => ({ table: tableName, label })),
  tags: tableTags,
  untagged: true,
  policy: (state, key): string | undefined => state.policies.get(streamType.arn(key, state.scope))?.policy,
});

interface BackupKey {
  table: string;
  backup: string;
}

/** Backups of tables, which may have been deleted. */
export const backupType = defineResource({
  name: 'backup',
  service: 'dynamodb',
  scope: 'region',
  format: 'table/{table}/backup/{backup}',
  identify(input): ResourceAddress<BackupKey> | undefined {
    const arn = arnIn(input);
    return arn === undefined ? undefined : backupType.parse(arn);
  },
  find: (state: DynamoState, key): BackupKey | undefined =>
    state.backups.get(backupType.arn(key, state.scope)) ? key : undefined,
  list: (state): BackupKey[] => state.backups.list().map(({ table, id }) => ({ table: table.name, backup: id })),
  tags: tableTags,
  untagged: true,
  policy: tablePolicy,
});

interface ExportKey {
  table: string;
  export: string;
}

/** Exports of tables to S3. */
export const exportType = defineResource({
  name: 'export',
  service: 'dynamodb',
  scope: 'region',
  format: 'table/{table}/export/{export}',
  identify(input): ResourceAddress<ExportKey> | undefined {
    const arn = arnIn(input);
    return arn === undefined ? undefined : exportType.parse(arn);
  },
  find: (state: DynamoState, key): ExportKey | undefined =>
    state.exports.has(exportType.arn(key, state.scope)) ? key : undefined,
  list: (state): ExportKey[] => [...state.exports.keys()].map((arn) => exportType.parse(arn)!.key),
  tags: tableTags,
  untagged: true,
  policy: tablePolicy,
});

interface ImportKey {
  table: string;
  import: string;
}

/** Imports of tables from S3. */
export const importType = defineResource({
  name: 'import',
  service: 'dynamodb',
  scope: 'region',
  format: 'table/{table}/import/{import}',
  identify(input): ResourceAddress<ImportKey> | undefined {
    const arn = arnIn(input);
    return arn === undefined ? undefined : importType.parse(arn);
  },
  find: (state: DynamoState, key): ImportKey | undefined =>
    state.imports.has(importType.arn(key, state.scope)) ? key : undefined,
  list: (state): ImportKey[] => [...state.imports.keys()].map((arn) => importType.parse(arn)!.key),
  tags: tableTags,
  untagged: true,
  policy: tablePolicy,
});

/** Version of global tables that are separate resources; later versions are tables. */
const LEGACY = '2017.11.29';

const isLegacy = (state: DynamoState, name: string): boolean =>
  state.table(name)?.record.replication?.version === LEGACY;

/** Global tables of version 2017.11.29, found in the regions of their replicas. */
export const globalTableType = defineResource({
  name: 'global-table',
  service: 'dynamodb',
  scope: 'account',
  format: 'global-table/{name}',
  cloudFormation: 'AWS::DynamoDB::GlobalTable',
  identify(input, place) {
    const name = asString(input.GlobalTableName);
    return name === undefined ? undefined : { key: { name }, place };
  },
  find: (state: DynamoState, { name }) => (isLegacy(state, name) ? { name } : undefined),
  list: (state) => state.tableNames().flatMap((name) => (isLegacy(state, name) ? [{ name }] : [])),
});

/** All resource types, most specific first. */
export const resources = [
  indexType,
  streamType,
  backupType,
  exportType,
  importType,
  globalTableType,
  tableType,
] as const;

const OF_TABLES = [tableType, indexType, streamType, backupType, exportType, importType] as const;

/** Returns the table of an ARN, which may be that of an index, a stream or another part of the table. */
export function tableOfArn(arn: string): ResourceAddress<{ table: string }> | undefined {
  // Fast path: most callers pass a name.
  if (!arn.startsWith('arn:')) return undefined;
  for (const type of OF_TABLES) {
    const address = type.parse(arn);
    if (address) return { place: address.place, key: { table: address.key.table } };
  }
  return undefined;
}

/** Returns the address of the table of a name or ARN, whether it exists or not. */
export const tableAddress = (nameOrArn: string, place: Place): ResourceAddress<{ table: string }> =>
  tableOfArn(nameOrArn) ?? { place, key: { table: nameOrArn } };

/** Returns the address of an existing table's ARN. */
export const ownTable = (tableArn: string): ResourceAddress<{ table: string }> => tableType.parse(tableArn)!;

/**
 * Returns the ARN of a stream.
 * @param tableArn ARN of its table
 */
export function streamArn(tableArn: string, label: string): string {
  const { key, place } = ownTable(tableArn);
  return streamType.arn({ table: key.table, label }, place);
}

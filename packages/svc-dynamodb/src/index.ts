import { definePlugin } from '@emu/core';
import type { DynamodbOperations } from '@emu/service-types/dynamodb';
import { awsError, type ServiceModel } from '@emu/wire';
import model from '../model/dynamodb.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { resumeExport } from './import-export/export-job.ts';
import { resumeImport } from './import-export/import-job.ts';
import { exports, imports } from './import-export/jobs.ts';
import { DescribeTableReplicaAutoScaling, UpdateTableReplicaAutoScaling } from './operations/auto-scaling.ts';
import { CreateBackup, DeleteBackup, DescribeBackup, ListBackups } from './operations/backups.ts';
import { BatchGetItem, BatchWriteItem } from './operations/batches.ts';
import {
  DescribeContributorInsights,
  ListContributorInsights,
  UpdateContributorInsights,
} from './operations/contributor-insights.ts';
import { DescribeExport, ExportTableToPointInTime, ListExports } from './operations/exports.ts';
import {
  CreateGlobalTable,
  DescribeGlobalTable,
  DescribeGlobalTableSettings,
  ListGlobalTables,
  UpdateGlobalTable,
  UpdateGlobalTableSettings,
} from './operations/global-tables.ts';
import { DescribeImport, ImportTable, ListImports } from './operations/imports.ts';
import { DeleteItem, GetItem, PutItem, UpdateItem } from './operations/items.ts';
import { onBatch, onStatements, onTable, onTransaction } from './operations/keyed.ts';
import {
  DescribeKinesisStreamingDestination,
  DisableKinesisStreamingDestination,
  EnableKinesisStreamingDestination,
  UpdateKinesisStreamingDestination,
} from './operations/kinesis-destinations.ts';
import { Query, Scan } from './operations/queries.ts';
import { DeleteResourcePolicy, GetResourcePolicy, PutResourcePolicy } from './operations/resource-policies.ts';
import {
  DescribeContinuousBackups,
  RestoreTableFromBackup,
  RestoreTableToPointInTime,
  UpdateContinuousBackups,
} from './operations/restores.ts';
import { BatchExecuteStatement, ExecuteStatement, ExecuteTransaction } from './operations/statements.ts';
import {
  CreateTable,
  DeleteTable,
  DescribeEndpoints,
  DescribeLimits,
  DescribeTable,
  ListTables,
} from './operations/tables.ts';
import { ListTagsOfResource, TagResource, UntagResource } from './operations/tags.ts';
import { DescribeTimeToLive, UpdateTimeToLive } from './operations/time-to-live.ts';
import { TransactGetItems, TransactWriteItems } from './operations/transactions.ts';
import { UpdateTable } from './operations/update-table.ts';
import { paging } from './paging.ts';
import { items, policies, tables, transactions } from './records.ts';
import { resources } from './resources.ts';
import { DynamoState } from './state.ts';
import { kinesisRecords } from './streams/kinesis.ts';
import { streamRecords, streams } from './streams/log.ts';
import { backupItems, backups } from './tables/backups.ts';
import { history } from './tables/item-history.ts';

/** Operations that word a missing table name in a way of their own. */
const TABLE_OPERATIONS: ReadonlySet<string> = new Set(['CreateTable', 'DeleteTable', 'DescribeTable', 'UpdateTable']);

/** Amazon DynamoDB. */
export const plugin = definePlugin<DynamodbOperations, DynamoState>({
  name: 'dynamodb',
  model: model as unknown as ServiceModel,
  errorNamespace: 'com.amazonaws.dynamodb.v20120810',
  stateScope: 'region',
  collections: [
    tables,
    items,
    transactions,
    streams,
    streamRecords,
    policies,
    history,
    backups,
    backupItems,
    exports,
    imports,
    kinesisRecords,
  ],
  control,
  authorization,
  paging,
  resources,
  createState: (scope) => new DynamoState(scope, { resumeExport, resumeImport }),
  onStart: async (handle) => (await import('./import-export/bulk-import.ts')).importAtStart(handle),
  validationError: (failures, operation) =>
    TABLE_OPERATIONS.has(operation) &&
    failures.some(({ path, constraint }) => path === 'tableName' && constraint === 'required')
      ? awsError('ValidationException', "The parameter 'TableName' is required but was not present in the request")
      : undefined,
  operations: {
    BatchExecuteStatement: onStatements(
      ({ Statements }) => Statements.map(({ Statement }) => Statement),
      BatchExecuteStatement,
    ),
    BatchGetItem: onBatch(BatchGetItem),
    BatchWriteItem: onBatch(BatchWriteItem),
    CreateBackup,
    CreateGlobalTable,
    CreateTable,
    DeleteBackup,
    DeleteItem: onTable(DeleteItem),
    DeleteResourcePolicy,
    DeleteTable,
    DescribeBackup,
    DescribeContinuousBackups,
    DescribeContributorInsights,
    DescribeEndpoints,
    DescribeExport,
    DescribeGlobalTable,
    DescribeGlobalTableSettings,
    DescribeImport,
    DescribeKinesisStreamingDestination,
    DescribeLimits,
    DescribeTable,
    DescribeTableReplicaAutoScaling,
    DescribeTimeToLive,
    DisableKinesisStreamingDestination,
    EnableKinesisStreamingDestination,
    ExecuteStatement: onStatements(({ Statement }) => [Statement], ExecuteStatement),
    ExecuteTransaction: onStatements(
      ({ TransactStatements }) => TransactStatements.map(({ Statement }) => Statement),
      ExecuteTransaction,
    ),
    ExportTableToPointInTime,
    GetItem: onTable(GetItem),
    GetResourcePolicy,
    ImportTable,
    ListBackups,
    ListContributorInsights,
    ListExports,
    ListGlobalTables,
    ListImports,
    ListTables,
    ListTagsOfResource,
    PutItem: onTable(PutItem),
    PutResourcePolicy,
    Query: onTable(Query),
    RestoreTableFromBackup,
    RestoreTableToPointInTime,
    Scan: onTable(Scan),
    TagResource,
    TransactGetItems: onTransaction(TransactGetItems),
    TransactWriteItems: onTransaction(TransactWriteItems),
    UntagResource,
    UpdateContinuousBackups,
    UpdateContributorInsights,
    UpdateGlobalTable,
    UpdateGlobalTableSettings,
    UpdateItem: onTable(UpdateItem),
    UpdateKinesisStreamingDestination,
    UpdateTable,
    UpdateTableReplicaAutoScaling,
    UpdateTimeToLive,
  },
});

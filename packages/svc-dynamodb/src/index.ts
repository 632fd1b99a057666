import { definePlugin } from '@emu/core/service';
import type { DynamodbOperations } from '@emu/service-types/dynamodb';
import type { ServiceModel } from '@emu/wire';
import model from '../model/dynamodb.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { ignoredIfEmpty } from './ignored-members.ts';
import { failExport, resumeExport } from './import-export/export-job.ts';
import { failImport, resumeImport } from './import-export/import-job.ts';
import { exports, imports } from './import-export/jobs.ts';
import { modelError } from './model-errors.ts';
import * as autoScaling from './operations/auto-scaling.ts';
import * as backupsOperations from './operations/backups.ts';
import { BatchGetItem, BatchWriteItem } from './operations/batches.ts';
import * as contributorInsights from './operations/contributor-insights.ts';
import * as exportsOperations from './operations/exports.ts';
import * as globalTables from './operations/global-tables.ts';
import * as importsOperations from './operations/imports.ts';
import { DeleteItem, GetItem, PutItem, UpdateItem } from './operations/items.ts';
import { onBatch, onStatements, onTable, onTransaction } from './operations/keyed.ts';
import * as kinesisDestinations from './operations/kinesis-destinations.ts';
import { Query, Scan } from './operations/queries.ts';
import * as resourcePolicies from './operations/resource-policies.ts';
import * as restores from './operations/restores.ts';
import { BatchExecuteStatement, ExecuteStatement, ExecuteTransaction } from './operations/statements.ts';
import * as tablesOperations from './operations/tables.ts';
import { tags } from './operations/tags.ts';
import * as timeToLive from './operations/time-to-live.ts';
import { TransactGetItems, TransactWriteItems } from './operations/transactions.ts';
import * as updateTable from './operations/update-table.ts';
import { paging } from './paging.ts';
import { items, policies, tables, transactions } from './records.ts';
import { resources } from './resources.ts';
import { DynamoState } from './state.ts';
import { kinesisRecords } from './streams/kinesis.ts';
import { streamRecords, streams } from './streams/log.ts';
import { backupItems, backups } from './tables/backups.ts';
import { history } from './tables/item-history.ts';

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
  createState: (scope) => new DynamoState(scope, { resumeExport, failExport, resumeImport, failImport }),
  onStart: async (handle) => (await import('./import-export/bulk-import.ts')).importAtStart(handle),
  validationError: modelError,
  ignoredIfEmpty,
  operations: [
    autoScaling,
    backupsOperations,
    contributorInsights,
    exportsOperations,
    globalTables,
    importsOperations,
    kinesisDestinations,
    resourcePolicies,
    restores,
    tablesOperations,
    tags,
    timeToLive,
    updateTable,
    {
      BatchExecuteStatement: onStatements(
        ({ Statements }) => Statements.map(({ Statement }) => Statement),
        BatchExecuteStatement,
      ),
      BatchGetItem: onBatch(BatchGetItem),
      BatchWriteItem: onBatch(BatchWriteItem),
      DeleteItem: onTable(DeleteItem),
      ExecuteStatement: onStatements(({ Statement }) => [Statement], ExecuteStatement),
      ExecuteTransaction: onStatements(
        ({ TransactStatements }) => TransactStatements.map(({ Statement }) => Statement),
        ExecuteTransaction,
      ),
      GetItem: onTable(GetItem),
      PutItem: onTable(PutItem),
      Query: onTable(Query),
      Scan: onTable(Scan),
      TransactGetItems: onTransaction(TransactGetItems),
      TransactWriteItems: onTransaction(TransactWriteItems),
      UpdateItem: onTable(UpdateItem),
    },
  ],
});

import { definePlugin } from '@emu/core';
import { awsError, type ServiceModel } from '@emu/wire';
import model from '../model/dynamodb.json' with { type: 'json' };
import { control } from './control.ts';
import type { DynamodbOperations } from './generated/dynamodb.ts';
import { BatchGetItem, BatchWriteItem } from './operations/batches.ts';
import { DeleteItem, GetItem, PutItem, UpdateItem } from './operations/items.ts';
import { Query, Scan } from './operations/queries.ts';
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
import { createState, type DynamoState, items, tables, transactions } from './state.ts';
import { streamRecords, streams } from './streams.ts';

/** Operations that word a missing table name in a way of their own. */
const TABLE_OPERATIONS: ReadonlySet<string> = new Set(['CreateTable', 'DeleteTable', 'DescribeTable', 'UpdateTable']);

/** Amazon DynamoDB. */
export const plugin = definePlugin<DynamodbOperations, DynamoState>({
  name: 'dynamodb',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections: [tables, items, transactions, streams, streamRecords],
  control,
  createState,
  validationError: (failures, operation) =>
    TABLE_OPERATIONS.has(operation) &&
    failures.some(({ path, constraint }) => path === 'tableName' && constraint === 'required')
      ? awsError('ValidationException', "The parameter 'TableName' is required but was not present in the request")
      : undefined,
  operations: {
    BatchExecuteStatement,
    BatchGetItem,
    BatchWriteItem,
    CreateTable,
    DeleteItem,
    DeleteTable,
    DescribeEndpoints,
    DescribeLimits,
    DescribeTable,
    DescribeTimeToLive,
    ExecuteStatement,
    ExecuteTransaction,
    GetItem,
    ListTables,
    ListTagsOfResource,
    PutItem,
    Query,
    Scan,
    TagResource,
    TransactGetItems,
    TransactWriteItems,
    UntagResource,
    UpdateItem,
    UpdateTable,
    UpdateTimeToLive,
  },
});

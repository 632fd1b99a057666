import { definePlugin } from '@emu/core';
import type { ServiceModel } from '@emu/wire';
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

/** Amazon DynamoDB. */
export const plugin = definePlugin<DynamodbOperations, DynamoState>({
  name: 'dynamodb',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections: [tables, items, transactions, streams, streamRecords],
  control,
  createState,
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

import {
  type AuthorizationRequest,
  namedResource,
  type PassedRoles,
  permissionOn,
  type ServiceAuthorization,
} from '@emu/core/service';
import type { AttributeValue, DynamodbOperations } from '@emu/service-types/dynamodb';
import type { DynamodbstreamsOperations } from '@emu/service-types/dynamodbstreams';
import type { DynamodbContext } from './context.ts';
import { stateAt, tableNameOf } from './context.ts';
import { type ItemInput, itemConditions } from './items/condition-keys.ts';
import { streamOfIterator } from './operations/streams.ts';
import { parseStatement, type Statement } from './partiql/syntax.ts';
import { indexType, resources, streamType, tableAddress, tableType } from './resources.ts';
import type { DynamoState } from './state.ts';

/** Returns the permission for an action on a table or one of its indexes, which share the table's policy. */
function onTable(
  action: string,
  tableName: string,
  ctx: DynamodbContext,
  input: ItemInput = {},
  enclosing?: string,
): AuthorizationRequest {
  const { place } = tableAddress(tableName, ctx);
  const table = tableNameOf(tableName);
  const request = permissionOn(`dynamodb:${action}`, tableType, { place, key: { table } }, ctx.handle);
  const { IndexName: index } = input;
  return {
    ...request,
    ...(index !== undefined && { resource: indexType.arn({ table, index }, place) }),
    condition: itemConditions(input, stateAt(place, ctx)?.table(table), enclosing),
  };
}

/** Returns the permission for an action on the resource of an ARN: a table, index, stream, backup, export or import. */
function onArn(action: string, arn: string, ctx: DynamodbContext): AuthorizationRequest {
  const named = namedResource(resources, { ResourceArn: arn }, ctx, ctx.operation);
  if (!named) return { action: `dynamodb:${action}`, resource: arn };
  return permissionOn(`dynamodb:${action}`, named.type, named.address, ctx.handle);
}

/** Returns the permission for an action on all tables of the account and region. */
const anyTable = (action: string, ctx: DynamodbContext): AuthorizationRequest => ({
  action: `dynamodb:${action}`,
  resource: tableType.arn({ table: '*' }, ctx),
});

/** Returns the permissions of an operation on the items of one table. */
const ofItems =
  (action: string) =>
  (input: ItemInput & { TableName: string }, ctx: DynamodbContext): AuthorizationRequest =>
    onTable(action, input.TableName, ctx, input);

const STATEMENT_ACTIONS: Readonly<Record<Statement['type'], string>> = {
  select: 'PartiQLSelect',
  exists: 'PartiQLSelect',
  insert: 'PartiQLInsert',
  update: 'PartiQLUpdate',
  delete: 'PartiQLDelete',
};

/** Returns the permission for a PartiQL statement. */
function forStatement(text: string, ctx: DynamodbContext, enclosing?: string): AuthorizationRequest {
  const { statement } = parseStatement(text);
  const index = statement.type === 'select' || statement.type === 'exists' ? statement.index : null;
  return onTable(
    STATEMENT_ACTIONS[statement.type],
    statement.table,
    ctx,
    index === null ? {} : { IndexName: index },
    enclosing,
  );
}

type Attributes = Record<string, AttributeValue>;

/** Returns the permissions of a batch, one per table. */
function batch<Request>(
  action: string,
  requests: Record<string, Request>,
  keysOf: (request: Request) => Attributes[],
  ctx: DynamodbContext,
): AuthorizationRequest[] {
  return Object.entries(requests).map(([table, request]) => onTable(action, table, ctx, { Keys: keysOf(request) }));
}

const WRITES = ['ConditionCheck', 'Put', 'Delete', 'Update'] as const;
const WRITE_ACTIONS = {
  ConditionCheck: 'ConditionCheckItem',
  Put: 'PutItem',
  Delete: 'DeleteItem',
  Update: 'UpdateItem',
};

/** Roles that DynamoDB gives to Application Auto Scaling; the managed policy AmazonDynamoDBFullAccess passes them to it. */
const SCALING_ROLES: PassedRoles<DynamoState> = { '**.AutoScalingRoleArn': 'application-autoscaling' };

/**
 * Permissions of DynamoDB's operations; transactions and PartiQL need the permissions of their parts.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html
 */
export const authorization: ServiceAuthorization<DynamodbOperations, DynamoState> = {
  tagOnCreate: { CreateTable: 'TagResource' },
  roles: { UpdateGlobalTableSettings: SCALING_ROLES, UpdateTableReplicaAutoScaling: SCALING_ROLES },
  operations: {
    BatchGetItem: ({ RequestItems }, ctx) => batch('BatchGetItem', RequestItems, ({ Keys }) => Keys, ctx),
    BatchWriteItem: ({ RequestItems }, ctx) =>
      batch(
        'BatchWriteItem',
        RequestItems,
        (requests) => requests.map(({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key ?? {}),
        ctx,
      ),
    TransactGetItems: ({ TransactItems }, ctx) =>
      TransactItems.map(({ Get }) => onTable('GetItem', Get.TableName, ctx, Get, 'TransactGetItems')),
    TransactWriteItems: ({ TransactItems }, ctx) =>
      TransactItems.flatMap((item) =>
        WRITES.flatMap((kind) => {
          const write = item[kind];
          return write ? [onTable(WRITE_ACTIONS[kind], write.TableName, ctx, write, 'TransactWriteItems')] : [];
        }),
      ),
    ExecuteStatement: ({ Statement: text }, ctx) => forStatement(text, ctx),
    BatchExecuteStatement: ({ Statements }, ctx) => Statements.map((one) => forStatement(one.Statement, ctx)),
    ExecuteTransaction: ({ TransactStatements }, ctx) =>
      TransactStatements.map((one) => forStatement(one.Statement, ctx, 'ExecuteTransaction')),
    CreateTable: ({ TableName, ResourcePolicy }, ctx) => [
      onTable('CreateTable', TableName, ctx),
      ...(ResourcePolicy === undefined ? [] : [onTable('PutResourcePolicy', TableName, ctx)]),
    ],
    ListTables: (_input, ctx) => anyTable('ListTables', ctx),
    ListBackups: (_input, ctx) => anyTable('ListBackups', ctx),
    TagResource: (input, ctx) => onArn('TagResource', input.ResourceArn, ctx),
    UntagResource: (input, ctx) => onArn('UntagResource', input.ResourceArn, ctx),
    RestoreTableFromBackup: ({ BackupArn, TargetTableName }, ctx) => [
      onArn('RestoreTableFromBackup', BackupArn, ctx),
      onTable('RestoreTableFromBackup', TargetTableName, ctx),
    ],
    RestoreTableToPointInTime: ({ SourceTableArn, SourceTableName, TargetTableName }, ctx) => [
      onTable('RestoreTableToPointInTime', SourceTableArn ?? SourceTableName ?? TargetTableName, ctx),
      onTable('RestoreTableToPointInTime', TargetTableName, ctx),
    ],
    ImportTable: ({ TableCreationParameters: { TableName } }, ctx) => onTable('ImportTable', TableName, ctx),
    ListContributorInsights: (_input, ctx) => anyTable('ListContributorInsights', ctx),
    DeleteItem: ofItems('DeleteItem'),
    GetItem: ofItems('GetItem'),
    PutItem: ofItems('PutItem'),
    Query: ofItems('Query'),
    Scan: ofItems('Scan'),
    UpdateItem: ofItems('UpdateItem'),
  },
};

/** Permissions of the operations of DynamoDB Streams. */
export const streamsAuthorization: ServiceAuthorization<DynamodbstreamsOperations, DynamoState> = {
  operations: {
    DescribeStream: ({ StreamArn }, ctx) => onArn('DescribeStream', StreamArn, ctx),
    GetShardIterator: ({ StreamArn }, ctx) => onArn('GetShardIterator', StreamArn, ctx),
    GetRecords: ({ ShardIterator }, ctx) => onArn('GetRecords', streamOfIterator(ShardIterator), ctx),
    ListStreams: (_input, ctx) => ({
      action: 'dynamodb:ListStreams',
      resource: streamType.arn({ table: '*', label: '*' }, ctx),
    }),
  },
};

import {
  type AuthorizationRequest,
  formatArn,
  parseArn,
  type ResourcePolicy,
  type ServiceAuthorization,
  type TagFacts,
  tagCondition,
  tagRecord,
} from '@emu/core';
import { type Context, tableNameOf } from './context.ts';
import type { AttributeValue, DynamodbOperations } from './generated/dynamodb.ts';
import type { DynamodbstreamsOperations } from './generated/dynamodbstreams.ts';
import { type ItemInput, itemConditions, tableAt } from './items/condition-keys.ts';
import { streamOfIterator } from './operations/streams.ts';
import { parseStatement, type Statement } from './partiql/syntax.ts';
import type { DynamoState } from './state.ts';

/** A table that a request names, by name or by ARN. */
interface Place {
  accountId: string;
  region: string;
  name: string;
  arn: string;
}

function placeOf(table: string, ctx: Context): Place {
  const parsed = parseArn(table);
  const name = tableNameOf(table);
  const { accountId, region } = parsed ?? ctx;
  return {
    accountId,
    region,
    name,
    arn: formatArn({ service: 'dynamodb', region, accountId, resource: `table/${name}` }),
  };
}

/** The policy of a table or stream. */
function policyOf(arn: string, accountId: string, region: string, ctx: Context): ResourcePolicy | undefined {
  const own = accountId === ctx.accountId && region === ctx.region;
  const state = own
    ? ctx.state
    : [...ctx.handle.states()].find((scope) => scope.accountId === accountId && scope.region === region)?.state;
  const document = (state as DynamoState | undefined)?.policies.get(arn)?.policy;
  return document === undefined ? undefined : { id: arn, document, type: 'resource' };
}

/** The permission for an action on a table, or on an index of it. */
function onTable(
  action: string,
  tableName: string,
  ctx: Context,
  input: ItemInput = {},
  enclosing?: string,
): AuthorizationRequest {
  const { accountId, region, name, arn } = placeOf(tableName, ctx);
  return {
    action: `dynamodb:${action}`,
    resource: input.IndexName === undefined ? arn : `${arn}/index/${input.IndexName}`,
    resourcePolicy: policyOf(arn, accountId, region, ctx),
    condition: itemConditions(input, tableAt(accountId, region, name, ctx), enclosing),
  };
}

/** The permission for an action on what an ARN names: a table, an index, a stream, a backup, an export or an import. */
function onArn(action: string, arn: string, ctx: Context, tags: TagFacts = {}): AuthorizationRequest {
  const parsed = parseArn(arn);
  const table = /^table\/([^/]+)/.exec(parsed?.resource ?? '')?.[1];
  if (!parsed || table === undefined) return { action: `dynamodb:${action}`, resource: arn };
  const { accountId, region } = parsed;
  const stream = /^table\/[^/]+\/stream\//.test(parsed.resource);
  const owner = stream ? arn : formatArn({ service: 'dynamodb', region, accountId, resource: `table/${table}` });
  return {
    action: `dynamodb:${action}`,
    resource: arn,
    resourcePolicy: policyOf(owner, accountId, region, ctx),
    condition: (key) => tagCondition(key, { ...tags, resource: tableAt(accountId, region, table, ctx)?.record.tags }),
  };
}

/** Tables of the account and region. */
const anyTable = (action: string, { accountId, region }: Context): AuthorizationRequest => ({
  action: `dynamodb:${action}`,
  resource: formatArn({ service: 'dynamodb', region, accountId, resource: 'table/*' }),
});

const globalTable = (action: string, name: string, { partition, accountId }: Context): AuthorizationRequest => ({
  action: `dynamodb:${action}`,
  resource: `arn:${partition}:dynamodb::${accountId}:global-table/${name}`,
});

const STATEMENT_ACTIONS: Readonly<Record<Statement['type'], string>> = {
  select: 'PartiQLSelect',
  exists: 'PartiQLSelect',
  insert: 'PartiQLInsert',
  update: 'PartiQLUpdate',
  delete: 'PartiQLDelete',
};

/** The permission for a PartiQL statement. */
function forStatement(text: string, ctx: Context, enclosing?: string): AuthorizationRequest {
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

/** The permissions of a batch: one for each table. */
function batch<Request>(
  action: string,
  requests: Record<string, Request>,
  keysOf: (request: Request) => Attributes[],
  ctx: Context,
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

/**
 * What the operations of DynamoDB need: those of a transaction and of PartiQL what their parts need.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html
 */
export const authorization: ServiceAuthorization<DynamodbOperations, DynamoState> = {
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
    CreateTable: ({ TableName, Tags, ResourcePolicy }, ctx) => {
      const needs = (action: string): AuthorizationRequest => ({
        ...onTable(action, TableName, ctx),
        condition: (key) => tagCondition(key, { request: tagRecord(Tags) }),
      });
      return [
        needs('CreateTable'),
        ...(Tags?.length ? [needs('TagResource')] : []),
        ...(ResourcePolicy === undefined ? [] : [needs('PutResourcePolicy')]),
      ];
    },
    ListTables: (_input, ctx) => anyTable('ListTables', ctx),
    ListBackups: (_input, ctx) => anyTable('ListBackups', ctx),
    TagResource: ({ ResourceArn, Tags }, ctx) => onArn('TagResource', ResourceArn, ctx, { request: tagRecord(Tags) }),
    UntagResource: ({ ResourceArn, TagKeys }, ctx) => onArn('UntagResource', ResourceArn, ctx, { keys: TagKeys }),
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
  },
  otherwise: (operation, input, ctx) => {
    const named = input as ItemInput & Partial<Record<'TableName' | 'GlobalTableName' | ArnMember, string>>;
    if (named.GlobalTableName !== undefined) return globalTable(operation, named.GlobalTableName, ctx);
    if (named.TableName !== undefined) return onTable(operation, named.TableName, ctx, named);
    const member = ARN_MEMBERS.find((one) => named[one] !== undefined);
    return member ? onArn(operation, named[member]!, ctx) : { action: `dynamodb:${operation}`, resource: '*' };
  },
};

/** Members that name the resource of an operation, in the order in which they count. */
const ARN_MEMBERS = ['ResourceArn', 'BackupArn', 'ExportArn', 'ImportArn', 'TableArn'] as const;
type ArnMember = (typeof ARN_MEMBERS)[number];

/** What the operations of DynamoDB Streams need. */
export const streamsAuthorization: ServiceAuthorization<DynamodbstreamsOperations, DynamoState> = {
  operations: {
    DescribeStream: ({ StreamArn }, ctx) => onArn('DescribeStream', StreamArn, ctx),
    GetShardIterator: ({ StreamArn }, ctx) => onArn('GetShardIterator', StreamArn, ctx),
    GetRecords: ({ ShardIterator }, ctx) => onArn('GetRecords', streamOfIterator(ShardIterator), ctx),
    ListStreams: (_input, { accountId, region }) => ({
      action: 'dynamodb:ListStreams',
      resource: formatArn({ service: 'dynamodb', region, accountId, resource: 'table/*/stream/*' }),
    }),
  },
};

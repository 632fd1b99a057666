import type { OperationContext } from '@emu/core';
import { parseArn } from '@emu/core';
import { type AwsError, awsError } from '@emu/wire';
import type { DynamoState } from './state.ts';
import type { Table } from './tables/table.ts';

/** The context of DynamoDB's handlers. */
export type Context = OperationContext<DynamoState>;

/** A `ValidationException` with DynamoDB's words. */
export function invalid(message: string): AwsError {
  return awsError('ValidationException', message);
}

const NAME = /^[a-zA-Z0-9_.-]+$/;

/** Checks what a `TableName` parameter may be and returns the table's name; ARNs are accepted where AWS accepts them. */
export function tableNameOf(value: string): string {
  const arn = parseArn(value);
  if (arn?.service === 'dynamodb' && arn.resource.startsWith('table/'))
    return arn.resource.slice('table/'.length).split('/')[0]!;
  const broken = brokenRule(value);
  if (broken)
    throw invalid(
      `1 validation error detected: Value '${value}' at 'tableName' failed to satisfy constraint: ${broken}`,
    );
  return value;
}

/** What a name of a table breaks; undefined where it may be one. */
function brokenRule(name: string): string | undefined {
  if (name === '') return 'Member must have length greater than or equal to 1';
  if (name.length < 3) return 'Member must have length greater than or equal to 3';
  if (name.length > 255) return 'Member must have length less than or equal to 255';
  return NAME.test(name) ? undefined : 'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+';
}

/** The table an item operation names, in the account and region of its ARN where it names it so. */
export function itemTable(ctx: Context, tableName: string): Table {
  const table = findTable(ctx, tableName);
  if (!table) throw awsError('ResourceNotFoundException', 'Requested resource not found');
  return table;
}

/** The table a table operation names. */
export function namedTable(ctx: Context, tableName: string): Table {
  const table = findTable(ctx, tableName);
  if (!table)
    throw awsError(
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${tableNameOf(tableName)} not found`,
    );
  return table;
}

function findTable(ctx: Context, tableName: string): Table | undefined {
  const name = tableNameOf(tableName);
  const arn = parseArn(tableName);
  const state = arn ? ctx.handle.state(arn.accountId, arn.region) : ctx.state;
  return state.table(name);
}

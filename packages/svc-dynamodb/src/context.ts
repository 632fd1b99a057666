import type { OperationContext, Place } from '@emu/core';
import { type AwsError, awsError } from '@emu/wire';
import { tableOfArn } from './resources.ts';
import type { DynamoState } from './state.ts';
import type { Table } from './tables/table.ts';

/** The context of DynamoDB's handlers. */
export type DynamodbContext = OperationContext<DynamoState>;

/** A `ValidationException` with DynamoDB's words. */
export function invalid(message: string): AwsError {
  return awsError('ValidationException', message);
}

/** What AWS acts on and emu cannot: refused instead of kept without effect. @param what a noun phrase */
export const notActedOn = (what: string): AwsError =>
  awsError('NotImplemented', `emu does not implement ${what} of dynamodb.`, { status: 501 });

const NAME = /^[a-zA-Z0-9_.-]+$/;

/** Checks what a `TableName` parameter may be and returns the table's name; ARNs are accepted where AWS accepts them. */
export function tableNameOf(value: string): string {
  const address = tableOfArn(value);
  if (address) return address.key.table;
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
export function itemTable(ctx: DynamodbContext, tableName: string): Table {
  const table = findTable(ctx, tableName);
  const { status } = table?.busy ?? {};
  if (!table || status === 'CREATING' || status === 'DELETING')
    throw awsError('ResourceNotFoundException', 'Requested resource not found');
  return table;
}

/** The table a table operation names. */
export function namedTable(ctx: DynamodbContext, tableName: string): Table {
  const table = findTable(ctx, tableName);
  if (!table)
    throw awsError(
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${tableNameOf(tableName)} not found`,
    );
  return table;
}

/** The state of an account and region; undefined where nothing has been there, so that asking makes none. */
export const stateAt = ({ accountId, region }: Place, ctx: DynamodbContext): DynamoState | undefined =>
  accountId === ctx.accountId && region === ctx.region ? ctx.state : ctx.handle.existingState(accountId, region);

/**
 * Checks that an ARN is of the region that is asked: another account's tables are reached by their ARNs, another
 * region's are not.
 * @throws AwsError `ValidationException`
 */
export function checkRegion(ctx: DynamodbContext, arn: string, place: Place): void {
  if (place.region !== ctx.region) throw invalid(`1 validation error detected: Invalid AWS region in '${arn}'`);
}

/** The table of a name or an ARN; undefined where there is none. @throws AwsError for what cannot be a table's name */
export function findTable(ctx: DynamodbContext, tableName: string): Table | undefined {
  const place = tableOfArn(tableName)?.place;
  if (place) checkRegion(ctx, tableName, place);
  return findTableAnywhere(ctx, tableName);
}

/** As `findTable`, for what reaches tables of other regions by their ARNs, too. */
export function findTableAnywhere(ctx: DynamodbContext, tableName: string): Table | undefined {
  const name = tableNameOf(tableName);
  return stateAt(tableOfArn(tableName)?.place ?? ctx, ctx)?.table(name);
}

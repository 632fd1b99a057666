import type { OperationContext, Place } from '@emu/core/service';
import { type AwsError, violationText } from '@emu/wire';
import { dynamodbError, invalid } from './errors.ts';
import { tableOfArn } from './resources.ts';
import type { DynamoState } from './state.ts';
import type { Table } from './tables/table.ts';

/** Context of DynamoDB's handlers. */
export type DynamodbContext = OperationContext<DynamoState>;

const NAME = /^[a-zA-Z0-9_.-]+$/;

/** Validates a `TableName` parameter and returns the table's name; accepts ARNs where AWS does. */
export function tableNameOf(value: string): string {
  const address = tableOfArn(value);
  if (address) return address.key.table;
  const broken = brokenRule(value);
  if (broken) throw invalid(violationText('tableName', broken, value));
  return value;
}

/** Returns the rule that a table name breaks; undefined for a valid name. */
function brokenRule(name: string): string | undefined {
  if (name === '') return 'Member must have length greater than or equal to 1';
  if (name.length < 3) return 'Member must have length greater than or equal to 3';
  if (name.length > 255) return 'Member must have length less than or equal to 255';
  return NAME.test(name) ? undefined : 'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+';
}

/** Returns the table of an item operation, in the account and region of its ARN if given. */
export function itemTable(ctx: DynamodbContext, tableName: string): Table {
  const table = findTable(ctx, tableName);
  const { status } = table?.busy ?? {};
  if (!table || status === 'CREATING' || status === 'DELETING')
    throw dynamodbError('ResourceNotFoundException', 'Requested resource not found');
  return table;
}

/** Returns the table of a table operation. */
export function namedTable(ctx: DynamodbContext, tableName: string): Table {
  const table = findTable(ctx, tableName);
  if (!table)
    throw dynamodbError(
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${tableNameOf(tableName)} not found`,
    );
  return table;
}

/** Returns the error for a resource of another account. */
export function accessDenied({ operation, principal }: DynamodbContext, resource: string): AwsError {
  const action = `dynamodb:${operation}`;
  return dynamodbError(
    'AccessDeniedException',
    `User: ${principal.arn} is not authorized to perform: ${action} on resource: ${resource} because no resource-based policy allows the ${action} action`,
  );
}

/** Returns the state of an account and region; undefined if it does not exist (it is not created). */
export const stateAt = ({ accountId, region }: Place, ctx: DynamodbContext): DynamoState | undefined =>
  accountId === ctx.accountId && region === ctx.region ? ctx.state : ctx.handle.existingState(accountId, region);

/**
 * Checks that an ARN belongs to the request's region: tables of other accounts can be addressed by ARN, tables of other
 * regions cannot.
 * @throws AwsError `ValidationException`
 */
export function checkRegion(ctx: DynamodbContext, arn: string, place: Place): void {
  if (place.region !== ctx.region) throw invalid(`1 validation error detected: Invalid AWS region in '${arn}'`);
}

/**
 * Returns the table of a name or ARN; undefined if it does not exist.
 * @throws AwsError for an invalid table name
 */
export function findTable(ctx: DynamodbContext, tableName: string): Table | undefined {
  const place = tableOfArn(tableName)?.place;
  if (place) checkRegion(ctx, tableName, place);
  return findTableAnywhere(ctx, tableName);
}

/** Same as `findTable`, for operations that can address tables of other regions by ARN. */
export function findTableAnywhere(ctx: DynamodbContext, tableName: string): Table | undefined {
  const name = tableNameOf(tableName);
  return stateAt(tableOfArn(tableName)?.place ?? ctx, ctx)?.table(name);
}

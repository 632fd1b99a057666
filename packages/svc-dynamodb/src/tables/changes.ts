import type { DynamodbContext } from '../context.ts';
import { dynamodbError } from '../errors.ts';
import { DYNAMODB_OPTIONS } from '../options.ts';
import type { TableChange } from '../records.ts';
import type { Table } from './table.ts';

const WORDS = { CREATING: 'created', UPDATING: 'updated', DELETING: 'deleted' };

/**
 * Checks that no change of a table is in progress.
 * @throws AwsError `ResourceInUseException`
 */
export function checkIdle(table: Table): void {
  const { busy } = table;
  if (busy)
    throw dynamodbError(
      'ResourceInUseException',
      `Attempt to change a resource which is still in use: Table is being ${WORDS[busy.status]}: ${table.name}`,
    );
}

/** Returns a change that starts now; undefined if changes are immediate. */
export function changeOf(
  status: TableChange['status'],
  ctx: DynamodbContext,
  indexes?: TableChange['indexes'],
): TableChange | undefined {
  const delay = ctx.settings.of(DYNAMODB_OPTIONS).EMULATOR_DYNAMODB_TABLE_DELAY;
  if (delay === 0) return undefined;
  return { status, until: ctx.clock.now() + delay, ...(indexes && { indexes }) };
}

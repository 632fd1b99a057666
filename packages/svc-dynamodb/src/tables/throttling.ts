import type { DynamodbContext } from '../context.ts';
import { dynamodbError } from '../errors.ts';
import { THROUGHPUT } from '../quotas.ts';
import { type Access, CapacityReserves } from './capacity-reserves.ts';
import type { Table } from './table.ts';

/**
 * Rejects a request if one of its tables, or a global secondary index that it reads or writes, has no capacity left,
 * where throughput quotas are enforced. The consumed capacity is deducted afterwards, even beyond the remainder.
 * @param index the index that is read
 * @throws AwsError `ProvisionedThroughputExceededException`
 */
export function admit(tables: readonly Table[], kind: Access, index: string | undefined, ctx: DynamodbContext): void {
  const quota = kind === 'Read' ? THROUGHPUT.tableRead : THROUGHPUT.tableWrite;
  if (ctx.handle.quotaLimit(quota, ctx.accountId, ctx.region) === Number.POSITIVE_INFINITY) return;
  for (const table of tables) {
    const { billingMode, throughput, globalIndexes, createdAt } = table.record;
    if (billingMode !== 'PROVISIONED') continue;
    table.reserves ??= new CapacityReserves(createdAt);
    const side = kind === 'Read' ? 'read' : 'write';
    const isLeft = (name: string | undefined, rate: number): boolean =>
      table.reserves!.left(kind, name, rate, ctx.clock.now()) > 0;
    const used = globalIndexes.filter(({ name }) => kind === 'Write' || name === index);
    // All are checked, so that each has a counter for the deduction.
    const short = used.filter((each) => !isLeft(each.name, each.throughput[side]));
    const readsTable = kind === 'Write' || used.length === 0;
    if (readsTable && !isLeft(undefined, throughput[side])) {
      countThrottled(table, kind, ctx);
      throw dynamodbError(
        'ProvisionedThroughputExceededException',
        'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.',
      );
    }
    if (short.length > 0) {
      countThrottled(table, kind, ctx);
      throw dynamodbError(
        'ProvisionedThroughputExceededException',
        'The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. Consider increasing your provisioning level for the under-provisioned global secondary indexes with the UpdateTable API',
      );
    }
  }
}

function countThrottled(table: Table, kind: Access, { operation }: DynamodbContext): void {
  table.count('ThrottledRequests', 1, operation);
  table.count(`${kind}ThrottleEvents`);
}

import { AwsError } from '@emu/wire';
import type { DynamodbContext } from '../context.ts';
import type { Table } from '../tables/table.ts';

/** Errors that have metrics of their own. */
const HAS_OWN_METRIC = /^(?:ConditionalCheckFailed|ProvisionedThroughputExceeded|RequestLimitExceeded|Throttling)/;
const SERVER_ERROR = 500;

/**
 * Runs an operation on items and reports its latency per table, or a user error, to CloudWatch.
 * @param tables the existing tables
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
 */
export function measured<Output>(
  tables: readonly Table[],
  { state: { reported, clock }, operation }: DynamodbContext,
  run: () => Output | Promise<Output>,
): Output | Promise<Output> {
  if (!reported) return run();
  const begun = clock.now();
  const done = (output: Output): Output => {
    const now = clock.now();
    for (const table of tables) table.reportLatency(operation, now - begun, now);
    return output;
  };
  const failed = (error: unknown): never => {
    const isOfCaller = error instanceof AwsError && (error.status ?? 0) < SERVER_ERROR;
    if (isOfCaller && !HAS_OWN_METRIC.test(error.code))
      reported.resource('AWS/DynamoDB', {}).add('UserErrors', 1, clock.now());
    throw error;
  };
  try {
    const output = run();
    return output instanceof Promise ? output.then(done, failed) : done(output);
  } catch (error) {
    return failed(error);
  }
}

import type { MetricDataQuery } from '@emu/service-types/cloudwatch';
import { invalid } from '../errors.ts';
import { statisticOf } from '../metrics/statistics.ts';

const MAX_QUERIES = 500;
const ID = /^[a-z][a-zA-Z0-9_]*$/;
const SHORT_PERIODS = new Set([1, 5, 10, 20, 30]);

/** Whether a number of seconds is a valid period. */
export const isPeriod = (seconds: number): boolean => SHORT_PERIODS.has(seconds) || (seconds > 0 && seconds % 60 === 0);

/**
 * Validates queries as far as possible without running them.
 * @param list input member with the queries, for messages
 * @throws AwsError `ValidationError`
 */
export function checkQueries(queries: readonly MetricDataQuery[], list: string): void {
  if (queries.length > MAX_QUERIES)
    throw invalid(`The collection ${list} must not have a size greater than ${MAX_QUERIES}.`);
  for (const [index, query] of queries.entries()) checkQuery(query, `${list}.member.${index + 1}`);
  if (new Set(queries.map(({ Id }) => Id)).size < queries.length)
    throw invalid(`The values for parameter Id in ${list} are not unique.`);
}

function checkQuery({ Id, MetricStat, Expression, Period }: MetricDataQuery, path: string): void {
  if (!ID.test(Id))
    throw invalid(
      `The value ${Id} for parameter ${path}.Id is not matching the expected pattern ^[a-z][a-zA-Z0-9_]*$.`,
    );
  if (MetricStat && Expression !== undefined)
    throw invalid(
      `The parameters ${path}.Expression and ${path}.MetricStat are mutually exclusive and you have specified both.`,
    );
  if (!MetricStat && Expression === undefined)
    throw invalid(`The parameters ${path}.Expression or ${path}.MetricStat must be specified.`);
  if (Period !== undefined && !isPeriod(Period))
    throw invalid(`The parameter ${path}.Period must be 1, 5, 10, 20, 30 or a multiple of 60.`);
  if (!MetricStat) return;
  if (!isPeriod(MetricStat.Period))
    throw invalid(`The parameter ${path}.MetricStat.Period must be 1, 5, 10, 20, 30 or a multiple of 60.`);
  if (!statisticOf(MetricStat.Stat))
    throw invalid(`The value ${MetricStat.Stat} for parameter ${path}.MetricStat.Stat is not supported.`);
  for (const member of ['Namespace', 'MetricName'] as const)
    if (!MetricStat.Metric[member]) throw invalid(`The parameter ${path}.MetricStat.Metric.${member} is required.`);
}

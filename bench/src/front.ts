import { type Benchmark, compareLoad, type Prepare, withServers } from './compare.ts';
import { getItem } from './dynamodb.ts';
import { startFront } from './processes.ts';
import { sendToFreshQueue, sts } from './requests.ts';
import { getKib, putKib } from './s3.ts';

/**
 * Cost of the Hono application for a hot request, compared with bypassing it. Above a ratio of 0.95 the bypass would
 * not be worthwhile.
 */
const behindHono =
  (name: string, makePrepare: () => Prepare): Benchmark =>
  (effort) =>
    withServers([startFront('hono'), startFront('raw')], async (hono, raw) => {
      const figures = await compareLoad(effort, [hono!, makePrepare()], [raw!, makePrepare()]);
      return [{ name: `${name}, by way of Hono beside the way past it`, unit: 'req/s', ...figures }];
    });

/** Benchmarks of the application in front of services. */
export const frontBenchmarks: Readonly<Record<string, Benchmark>> = {
  'front-send': behindHono('SQS SendMessage', sendToFreshQueue),
  'front-identity': behindHono('STS GetCallerIdentity', () => async () => [sts('GetCallerIdentity')]),
  'front-s3-put': behindHono('S3 PutObject of 1 KiB', () => putKib),
  'front-s3-get': behindHono('S3 GetObject of 1 KiB', () => getKib),
  'front-dynamodb-get': behindHono('DynamoDB GetItem', getItem),
};

import { type AnyQuota, defineQuotas, oneMore, requestRate } from '@emu/core';
import type { LogsOperations } from '@emu/service-types/logs';
import { awsError } from '@emu/wire';
import { limitExceeded } from './errors.ts';
import type { LogsRegistry } from './registry.ts';
import { groupType } from './resources.ts';

const logs = (code: string, name: string, defaultValue: number) => ({
  serviceCode: 'logs',
  code,
  name,
  defaultValue,
  adjustable: true,
  page: 'https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/cloudwatch_limits_cwl.html',
});

/** The rate of one operation, in requests per second. */
const rate = (operation: keyof LogsOperations, code: string, perSecond: number) =>
  requestRate<LogsOperations, LogsRegistry>(
    {
      ...logs(code, `${operation} throttle limit in transactions per second`, perSecond),
      usageMetric: { service: 'Logs', resource: operation },
    },
    [operation],
    () => awsError('ThrottlingException', 'Rate exceeded', { status: 400 }),
  );

/** Quotas of CloudWatch Logs that can be enforced. */
export const quotas: readonly AnyQuota[] = defineQuotas<LogsOperations, LogsRegistry>([
  {
    ...logs('L-C7B9AAAB', 'Log groups', 1_000_000),
    usage: ({ groups }) => groups.size,
    grows: { CreateLogGroup: oneMore(groupType) },
    error: limitExceeded,
  },
  rate('CreateLogGroup', 'L-D2832119', 10),
  rate('CreateLogStream', 'L-76507CEF', 50),
  rate('DeleteLogGroup', 'L-07A912D5', 10),
  rate('DeleteLogStream', 'L-C029A21C', 15),
  rate('DescribeLogGroups', 'L-4284EEDE', 10),
  rate('DescribeLogStreams', 'L-3F243AD0', 25),
  rate('PutLogEvents', 'L-7E1FAE88', 5000),
]);

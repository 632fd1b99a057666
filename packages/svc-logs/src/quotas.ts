import { type AnyQuota, defineQuotas, listedQuotas, oneMore, requestRate } from '@emu/core/service';
import type { LogsOperations } from '@emu/service-types/logs';
import { limitExceeded, logsError } from './errors.ts';
import type { LogsRegistry } from './registry.ts';
import { groupType } from './resources.ts';

const PAGE = 'https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/cloudwatch_limits_cwl.html';
const logs = (code: string, name: string, defaultValue: number, adjustable = true) => ({
  serviceCode: 'logs',
  code,
  name,
  defaultValue,
  adjustable,
  page: PAGE,
});

/** Returns the rate limit of one operation in requests per second. */
const rate = (operation: keyof LogsOperations, code: string, perSecond: number, adjustable = true) =>
  requestRate<LogsOperations, LogsRegistry>(
    {
      ...logs(code, `${operation} throttle limit in transactions per second`, perSecond, adjustable),
      usageMetric: { service: 'Logs', resource: operation },
    },
    [operation],
    () => logsError('ThrottlingException', 'Rate exceeded', { status: 400 }),
  );

/** Operations with a fixed limit of five requests per second. */
const FIXED_RATE = 5;
const FIXED_RATES: readonly [operation: keyof LogsOperations, code: string][] = [
  ['AssociateKmsKey', 'L-7A4B5D2F'],
  ['CancelExportTask', 'L-97393AE2'],
  ['CreateExportTask', 'L-BD9DB0EB'],
  ['DeleteDestination', 'L-BE2A59B1'],
  ['DeleteMetricFilter', 'L-363FC8B0'],
  ['DeleteRetentionPolicy', 'L-66F5762A'],
  ['DeleteSubscriptionFilter', 'L-56B91A0A'],
  ['DescribeDestinations', 'L-BEB90E24'],
  ['DescribeExportTasks', 'L-ACAEE94E'],
  ['DescribeMetricFilters', 'L-69BF6BAC'],
  ['DescribeSubscriptionFilters', 'L-9D43025B'],
  ['PutDestination', 'L-7A9B3427'],
  ['PutDestinationPolicy', 'L-7EB1C513'],
  ['PutMetricFilter', 'L-E5FB5933'],
  ['PutRetentionPolicy', 'L-0397E41F'],
  ['PutSubscriptionFilter', 'L-A5D79081'],
  ['TestMetricFilter', 'L-1CD226BD'],
];

/** Quotas of CloudWatch Logs. */
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
  ...FIXED_RATES.map(([operation, code]) => rate(operation, code, FIXED_RATE, false)),
  ...listedQuotas({ serviceCode: 'logs', page: PAGE }, [
    ['L-3D5753EA', 'Metrics filters per log group', 100],
    ['L-87E7D306', 'Subscription filters per log group', 2],
    ['L-EEC839DF', 'Active export task', 1],
    ['L-29A639F6', 'Batch size', 1, { unit: 'Megabytes' }],
  ]),
]);

import { type AnyQuota, defineQuotas, oneMore, requestRate } from '@emu/core/service';
import type { CloudwatchOperations } from '@emu/service-types/cloudwatch';
import { cloudwatchError } from './errors.ts';
import { insightRuleType } from './resources.ts';
import type { CloudwatchState } from './state.ts';

const cloudwatch = (code: string, name: string, defaultValue: number) => ({
  serviceCode: 'monitoring',
  code,
  name,
  defaultValue,
  adjustable: true,
  page: 'https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html',
});

/** Rates of single operations in requests per second. */
const RATES: readonly [operation: keyof CloudwatchOperations, code: string, perSecond: number][] = [
  ['DeleteDashboards', 'L-E1508405', 10],
  ['DeleteMetricStream', 'L-0F4E28CA', 10],
  ['DescribeAlarms', 'L-21CB40A4', 9],
  ['GetDashboard', 'L-E82C279D', 10],
  ['GetInsightRuleReport', 'L-1F0C4E0C', 20],
  ['GetMetricData', 'L-5E141212', 50],
  ['GetMetricStatistics', 'L-EE839489', 400],
  ['GetMetricStream', 'L-59022E75', 10],
  ['GetMetricWidgetImage', 'L-6FCAAA2E', 20],
  ['ListDashboards', 'L-69C44FFD', 10],
  ['ListMetricStreams', 'L-A1710150', 10],
  ['ListMetrics', 'L-05D334F0', 25],
  ['PutDashboard', 'L-6753900D', 10],
  ['PutMetricAlarm', 'L-0720E68F', 3],
  ['PutMetricData', 'L-8BC498D4', 500],
  ['PutMetricStream', 'L-A6D89949', 10],
  ['StartMetricStreams', 'L-787E531D', 10],
  ['StopMetricStreams', 'L-A64F5500', 10],
];

/** Enforceable quotas of CloudWatch. */
export const quotas: readonly AnyQuota[] = defineQuotas<CloudwatchOperations, CloudwatchState>([
  {
    ...cloudwatch('L-DBD11BCC', 'Number of Contributor Insights rules', 100),
    usage: (state) => insightRuleType.count(state),
    grows: { PutInsightRule: oneMore(insightRuleType, 'PutInsightRule') },
    error: () =>
      cloudwatchError('LimitExceededException', 'The maximum number of Contributor Insights rules is reached.'),
  },
  ...RATES.map(([operation, code, perSecond]) =>
    requestRate<CloudwatchOperations, CloudwatchState>(
      {
        ...cloudwatch(code, `Rate of ${operation} requests`, perSecond),
        usageMetric: { service: 'CloudWatch', resource: operation },
      },
      [operation],
      () => cloudwatchError('Throttling', 'Rate exceeded', { status: 400 }),
    ),
  ),
]);

import type { EmptiableMembers } from '@emu/core/service';
import type { CloudwatchOperations } from '@emu/service-types/cloudwatch';

/** Members that clients send with empty values if they have none. */
export const ignoredIfEmpty: EmptiableMembers<CloudwatchOperations> = {
  PutAnomalyDetector: ['SingleMetricAnomalyDetector', 'MetricMathAnomalyDetector'],
  DeleteAnomalyDetector: ['SingleMetricAnomalyDetector', 'MetricMathAnomalyDetector'],
  PutMetricAlarm: ['ExtendedStatistic', 'Metrics'],
  PutMetricData: [
    'MetricData[].Values',
    'MetricData[].Counts',
    'EntityMetricData[].MetricData[].Values',
    'EntityMetricData[].MetricData[].Counts',
  ],
};

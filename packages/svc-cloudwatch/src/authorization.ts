import type { ServiceAuthorization } from '@emu/core/service';
import type { CloudwatchOperations } from '@emu/service-types/cloudwatch';
import type { CloudwatchState } from './state.ts';

/**
 * Permissions of the operations: their action on the alarm, dashboard or other resource that the input names.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoncloudwatch.html
 */
export const authorization: ServiceAuthorization<CloudwatchOperations, CloudwatchState> = {
  prefix: 'cloudwatch',
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch-metric-streams-trustpolicy.html
  roles: { PutMetricStream: { RoleArn: 'streams.metrics.cloudwatch' } },
};

import {
  type AuthorizationRequest,
  permissionOn,
  type ResourceAddress,
  type ResourceType,
  type ServiceAuthorization,
} from '@emu/core/service';
import type { CloudwatchOperations } from '@emu/service-types/cloudwatch';
import type { CloudwatchContext } from './context.ts';
import { alarmType, dashboardType, insightRuleType, metricStreamType } from './resources.ts';
import type { CloudwatchState } from './state.ts';

type NamedType = ResourceType<{ name: string }, CloudwatchState>;

/** Returns the permissions on each resource in a list of names. */
function onEach(
  operation: string,
  type: NamedType,
  names: readonly string[],
  { accountId, region, handle }: CloudwatchContext,
): AuthorizationRequest[] {
  const address = (name: string): ResourceAddress<{ name: string }> => ({
    key: { name },
    place: { accountId, region },
  });
  return names.map((name) => permissionOn(`cloudwatch:${operation}`, type, address(name), handle));
}

const onAlarms =
  (operation: string) =>
  ({ AlarmNames }: { AlarmNames: string[] }, ctx: CloudwatchContext) =>
    onEach(operation, alarmType, AlarmNames, ctx);
const onRules =
  (operation: string) =>
  ({ RuleNames }: { RuleNames: string[] }, ctx: CloudwatchContext) =>
    onEach(operation, insightRuleType, RuleNames, ctx);
const onStreams =
  (operation: string) =>
  ({ Names }: { Names: string[] }, ctx: CloudwatchContext) =>
    onEach(operation, metricStreamType, Names, ctx);
/** Requires the permission on the alarms in an input; on all alarms without any. */
const onListed =
  (operation: string) => (input: { AlarmNames?: string[]; AlarmName?: string }, ctx: CloudwatchContext) => {
    const { AlarmName, AlarmNames = AlarmName === undefined ? [] : [AlarmName] } = input;
    return onEach(operation, alarmType, AlarmNames.length > 0 ? AlarmNames : ['*'], ctx);
  };

/**
 * Permissions of the operations: their action on the alarms, dashboards or other resources in their input.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoncloudwatch.html
 */
export const authorization: ServiceAuthorization<CloudwatchOperations, CloudwatchState> = {
  prefix: 'cloudwatch',
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch-metric-streams-trustpolicy.html
  roles: { PutMetricStream: { RoleArn: 'streams.metrics.cloudwatch' } },
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html, API_PutCompositeAlarm.html
  // and API_PutInsightRule.html
  tagOnCreate: { PutCompositeAlarm: 'TagResource', PutInsightRule: 'TagResource', PutMetricAlarm: 'TagResource' },
  operations: {
    DeleteAlarms: onAlarms('DeleteAlarms'),
    DeleteDashboards: ({ DashboardNames }, ctx) => onEach('DeleteDashboards', dashboardType, DashboardNames, ctx),
    DeleteInsightRules: onRules('DeleteInsightRules'),
    DescribeAlarmHistory: onListed('DescribeAlarmHistory'),
    DescribeAlarms: onListed('DescribeAlarms'),
    DisableAlarmActions: onAlarms('DisableAlarmActions'),
    DisableInsightRules: onRules('DisableInsightRules'),
    EnableAlarmActions: onAlarms('EnableAlarmActions'),
    EnableInsightRules: onRules('EnableInsightRules'),
    StartMetricStreams: onStreams('StartMetricStreams'),
    StopMetricStreams: onStreams('StopMetricStreams'),
  },
};

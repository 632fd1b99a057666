import {
  type AuthorizationRequest,
  permissionOn,
  type ResourceAddress,
  type ResourceType,
  type ServiceAuthorization,
  tagCondition,
  tagMap,
} from '@emu/core/service';
import type { CloudwatchOperations, ManagedRule } from '@emu/service-types/cloudwatch';
import type { CloudwatchContext } from './context.ts';
import { managedName } from './insights/managed.ts';
import { alarmType, dashboardType, insightRuleType, metricStreamType, muteRuleType } from './resources.ts';
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

/**
 * Returns the permission to tag a managed rule, for a rule with tags.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_ManagedRule.html
 */
function taggingManaged({ TemplateName, ResourceARN, Tags }: ManagedRule, ctx: CloudwatchContext) {
  const request = tagMap(Tags);
  if (!request) return [];
  return onEach('TagResource', insightRuleType, [managedName(TemplateName, ResourceARN)], ctx).map((needed) => ({
    ...needed,
    condition: (key: string) => tagCondition(key, { request }) ?? needed.condition?.(key),
  }));
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
    ListAlarmMuteRules: (_input, ctx) => onEach('ListAlarmMuteRules', muteRuleType, ['*'], ctx),
    PutManagedInsightRules: ({ ManagedRules }, ctx) => [
      { action: 'cloudwatch:PutManagedInsightRules', resource: '*' },
      ...ManagedRules.flatMap((rule) => taggingManaged(rule, ctx)),
    ],
    StartMetricStreams: onStreams('StartMetricStreams'),
    StopMetricStreams: onStreams('StopMetricStreams'),
  },
};

import { defineResource, type Place, type ResourceAddress, taggedRecord } from '@emu/core/service';
import type { CloudwatchState } from './state.ts';
import { tagging } from './tags.ts';

type Named = ResourceAddress<{ name: string }>;

/** Returns the resource that a member of certain operations names. */
const namedBy =
  (members: Readonly<Record<string, string>>) =>
  (input: Readonly<Record<string, unknown>>, place: Place, operation: string): Named | undefined => {
    const name = input[members[operation] ?? ''];
    return typeof name === 'string' ? { key: { name }, place } : undefined;
  };

const names = (keys: Iterable<string>): { name: string }[] => [...keys].sort().map((name) => ({ name }));

/**
 * Alarms of both types.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoncloudwatch.html
 */
export const alarmType = defineResource({
  name: 'alarm',
  service: 'cloudwatch',
  scope: 'region',
  format: 'alarm:{name+}',
  cloudFormation: 'AWS::CloudWatch::Alarm',
  arnMembers: ['ResourceARN'],
  identify: namedBy({
    PutMetricAlarm: 'AlarmName',
    PutCompositeAlarm: 'AlarmName',
    SetAlarmState: 'AlarmName',
    DescribeAlarmHistory: 'AlarmName',
    DescribeAlarmContributors: 'AlarmName',
  }),
  records: ({ alarms }: CloudwatchState) => alarms,
  list: ({ alarms }) => names(alarms.keys()),
  tagged: { tagging, find: ({ alarms }, { name }) => taggedRecord(alarms, name) },
});

/** Alarm mute rules. */
export const muteRuleType = defineResource({
  name: 'alarm-mute-rule',
  service: 'cloudwatch',
  scope: 'region',
  format: 'alarm-mute-rule:{name+}',
  arnMembers: ['ResourceARN'],
  identify: namedBy({
    PutAlarmMuteRule: 'Name',
    GetAlarmMuteRule: 'AlarmMuteRuleName',
    DeleteAlarmMuteRule: 'AlarmMuteRuleName',
  }),
  records: ({ muteRules }: CloudwatchState) => muteRules,
  list: ({ muteRules }) => names(muteRules.keys()),
  tagged: { tagging, find: ({ muteRules }, { name }) => taggedRecord(muteRules, name) },
});

/** Dashboards, which exist in all regions of an account. */
export const dashboardType = defineResource({
  name: 'dashboard',
  service: 'cloudwatch',
  scope: 'account',
  format: 'dashboard/{name}',
  cloudFormation: 'AWS::CloudWatch::Dashboard',
  arnMembers: ['ResourceARN'],
  identify: namedBy({ GetDashboard: 'DashboardName', PutDashboard: 'DashboardName' }),
  records: ({ dashboards }: CloudwatchState) => dashboards,
  list: ({ dashboards }) => names(dashboards.keys()),
  tagged: { tagging, find: ({ dashboards }, { name }) => taggedRecord(dashboards, name) },
});

/** Contributor Insights rules. */
export const insightRuleType = defineResource({
  name: 'insight-rule',
  service: 'cloudwatch',
  scope: 'region',
  format: 'insight-rule/{name+}',
  cloudFormation: 'AWS::CloudWatch::InsightRule',
  arnMembers: ['ResourceARN'],
  identify: namedBy({ PutInsightRule: 'RuleName', GetInsightRuleReport: 'RuleName' }),
  records: ({ insightRules }: CloudwatchState) => insightRules,
  list: ({ insightRules }) => names(insightRules.keys()),
  tagged: { tagging, find: ({ insightRules }, { name }) => taggedRecord(insightRules, name) },
});

/** Metric streams. */
export const metricStreamType = defineResource({
  name: 'metric-stream',
  service: 'cloudwatch',
  scope: 'region',
  format: 'metric-stream/{name}',
  cloudFormation: 'AWS::CloudWatch::MetricStream',
  arnMembers: ['ResourceARN'],
  identify: namedBy({ PutMetricStream: 'Name', GetMetricStream: 'Name', DeleteMetricStream: 'Name' }),
  records: ({ streams }: CloudwatchState) => streams,
  list: ({ streams }) => names(streams.keys()),
  tagged: { tagging, find: ({ streams }, { name }) => taggedRecord(streams, name) },
});

/** All resource types of CloudWatch. */
export const resources = [alarmType, muteRuleType, dashboardType, insightRuleType, metricStreamType];

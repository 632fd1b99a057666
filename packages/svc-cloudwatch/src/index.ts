import { countCall, definePlugin, MetricBoard, metricBoard } from '@emu/core';
import type { CloudwatchOperations } from '@emu/service-types/cloudwatch';
import type { ServiceModel } from '@emu/wire';
import model from '../model/cloudwatch.json' with { type: 'json' };
import { resumeAlarms } from './alarms/schedule.ts';
import { control } from './control.ts';
import {
  DeleteAlarms,
  DescribeAlarmContributors,
  DescribeAlarmHistory,
  DescribeAlarms,
  DescribeAlarmsForMetric,
  DisableAlarmActions,
  EnableAlarmActions,
  PutCompositeAlarm,
  PutMetricAlarm,
  SetAlarmState,
} from './operations/alarms.ts';
import { DeleteAnomalyDetector, DescribeAnomalyDetectors, PutAnomalyDetector } from './operations/anomaly-detectors.ts';
import { DeleteDashboards, GetDashboard, ListDashboards, PutDashboard } from './operations/dashboards.ts';
import {
  DeleteInsightRules,
  DescribeInsightRules,
  DisableInsightRules,
  EnableInsightRules,
  GetInsightRuleReport,
  PutInsightRule,
} from './operations/insight-rules.ts';
import { ListManagedInsightRules, PutManagedInsightRules } from './operations/managed-insight-rules.ts';
import {
  DeleteMetricStream,
  GetMetricStream,
  ListMetricStreams,
  PutMetricStream,
  StartMetricStreams,
  StopMetricStreams,
} from './operations/metric-streams.ts';
import { GetMetricData, GetMetricStatistics, ListMetrics, PutMetricData } from './operations/metrics.ts';
import {
  DeleteAlarmMuteRule,
  GetAlarmMuteRule,
  ListAlarmMuteRules,
  PutAlarmMuteRule,
} from './operations/mute-rules.ts';
import { GetOTelEnrichment, StartOTelEnrichment, StopOTelEnrichment } from './operations/otel.ts';
import { ListTagsForResource, TagResource, UntagResource } from './operations/tags.ts';
import { GetMetricWidgetImage } from './operations/widgets.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { resources } from './resources.ts';
import { CloudwatchState } from './state.ts';

/** Amazon CloudWatch. */
export const plugin = definePlugin<CloudwatchOperations, CloudwatchState>({
  name: 'cloudwatch',
  model: model as unknown as ServiceModel,
  errorNamespace: 'com.amazonaws.cloudwatch.v2010_08_01',
  stateScope: 'region',
  collections,
  createState: (scope) => new CloudwatchState(scope, { resume: resumeAlarms }),
  control,
  paging,
  resources,
  async onReset(handle, accountId) {
    const board = await handle.capability(metricBoard);
    if (board instanceof MetricBoard) board.clear(accountId);
  },
  prepare(operation, _input, { http, state, clock }) {
    if (http) countCall(state.reported, { service: 'CloudWatch', resource: operation }, clock.now());
    return undefined;
  },
  operations: {
    DeleteAlarmMuteRule,
    DeleteAlarms,
    DeleteAnomalyDetector,
    DeleteDashboards,
    DeleteInsightRules,
    DeleteMetricStream,
    DescribeAlarmContributors,
    DescribeAlarmHistory,
    DescribeAlarms,
    DescribeAlarmsForMetric,
    DescribeAnomalyDetectors,
    DescribeInsightRules,
    DisableAlarmActions,
    DisableInsightRules,
    EnableAlarmActions,
    EnableInsightRules,
    GetAlarmMuteRule,
    GetDashboard,
    GetInsightRuleReport,
    GetMetricData,
    GetMetricStatistics,
    GetMetricStream,
    GetMetricWidgetImage,
    GetOTelEnrichment,
    ListAlarmMuteRules,
    ListDashboards,
    ListManagedInsightRules,
    ListMetricStreams,
    ListMetrics,
    ListTagsForResource,
    PutAlarmMuteRule,
    PutAnomalyDetector,
    PutCompositeAlarm,
    PutDashboard,
    PutInsightRule,
    PutManagedInsightRules,
    PutMetricAlarm,
    PutMetricData,
    PutMetricStream,
    SetAlarmState,
    StartMetricStreams,
    StartOTelEnrichment,
    StopMetricStreams,
    StopOTelEnrichment,
    TagResource,
    UntagResource,
  },
});

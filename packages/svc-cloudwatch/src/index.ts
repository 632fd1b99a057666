import { countCall, definePlugin, MetricBoard, metricBoard } from '@emu/core/service';
import type { CloudwatchOperations } from '@emu/service-types/cloudwatch';
import type { ServiceModel } from '@emu/wire';
import model from '../model/cloudwatch.json' with { type: 'json' };
import { interruptedActions } from './alarms/actions.ts';
import { resumeAlarms } from './alarms/schedule.ts';
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { ignoredIfEmpty } from './ignored-members.ts';
import * as alarms from './operations/alarms.ts';
import * as anomalyDetectors from './operations/anomaly-detectors.ts';
import * as dashboards from './operations/dashboards.ts';
import * as insightRules from './operations/insight-rules.ts';
import * as managedInsightRules from './operations/managed-insight-rules.ts';
import * as metricStreams from './operations/metric-streams.ts';
import * as metrics from './operations/metrics.ts';
import * as muteRules from './operations/mute-rules.ts';
import * as otel from './operations/otel.ts';
import { tags } from './operations/tags.ts';
import * as widgets from './operations/widgets.ts';
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
  authorization,
  collections,
  createState: (scope) => new CloudwatchState(scope, { resume: resumeAlarms, interrupted: interruptedActions }),
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
  ignoredIfEmpty,
  operations: [
    alarms,
    anomalyDetectors,
    dashboards,
    insightRules,
    managedInsightRules,
    metricStreams,
    metrics,
    muteRules,
    otel,
    tags,
    widgets,
  ],
});

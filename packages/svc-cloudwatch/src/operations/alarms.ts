import type { DeepMutable } from '@emu/core/service';
import type {
  CompositeAlarm as CompositeAlarmAnswer,
  DescribeAlarmsInput,
  InputOf,
  MetricAlarm as MetricAlarmAnswer,
  OutputOf,
  PutCompositeAlarmInput,
  PutMetricAlarmInput,
} from '@emu/service-types/cloudwatch';
import { putEvent } from '../alarms/actions.ts';
import { childrenOf, compositesOf, nameIn } from '../alarms/composite.ts';
import { recordConfiguration } from '../alarms/history.ts';
import { isJson } from '../alarms/json.ts';
import { alarmArn, configurationDetail } from '../alarms/messages.ts';
import { metricStatOf } from '../alarms/observe.ts';
import { alarmsOf, parseRule, RuleError } from '../alarms/rule.ts';
import { evaluate, refusePromQl, unwatch, watch } from '../alarms/schedule.ts';
import { enter, evaluateComposite } from '../alarms/transition.ts';
import { checkActions, checkMetricAlarm } from '../alarms/validate.ts';
import type { CloudwatchContext } from '../context.ts';
import { cloudwatchError, invalid, resourceNotFound } from '../errors.ts';
import { seriesKey, sortedDimensions } from '../metrics/store.ts';
import { byTime, paging } from '../paging.ts';
import { checkCounters, prepareQuotas } from '../queries/prepare.ts';
import type { AlarmRecord } from '../records.ts';
import type { Alarm, CloudwatchState, CompositeAlarm, MetricAlarm } from '../state.ts';
import { tagging } from '../tags.ts';

type Nothing = Record<string, never>;

const UNCHECKED = 'Unchecked: Initial alarm creation';
const MAX_IN_PAGE = 100;
const DEFAULT_PAGE = 50;

/**
 * Creates or replaces an alarm on a metric or an expression. A replaced alarm keeps its state; both are evaluated
 * immediately if there is data.
 * @throws AwsError `ValidationError`, `InvalidParameterCombination`; `NotImplemented` for PromQL
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html
 */
export async function PutMetricAlarm(
  input: InputOf<'PutMetricAlarm'>,
  ctx: CloudwatchContext,
): Promise<OutputOf<'PutMetricAlarm'>> {
  const { Tags, ...settings } = input;
  refusePromQl(settings);
  checkMetricAlarm(input);
  const { state } = ctx;
  const { Metrics = [] } = input;
  await prepareQuotas(state, Metrics);
  await checkCounters(state, Metrics);
  state.noteUsage(settings);
  state.absorb();
  putAlarm(ctx, 'MetricAlarm', settings, Tags);
  void evaluate(state, input.AlarmName, ctx.requestId);
  return {};
}

/**
 * Creates or replaces a composite alarm and evaluates it.
 * @throws AwsError `ValidationError`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutCompositeAlarm.html
 */
export function PutCompositeAlarm(
  input: InputOf<'PutCompositeAlarm'>,
  ctx: CloudwatchContext,
): OutputOf<'PutCompositeAlarm'> {
  const { Tags, ...settings } = input;
  const { state } = ctx;
  checkActions(input);
  checkRule(state, input);
  const alarm = putAlarm(ctx, 'CompositeAlarm', settings, Tags) as CompositeAlarm;
  void evaluateComposite(state, alarm, ctx.requestId);
  return {};
}

/**
 * Validates an alarm rule.
 * @throws AwsError `ValidationError` for an invalid rule, or unknown alarms in it
 */
function checkRule(state: CloudwatchState, input: PutCompositeAlarmInput): void {
  const { AlarmRule, ActionsSuppressor: suppressor } = input;
  let named: string[];
  try {
    named = [...alarmsOf(parseRule(AlarmRule))].map(nameIn);
  } catch (error) {
    if (error instanceof RuleError) throw invalid(error.message);
    throw error;
  }
  const missing = named.filter((name) => name !== input.AlarmName && !state.alarms.has(name));
  if (missing.length)
    throw invalid(
      `Could not save the composite alarm as alarms [${missing.join(', ')}] in the alarm rule do not exist`,
    );
  if (named.includes(input.AlarmName)) throw invalid('A composite alarm cannot depend on itself.');
  const { ActionsSuppressorWaitPeriod: wait, ActionsSuppressorExtensionPeriod: extension } = input;
  if (suppressor === undefined) {
    if (wait !== undefined || extension !== undefined)
      throw invalid(
        'ActionsSuppressorWaitPeriod and ActionsSuppressorExtensionPeriod require ActionsSuppressor to be specified.',
      );
    return;
  }
  if (wait === undefined || extension === undefined)
    throw invalid(
      'ActionsSuppressor requires ActionsSuppressorWaitPeriod and ActionsSuppressorExtensionPeriod to be specified.',
    );
  if (!state.alarms.has(nameIn(suppressor)))
    throw invalid(`Could not save the composite alarm as the suppressor alarm ${suppressor} does not exist`);
}

/** Stores an alarm, sends its event and starts its evaluation. */
function putAlarm(
  ctx: CloudwatchContext,
  type: AlarmRecord['type'],
  settings: Omit<PutMetricAlarmInput, 'Tags'> | Omit<PutCompositeAlarmInput, 'Tags'>,
  tags: PutMetricAlarmInput['Tags'],
): Alarm {
  const { state } = ctx;
  const name = settings.AlarmName;
  const before = state.alarms.get(name);
  if (before && before.type !== type) throw invalid(`An alarm of another type with the name ${name} exists already.`);
  const now = ctx.clock.now();
  const fresh = {
    name,
    state: 'INSUFFICIENT_DATA',
    reason: UNCHECKED,
    updatedAt: now,
    transitionedAt: now,
    ...(tags?.length && { tags: tagging.merge(undefined, tags) }),
  } as const;
  // Tags of an existing alarm are unchanged.
  const kept = before ? (before as DeepMutable<Alarm>) : fresh;
  const alarm = state.alarms.put(name, { ...kept, type, settings, configuredAt: now } as AlarmRecord);
  const operation = before ? 'Update' : 'Create';
  recordConfiguration(state, operation, alarm);
  announceConfiguration(ctx, before ? 'update' : 'create', alarm, before);
  watch(state, alarm);
  return alarm;
}

function announceConfiguration(
  ctx: CloudwatchContext,
  operation: 'create' | 'update' | 'delete',
  alarm: Alarm,
  before?: Alarm,
): void {
  const { state } = ctx;
  const detail = configurationDetail(state, operation, alarm, before);
  const arn = alarmArn(state, alarm.name);
  void putEvent(state, 'CloudWatch Alarm Configuration Change', [arn], detail, ctx.requestId);
}

/**
 * Deletes alarms, and ignores unknown names.
 * @throws AwsError `ValidationError`; then no alarm is deleted
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DeleteAlarms.html
 */
export function DeleteAlarms(
  { AlarmNames: names }: InputOf<'DeleteAlarms'>,
  ctx: CloudwatchContext,
): OutputOf<'DeleteAlarms'> {
  const { state } = ctx;
  const alarms = [...new Set(names)].flatMap((name) => state.alarms.get(name) ?? []);
  if (alarms.filter(({ type }) => type === 'CompositeAlarm').length > 1)
    throw invalid('You can delete only one composite alarm in one operation.');
  for (const { name } of alarms)
    if (compositesOf(state, name).some((parent) => parent.name !== name))
      throw invalid(`Cannot delete ${name} as there are composite alarm(s) depending on it.`);
  for (const alarm of alarms) {
    unwatch(state, alarm.name);
    state.alarms.delete(alarm.name);
    recordConfiguration(state, 'Delete', alarm);
    announceConfiguration(ctx, 'delete', alarm);
  }
  return {};
}

/**
 * Lists alarms by name, prefix, type, state, action, or relation to composite alarms.
 * @throws AwsError `InvalidNextToken`, `ValidationError`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarms.html
 */
export function DescribeAlarms(input: InputOf<'DescribeAlarms'>, ctx: CloudwatchContext): OutputOf<'DescribeAlarms'> {
  const { state } = ctx;
  const { AlarmNames, AlarmNamePrefix, AlarmTypes, StateValue, ActionPrefix } = input;
  if (AlarmNames?.length && AlarmNamePrefix !== undefined)
    throw invalid('AlarmNamePrefix and AlarmNames are mutually exclusive.');
  // Composite alarms are only included on request.
  const types = AlarmTypes?.length ? AlarmTypes : ['MetricAlarm'];
  const related = relatedTo(state, input);
  const found = [...state.alarms.values()].filter(
    (alarm) =>
      (related ? related.has(alarm.name) : types.includes(alarm.type)) &&
      (!AlarmNames?.length || AlarmNames.includes(alarm.name)) &&
      (AlarmNamePrefix === undefined || alarm.name.startsWith(AlarmNamePrefix)) &&
      (StateValue === undefined || alarm.state === StateValue) &&
      (ActionPrefix === undefined || hasAction(alarm, ActionPrefix)),
  );
  const page = paging.page('DescribeAlarms', input, found, ({ name }) => name, { defaultLimit: DEFAULT_PAGE });
  return {
    CompositeAlarms: page.items.flatMap((alarm) =>
      alarm.type === 'CompositeAlarm' ? [compositeAnswer(state, alarm)] : [],
    ),
    MetricAlarms: page.items.flatMap((alarm) => (alarm.type === 'MetricAlarm' ? [metricAnswer(state, alarm)] : [])),
    ...page.next,
  };
}

/**
 * Returns the names of the requested children or parents.
 * @throws AwsError `ValidationError`, `ResourceNotFound`
 */
function relatedTo(state: CloudwatchState, input: DescribeAlarmsInput): Set<string> | undefined {
  const { ChildrenOfAlarmName: parent, ParentsOfAlarmName: child } = input;
  if (parent === undefined && child === undefined) return undefined;
  const others = { ...input, ChildrenOfAlarmName: undefined, ParentsOfAlarmName: undefined };
  const { MaxRecords: _max, NextToken: _token, ...filters } = others;
  if ((parent !== undefined && child !== undefined) || Object.values(filters).some((value) => value !== undefined))
    throw invalid('ChildrenOfAlarmName and ParentsOfAlarmName take no other parameters than MaxRecords and NextToken.');
  if (parent !== undefined) {
    const alarm = state.compositeAlarm(parent);
    if (!alarm) throw resourceNotFound();
    return childrenOf(alarm);
  }
  return new Set(compositesOf(state, child!).flatMap((alarm) => (childrenOf(alarm).has(child!) ? [alarm.name] : [])));
}

function hasAction({ settings }: Alarm, prefix: string): boolean {
  const { AlarmActions = [], OKActions = [], InsufficientDataActions = [] } = settings;
  return [...AlarmActions, ...OKActions, ...InsufficientDataActions].some((action) => action.startsWith(prefix));
}

/** Returns the response members common to both types. */
function commonAnswer(state: CloudwatchState, alarm: Alarm) {
  const { settings } = alarm;
  return {
    AlarmName: alarm.name,
    AlarmArn: alarmArn(state, alarm.name),
    AlarmDescription: settings.AlarmDescription,
    AlarmConfigurationUpdatedTimestamp: new Date(alarm.configuredAt),
    ActionsEnabled: settings.ActionsEnabled ?? true,
    OKActions: [...(settings.OKActions ?? [])],
    AlarmActions: [...(settings.AlarmActions ?? [])],
    InsufficientDataActions: [...(settings.InsufficientDataActions ?? [])],
    StateValue: alarm.state,
    StateReason: alarm.reason,
    StateReasonData: alarm.reasonData,
    StateUpdatedTimestamp: new Date(alarm.updatedAt),
    StateTransitionedTimestamp: new Date(alarm.transitionedAt),
  };
}

function metricAnswer(state: CloudwatchState, alarm: MetricAlarm): MetricAlarmAnswer {
  const settings = alarm.settings as Omit<PutMetricAlarmInput, 'Tags'>;
  return {
    ...settings,
    ...commonAnswer(state, alarm),
    Dimensions: settings.Dimensions ?? [],
    // Metrics as put, with the members that responses always include.
    ...(settings.Metrics && {
      Metrics: settings.Metrics.map((query) => ({ ...query, ReturnData: query.ReturnData ?? true })),
    }),
  };
}

function compositeAnswer(state: CloudwatchState, alarm: CompositeAlarm): CompositeAlarmAnswer {
  const { suppression, settings } = alarm;
  return {
    ...commonAnswer(state, alarm),
    AlarmRule: settings.AlarmRule,
    ActionsSuppressor: settings.ActionsSuppressor,
    ActionsSuppressorWaitPeriod: settings.ActionsSuppressorWaitPeriod,
    ActionsSuppressorExtensionPeriod: settings.ActionsSuppressorExtensionPeriod,
    ...(suppression && { ActionsSuppressedBy: suppression.by, ActionsSuppressedReason: suppression.reason }),
  };
}

/**
 * Lists the alarms on one metric.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarmsForMetric.html
 */
export function DescribeAlarmsForMetric(
  input: InputOf<'DescribeAlarmsForMetric'>,
  ctx: CloudwatchContext,
): OutputOf<'DescribeAlarmsForMetric'> {
  const { state } = ctx;
  const key = seriesKey(input.Namespace, input.MetricName, sortedDimensions(input.Dimensions));
  const found = [...state.alarms.values()].filter((alarm): alarm is MetricAlarm => {
    if (alarm.type !== 'MetricAlarm') return false;
    const stat = metricStatOf(alarm.settings);
    if (!stat) return false;
    const { Namespace = '', MetricName = '', Dimensions = [] } = stat.Metric;
    return (
      seriesKey(Namespace, MetricName, Dimensions) === key &&
      (input.Statistic === undefined || alarm.settings.Statistic === input.Statistic) &&
      (input.ExtendedStatistic === undefined || alarm.settings.ExtendedStatistic === input.ExtendedStatistic) &&
      (input.Period === undefined || alarm.settings.Period === input.Period) &&
      (input.Unit === undefined || alarm.settings.Unit === input.Unit)
    );
  });
  return { MetricAlarms: found.map((alarm) => metricAnswer(state, alarm)) };
}

/**
 * Lists the history of alarms, newest first by default.
 * @throws AwsError `InvalidNextToken`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarmHistory.html
 */
export function DescribeAlarmHistory(
  input: InputOf<'DescribeAlarmHistory'>,
  ctx: CloudwatchContext,
): OutputOf<'DescribeAlarmHistory'> {
  const { AlarmName, AlarmContributorId, HistoryItemType, StartDate, EndDate, ScanBy } = input;
  // History of composite alarms is only included on request.
  const types = input.AlarmTypes?.length ? input.AlarmTypes : ['MetricAlarm'];
  const found = [...ctx.state.history.entries()].filter(
    ([, item]) =>
      types.includes(item.alarmType) &&
      (AlarmName === undefined || item.alarm === AlarmName) &&
      (AlarmContributorId === undefined || item.contributor?.id === AlarmContributorId) &&
      (HistoryItemType === undefined || item.type === HistoryItemType) &&
      (StartDate === undefined || item.at >= StartDate.getTime()) &&
      (EndDate === undefined || item.at <= EndDate.getTime()),
  );
  const page = paging.page('DescribeAlarmHistory', input, found, ([key, { at }]) => byTime(at, key), {
    defaultLimit: MAX_IN_PAGE,
    descending: ScanBy !== 'TimestampAscending',
  });
  return page.list(([, item]) => ({
    AlarmName: item.alarm,
    AlarmType: item.alarmType,
    Timestamp: new Date(item.at),
    HistoryItemType: item.type,
    HistorySummary: item.summary,
    HistoryData: item.data,
    ...(item.contributor && {
      AlarmContributorId: item.contributor.id,
      AlarmContributorAttributes: { ...item.contributor.attributes },
    }),
  }));
}

/**
 * Lists the groups of a Metrics Insights alarm that are in ALARM.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarmContributors.html
 */
export function DescribeAlarmContributors(
  input: InputOf<'DescribeAlarmContributors'>,
  ctx: CloudwatchContext,
): OutputOf<'DescribeAlarmContributors'> {
  const alarm = ctx.state.metricAlarm(input.AlarmName);
  if (!alarm) throw resourceNotFound();
  const alarming = Object.entries(alarm.contributors ?? {}).filter(([, { state }]) => state === 'ALARM');
  return paging
    .page('DescribeAlarmContributors', input, alarming, ([id]) => id)
    .list(([id, { attributes, reason, transitionedAt }]) => ({
      ContributorId: id,
      ContributorAttributes: { ...attributes },
      StateReason: reason,
      StateTransitionedTimestamp: new Date(transitionedAt),
    }));
}

/**
 * Sets the state of an alarm until its next evaluation, with all effects of a change.
 * @throws AwsError `ResourceNotFound`, `InvalidFormat`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_SetAlarmState.html
 */
export function SetAlarmState(input: InputOf<'SetAlarmState'>, ctx: CloudwatchContext): OutputOf<'SetAlarmState'> {
  const { AlarmName: name, StateValue, StateReason: text, StateReasonData: data } = input;
  if (!ctx.state.alarms.has(name)) throw resourceNotFound();
  if (data !== undefined && !isJson(data))
    throw cloudwatchError('InvalidFormatFault', 'StateReasonData was not syntactically valid JSON');
  void enter(ctx.state, name, StateValue, { text, data }, ctx.requestId);
  return {};
}

/** Enables the actions of alarms; ignores unknown names. */
export function EnableAlarmActions(
  { AlarmNames }: InputOf<'EnableAlarmActions'>,
  ctx: CloudwatchContext,
): OutputOf<'EnableAlarmActions'> {
  return setActionsEnabled(AlarmNames, true, ctx);
}

/** Disables the actions of alarms; ignores unknown names. */
export function DisableAlarmActions(
  { AlarmNames }: InputOf<'DisableAlarmActions'>,
  ctx: CloudwatchContext,
): OutputOf<'DisableAlarmActions'> {
  return setActionsEnabled(AlarmNames, false, ctx);
}

function setActionsEnabled(names: readonly string[], enabled: boolean, ctx: CloudwatchContext): Nothing {
  const { state } = ctx;
  for (const name of names) {
    const before = state.alarms.get(name);
    if (!before) continue;
    const alarm = state.alarms.update(name, (draft) => {
      draft.settings.ActionsEnabled = enabled;
      draft.configuredAt = ctx.clock.now();
    });
    recordConfiguration(state, 'Update', alarm);
    announceConfiguration(ctx, 'update', alarm, before);
  }
  return {};
}

import { type DeepMutable, notImplemented } from '@emu/core/service';
import type { MetricDataQuery } from '@emu/service-types/cloudwatch';
import { AwsError } from '@emu/wire';
import { MathError } from '../math/parse.ts';
import { seriesKey, sortedDimensions } from '../metrics/store.ts';
import { prepare, usesOtherServices } from '../queries/prepare.ts';
import type { Alarm, CloudwatchState, MetricAlarm } from '../state.ts';
import { sendStreams } from '../streams/send.ts';
import { updateContributors } from './contributors.ts';
import { type Judgement, judge, type Treatment } from './decide.ts';
import { isMuted, windowAt } from './mute.ts';
import { type EvaluationRange, evaluationRange, intervalOf, observe, watchedSeries } from './observe.ts';
import { breachesBy, reasonFor } from './reasons.ts';
import { awaitSuppression } from './suppression.ts';
import { enter, release } from './transition.ts';

const MINUTE = 60_000;
/** Milliseconds between evaluations of high-resolution alarms. */
const SHORT = 10_000;

/** Starts the evaluation of alarms and the timers of mute rules. */
export function resumeAlarms(state: CloudwatchState): void {
  for (const alarm of state.alarms.values()) {
    watch(state, alarm);
    state.noteUsage(alarm.settings);
    // Preparations of a past request must be repeated.
    if (alarm.type === 'MetricAlarm' && JSON.stringify(alarm.settings.Metrics)?.includes('SERVICE_QUOTA'))
      void state.quotas.load();
  }
  state.reported?.onActivity(() => {
    state.reporting = true;
    awaitTick(state);
  });
  for (const { name } of state.muteRules.values()) awaitMuteRule(state, name);
  awaitTick(state);
}

/** Starts to evaluate an alarm, replacing a previous version of it. */
export function watch(state: CloudwatchState, alarm: Alarm): void {
  unwatch(state, alarm.name);
  if (alarm.type === 'CompositeAlarm') {
    awaitSuppression(state, alarm, state.ids.uuid());
    return;
  }
  const keyOf = ({
    Metric,
  }: {
    Metric: {
      Namespace?: string | undefined;
      MetricName?: string | undefined;
      Dimensions?: readonly { Name: string; Value: string }[] | undefined;
    };
  }) => seriesKey(Metric.Namespace ?? '', Metric.MetricName ?? '', sortedDimensions(Metric.Dimensions));
  for (const key of watchedSeries(alarm, keyOf)) {
    const names = state.alarmsOfSeries.get(key);
    if (names) names.add(alarm.name);
    else state.alarmsOfSeries.set(key, new Set([alarm.name]));
  }
  awaitTick(state);
}

/** Stops to evaluate an alarm. */
export function unwatch(state: CloudwatchState, name: string): void {
  state.due.cancel(`suppression ${name}`);
  for (const [key, names] of state.alarmsOfSeries)
    if (names.delete(name) && !names.size) state.alarmsOfSeries.delete(key);
}

/**
 * Evaluates the alarms on series with new data.
 * @param cause id of the request with the data
 */
export function dataChanged(state: CloudwatchState, keys: Iterable<string>, cause: string): void {
  if (!state.alarmsOfSeries.size) return;
  const names = new Set<string>();
  for (const key of keys) for (const name of state.alarmsOfSeries.get(key) ?? []) names.add(name);
  for (const name of names) void evaluate(state, name, cause);
}

/** Returns the milliseconds between ticks: a minute, or ten seconds if an alarm requires it. */
function tickOf(state: CloudwatchState): number | undefined {
  const busy =
    (state.reported?.watched && state.reporting) || [...state.streams.values()].some(({ running }) => running);
  let tick: number | undefined = busy ? MINUTE : undefined;
  for (const alarm of state.alarms.values()) {
    if (alarm.type !== 'MetricAlarm') continue;
    if (intervalOf(alarm) < 60) return SHORT;
    tick = MINUTE;
  }
  return tick;
}

/** Sets the timer for the next evaluation of alarms, reading of levels and sending of streams. */
export function awaitTick(state: CloudwatchState): void {
  const tick = tickOf(state);
  if (tick === undefined) return;
  const now = state.clock.now();
  const due = now - (now % tick) + tick;
  if (state.nextTick !== undefined && state.nextTick <= due && state.nextTick > now) return;
  state.nextTick = due;
  state.due.set('tick', due, () => runTick(state));
}

async function runTick(state: CloudwatchState): Promise<void> {
  state.nextTick = undefined;
  const now = state.clock.now();
  // A level read at the end of a minute belongs to that minute.
  state.absorb(now - 1);
  const cause = state.ids.uuid();
  const work: Promise<unknown>[] = [];
  for (const alarm of [...state.alarms.values()])
    if (alarm.type === 'MetricAlarm' && now % (Math.max(intervalOf(alarm), 10) * 1000) === 0)
      work.push(evaluate(state, alarm.name, cause, true));
  if (now % MINUTE === 0) work.push(sendStreams(state, cause));
  awaitTick(state);
  await Promise.all(work);
}

/**
 * Evaluates a metric alarm: its state changes before this returns, its actions run afterwards.
 * @param ended whether a minute has ended
 */
export function evaluate(state: CloudwatchState, name: string, cause: string, ended = false): Promise<unknown> {
  const alarm = state.metricAlarm(name);
  if (!alarm || alarm.settings.EvaluationCriteria) return Promise.resolve();
  const look = evaluationRange(state, alarm, ended);
  const queries = (alarm.settings.Metrics ?? []) as DeepMutable<MetricDataQuery>[];
  if (!usesOtherServices(queries)) return evaluateWith(state, name, cause, look, ended);
  // Alarms that query other services are evaluated once a minute only.
  if (!ended) return Promise.resolve();
  return prepare(state, queries, () => look.range).then(
    (prepared) => evaluateWith(state, name, cause, { ...look, prepared }, ended),
    (error: unknown) => {
      if (!(error instanceof AwsError)) throw error;
      state.log.warn(`the alarm ${name} could not be evaluated`, { error });
    },
  );
}

function evaluateWith(
  state: CloudwatchState,
  name: string,
  cause: string,
  look: EvaluationRange,
  ended: boolean,
): Promise<unknown> {
  // It may have been deleted or replaced in the meantime.
  const alarm = state.metricAlarm(name);
  if (!alarm) return Promise.resolve();
  try {
    const judgement = judgementOf(state, alarm, look);
    if (judgement?.state === undefined || judgement.state === alarm.state) return Promise.resolve();
    // Missing data is determined at the end of a period, not when an alarm is put.
    if (judgement.state === 'INSUFFICIENT_DATA' && !ended) return Promise.resolve();
    return enter(state, name, judgement.state, reasonFor(alarm, judgement, judgement.state, state.clock.now()), cause);
  } catch (error) {
    if (!(error instanceof MathError) && !(error instanceof AwsError)) throw error;
    state.log.warn(`the alarm ${name} could not be evaluated`, { error });
    return Promise.resolve();
  }
}

/** Returns the evaluation of the alarm's datapoints; undefined if none counts. */
function judgementOf(state: CloudwatchState, alarm: MetricAlarm, look: EvaluationRange): Judgement | undefined {
  const { settings } = alarm;
  const of = settings.EvaluationPeriods ?? 1;
  const counts = { of, needed: settings.DatapointsToAlarm ?? of };
  const treatment = (settings.TreatMissingData ?? 'missing') as Treatment;
  const breaches = breachesBy(settings);
  const judged = observe(state, alarm, look).map((observation) => ({
    ...observation,
    judgement: judge(observation.slots, counts, treatment, breaches),
  }));
  if (judged.some(({ attributes }) => attributes)) updateContributors(state, alarm, judged);
  const alarming = judged.find(({ judgement }) => judgement.state === 'ALARM') ?? judged[0];
  return alarming && hasSamples(settings, alarming.judgement) ? alarming.judgement : undefined;
}

/** Whether there are enough samples for a percentile, if the alarm requires that. */
function hasSamples(settings: MetricAlarm['settings'], { evaluated }: Judgement): boolean {
  const [, percentile] = /^p(\d+(?:\.\d+)?)$/.exec(settings.ExtendedStatistic ?? '') ?? [];
  if (settings.EvaluateLowSampleCountPercentile !== 'ignore' || percentile === undefined) return true;
  const share = Number(percentile) / 100;
  const needed = 10 / (share >= 0.5 ? 1 - share : share);
  return evaluated.every((slot) => slot === undefined || (slot.sampleCount ?? 0) >= needed);
}

/** Sets the timer for the end of a mute rule's window, at which delayed actions run. */
export function awaitMuteRule(state: CloudwatchState, name: string): void {
  const key = `mute-rule ${name}`;
  const rule = state.muteRules.get(name);
  const window = rule && windowAt(rule, state.clock.now());
  if (!window) {
    state.due.cancel(key);
    return;
  }
  state.due.set(key, window.to, async () => {
    const cause = state.ids.uuid();
    awaitMuteRule(state, name);
    await releaseMuted(state, cause);
  });
}

/** Runs the delayed actions of alarms that are no longer muted. */
export async function releaseMuted(state: CloudwatchState, cause: string): Promise<void> {
  const held = [...state.alarms.values()].filter((alarm) => alarm.muted && !isMuted(state, alarm.name));
  await Promise.all(held.map((alarm) => release(state, alarm, cause)));
}

/**
 * Rejects alarms on PromQL queries.
 * @throws AwsError `NotImplemented`, as emu has no PromQL engine
 */
export function refusePromQl(settings: MetricAlarm['settings']): void {
  if (settings.EvaluationCriteria) throw notImplemented('cloudwatch', 'PutMetricAlarm with EvaluationCriteria');
}

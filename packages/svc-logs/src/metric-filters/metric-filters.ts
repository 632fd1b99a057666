import type { DeepReadonly } from '@emu/core/service';
import type { Dimension, MetricDatum, StandardUnit } from '@emu/service-types/cloudwatch';
import { AwsError } from '@emu/wire';
import type { LogGroup } from '../groups/groups.ts';
import { valueAt } from '../patterns/json-pattern.ts';
import { parsePattern } from '../patterns/parse.ts';
import type { FilterPattern } from '../patterns/pattern.ts';
import type { MetricFilterRecord } from '../records.ts';
import type { LogsRegistry } from '../registry.ts';
import type { NewEvent } from '../store/event.ts';
import { parseSystemCriteria, systemField } from './system-fields.ts';

const MINUTE = 60_000;
/** Maximum number of values per datum, and of data per call. */
const MAX_VALUES = 150;
const MAX_DATA = 1000;

type Filter = DeepReadonly<MetricFilterRecord>;

/** Matches of a filter in a minute: number of occurrences of each value, by dimensions. */
interface Found {
  readonly dimensions: Dimension[];
  readonly timestamp: number;
  readonly counts: Map<number, number>;
}

/** Publishes the matches of metric filters to CloudWatch. */
export class MetricFilters {
  private readonly patterns = new WeakMap<Filter, FilterPattern>();
  /** Last minute reported by each filter. */
  private readonly reported = new Map<string, number>();

  constructor(private readonly state: LogsRegistry) {}

  /** Returns the filters of a group. */
  of(group: string): Filter[] {
    const { metricFilters } = this.state;
    return metricFilters.size ? [...metricFilters.values()].filter((filter) => filter.group === group) : [];
  }

  /**
   * Reports the matches of a group's filters in new events: a value per match, or the default value for a minute
   * without matches.
   */
  async report(group: LogGroup, events: readonly NewEvent[]): Promise<void> {
    for (const filter of this.of(group.name)) {
      const [transformation] = filter.transformations;
      if (!transformation) continue;
      if (!parseSystemCriteria(filter.criteria)(this.state)) continue;
      const data = this.dataOf(filter, transformation, events);
      for (let start = 0; start < data.length; start += MAX_DATA)
        await this.put(transformation.metricNamespace, data.slice(start, start + MAX_DATA));
    }
  }

  private async put(Namespace: string, MetricData: MetricDatum[]): Promise<void> {
    try {
      await this.state.call('cloudwatch', 'PutMetricData', { Namespace, MetricData });
    } catch (error) {
      // The events are already stored, so errors here do not fail the request.
      if (!(error instanceof AwsError)) throw error;
      if (error.code !== 'NotImplemented')
        this.state.log.warn('values of a metric filter could not be put into CloudWatch', { error });
    }
  }

  private dataOf(
    filter: Filter,
    transformation: Filter['transformations'][number],
    events: readonly NewEvent[],
  ): MetricDatum[] {
    const pattern = this.patternOf(filter);
    const found = new Map<string, Found>();
    const add = (timestamp: number, value: number, dimensions: Dimension[]): void => {
      const key = `${timestamp} ${JSON.stringify(dimensions)}`;
      const entry = found.get(key) ?? { dimensions, timestamp, counts: new Map<number, number>() };
      entry.counts.set(value, (entry.counts.get(value) ?? 0) + 1);
      found.set(key, entry);
    };
    const key = `${filter.group}:${filter.name}`;
    const { defaultValue } = transformation;
    const system = (filter.systemDimensions ?? []).map((Name) => ({ Name, Value: systemField(Name, this.state) }));
    const silent = new Set<number>();
    for (const event of events) {
      const message = (filter.onTransformed ? event.transformed : undefined) ?? event.message;
      const minute = event.timestamp - (event.timestamp % MINUTE);
      if (!pattern.test(message)) {
        silent.add(minute);
        continue;
      }
      const extract = valuesOf(pattern, message);
      const value = numberOf(transformation.metricValue, extract);
      const dimensions = dimensionsOf(transformation.dimensions, extract);
      if (value === undefined || !dimensions) continue;
      add(minute, value, [...dimensions, ...system]);
      this.reported.set(key, minute);
    }
    if (defaultValue !== undefined)
      for (const minute of silent) {
        if ((this.reported.get(key) ?? -1) >= minute) continue;
        this.reported.set(key, minute);
        add(minute, defaultValue, system);
      }
    return [...found.values()].flatMap((entry) => dataOf(transformation, entry));
  }

  private patternOf(filter: Filter): FilterPattern {
    let pattern = this.patterns.get(filter);
    if (!pattern) {
      pattern = parsePattern(filter.pattern);
      this.patterns.set(filter, pattern);
    }
    return pattern;
  }
}

/** Resolves a name of a transformation in a message: a field of the pattern, or any path in a JSON event. */
function valuesOf(pattern: FilterPattern, message: string): (name: string) => string | undefined {
  let named: Record<string, string> | undefined;
  return (name) => {
    named ??= pattern.extract(message);
    return named[name] ?? (/^\$[.[]/.test(name) ? valueAt(message, name) : undefined);
  };
}

/** Returns the number of a metric value; undefined if the event has none. */
function numberOf(metricValue: string, extract: (name: string) => string | undefined): number | undefined {
  const text = metricValue.startsWith('$') ? extract(metricValue) : metricValue;
  const number = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** Returns the dimensions of an event; undefined if one is missing. */
function dimensionsOf(
  dimensions: Readonly<Record<string, string>> | undefined,
  extract: (name: string) => string | undefined,
): Dimension[] | undefined {
  const found: Dimension[] = [];
  for (const [Name, source] of Object.entries(dimensions ?? {})) {
    const Value = extract(source);
    if (Value === undefined) return undefined;
    found.push({ Name, Value });
  }
  return found;
}

function dataOf(
  { metricName, unit }: Filter['transformations'][number],
  { dimensions, timestamp, counts }: Found,
): MetricDatum[] {
  const entries = [...counts];
  const data: MetricDatum[] = [];
  for (let start = 0; start < entries.length; start += MAX_VALUES) {
    const part = entries.slice(start, start + MAX_VALUES);
    data.push({
      MetricName: metricName,
      Timestamp: new Date(timestamp),
      Values: part.map(([value]) => value),
      Counts: part.map(([, count]) => count),
      ...(dimensions.length && { Dimensions: dimensions }),
      ...(unit !== undefined && { Unit: unit as StandardUnit }),
    });
  }
  return data;
}

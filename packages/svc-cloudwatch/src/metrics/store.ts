import type { Clock, Collection, DeepReadonly, MetricIdentity } from '@emu/core/service';
import type { Dimension } from '@emu/service-types/cloudwatch';
import type { PointRecord, SeriesRecord, Step } from '../records.ts';
import type { Aggregate } from './statistics.ts';

/**
 * Maximum number of distinct values in a part of a datapoint; more create another part, so that the cost of a change is
 * bounded.
 */
const MAX_VALUES = 64;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** Retention of datapoints in seconds by step, and the next coarser step. */
const RETENTION: Readonly<Record<Step, { seconds: number; next?: Step }>> = {
  1: { seconds: 3 * HOUR, next: 60 },
  60: { seconds: 15 * DAY, next: 300 },
  300: { seconds: 63 * DAY, next: 3600 },
  3600: { seconds: 455 * DAY },
};
/** Minimum milliseconds between sweeps of expired data. */
const SWEEP = HOUR * 1000;

/** A part of a datapoint with its storage key. */
interface Part {
  key: string;
  point: DeepReadonly<PointRecord>;
}

/** A series with its datapoints, oldest first. */
export interface Series extends DeepReadonly<SeriesRecord> {
  readonly key: string;
  readonly parts: readonly Part[];
}

interface OpenSeries extends Series {
  parts: Part[];
}

/** Data to add to a series. */
export interface Sample {
  /** Epoch milliseconds. */
  at: number;
  /** Resolution in seconds: 1 or 60. */
  step: Step;
  unit: string;
  /** Values with their counts. */
  values?: readonly (readonly [value: number, count: number])[];
  /** Statistic set, as an alternative to values. */
  set?: { count: number; sum: number; min: number; max: number };
}

/** Returns the key of a metric; dimensions must be ordered by name. */
export const seriesKey = (namespace: string, name: string, dimensions: readonly Readonly<Dimension>[]): string =>
  dimensions.reduce((key, { Name, Value }) => `${key}\u0000${Name}\u0001${Value}`, `${namespace}\u0000${name}`);

/** Returns dimensions ordered by name. */
export const sortedDimensions = (dimensions: readonly Readonly<Dimension>[] = []): Dimension[] =>
  dimensions
    .map(({ Name, Value }) => ({ Name, Value }))
    .sort((a, b) => (a.Name < b.Name ? -1 : a.Name > b.Name ? 1 : 0));

/** Datapoints of an account and region by series. */
export class MetricStore {
  private readonly open = new Map<string, OpenSeries>();
  private nextId = 1;
  private sweeping = false;
  /** Epoch seconds of the last sweep. */
  private sweptAt = 0;

  constructor(
    private readonly series: Collection<SeriesRecord>,
    private readonly points: Collection<PointRecord>,
    private readonly clock: Clock,
  ) {
    const byId = new Map<string, OpenSeries>();
    for (const [key, record] of series.entries()) {
      byId.set(record.id, this.enter(key, record));
      this.nextId = Math.max(this.nextId, Number(record.id) + 1);
    }
    for (const [key, point] of points.entries()) byId.get(point.series)?.parts.push({ key, point });
    for (const { parts } of byId.values()) parts.sort((a, b) => a.point.at - b.point.at);
  }

  /** Starts the removal of expired data, if there is any data. */
  resume(): void {
    if (this.open.size) this.awaitSweep();
  }

  /** Returns all series with datapoints. */
  list(): Iterable<Series> {
    return this.open.values();
  }

  get(key: string): Series | undefined {
    return this.open.get(key);
  }

  find(namespace: string, name: string, dimensions: readonly Dimension[]): Series | undefined {
    return this.open.get(seriesKey(namespace, name, dimensions));
  }

  /**
   * Adds data to a series, creating it if missing.
   * @param dimensions ordered by name
   * @returns its key
   */
  add(namespace: string, name: string, dimensions: readonly Readonly<Dimension>[], sample: Sample): string {
    const key = seriesKey(namespace, name, dimensions);
    const series = this.open.get(key) ?? this.make(key, namespace, name, dimensions);
    const at = startOf(sample.at / 1000, sample.step);
    const { set } = sample;
    if (set) this.append(series, { ...set, at, ...partOf(sample, set.sum / set.count) });
    else for (const [value, count] of sample.values ?? []) this.addValue(series, at, value, count, sample);
    this.awaitSweep();
    return key;
  }

  /**
   * Sets a level, replacing the one of the same minute.
   * @param now epoch milliseconds
   */
  setLevel({ namespace, name, dimensions, unit }: MetricIdentity, now: number, value: number): void {
    const key = seriesKey(namespace, name, dimensions);
    const series = this.open.get(key) ?? this.make(key, namespace, name, dimensions);
    const at = startOf(now / 1000, 60);
    const index = series.parts.findLastIndex(({ point }) => point.at === at);
    const point: PointRecord = {
      series: series.id,
      at,
      step: 60,
      unit,
      count: 1,
      sum: value,
      min: value,
      max: value,
      values: [value],
      counts: [1],
      data: 1,
      lastAt: now,
      last: value,
    };
    if (index < 0) this.append(series, point);
    else if (series.parts[index]!.point.last !== value)
      series.parts[index]!.point = this.points.put(series.parts[index]!.key, point);
    this.awaitSweep();
  }

  /** Sweeps before a read if the last sweep was more than a minute ago. */
  settle(): void {
    if (this.clock.now() / 1000 - this.sweptAt >= 60) this.sweep();
  }

  /** Removes series without data within the retention, and merges old datapoints. */
  sweep(): void {
    const now = this.clock.now() / 1000;
    this.sweptAt = now;
    for (const series of this.open.values()) {
      this.roll(series, now);
      if (series.parts.length) continue;
      this.open.delete(series.key);
      this.series.delete(series.key);
    }
  }

  private make(key: string, namespace: string, name: string, dimensions: readonly Readonly<Dimension>[]): OpenSeries {
    const record = { id: String(this.nextId++), namespace, name, dimensions: [...dimensions] };
    return this.enter(key, this.series.put(key, record));
  }

  private enter(key: string, record: DeepReadonly<SeriesRecord>): OpenSeries {
    const series = { ...record, key, parts: [] };
    this.open.set(key, series);
    return series;
  }

  private addValue(series: OpenSeries, at: number, value: number, count: number, sample: Sample): void {
    const part = series.parts[firstFrom(series.parts, at + 1) - 1];
    const last = part?.point;
    const known = last?.at === at && last.unit === sample.unit && last.step === sample.step ? last.values : undefined;
    const place = known ? known.indexOf(value) : -1;
    if (!part || !last || !known || (place < 0 && known.length >= MAX_VALUES)) {
      const set = { count, sum: value * count, min: value, max: value, values: [value], counts: [count] };
      this.append(series, { ...set, at, ...partOf(sample, value) });
      return;
    }
    const counts = [...last.counts!];
    if (place < 0) counts.push(count);
    else counts[place]! += count;
    part.point = this.points.put(part.key, {
      series: last.series,
      at,
      step: last.step,
      unit: last.unit,
      count: last.count + count,
      sum: last.sum + value * count,
      min: Math.min(last.min, value),
      max: Math.max(last.max, value),
      values: place < 0 ? [...known, value] : (known as number[]),
      counts,
      data: last.data + 1,
      lastAt: sample.at,
      last: value,
    });
  }

  /** Adds a part in order of time. */
  private append(series: OpenSeries, part: Omit<PointRecord, 'series'>): void {
    const point: PointRecord = { ...part, series: series.id };
    const { parts } = series;
    const index = firstFrom(parts, point.at + 1);
    const previous = parts[index - 1];
    const number = previous?.point.at === point.at ? Number(previous.key.slice(previous.key.lastIndexOf('.') + 1)) : -1;
    const key = `${series.id}.${point.at}.${point.step}.${number + 1}`;
    const added = { key, point: this.points.put(key, point) };
    if (index === parts.length) parts.push(added);
    else parts.splice(index, 0, added);
  }

  private roll(series: OpenSeries, now: number): void {
    const kept: Part[] = [];
    const merged = new Map<string, DeepReadonly<PointRecord>[]>();
    for (const part of series.parts) {
      let step: Step | undefined = part.point.step;
      while (step !== undefined && part.point.at < now - RETENTION[step].seconds) step = RETENTION[step].next;
      if (step === part.point.step) {
        kept.push(part);
        continue;
      }
      this.points.delete(part.key);
      if (step === undefined) continue;
      const place = `${startOf(part.point.at, step)} ${step} ${part.point.unit} ${part.point.values ? 'v' : ''}`;
      const list = merged.get(place);
      if (list) list.push(part.point);
      else merged.set(place, [part.point]);
    }
    if (kept.length === series.parts.length) return;
    series.parts = kept;
    for (const [place, points] of merged) {
      const [at, step] = place.split(' ').map(Number) as [number, Step];
      for (const point of mergedParts(points)) this.append(series, { ...point, at, step });
    }
  }

  private awaitSweep(): void {
    if (this.sweeping) return;
    this.sweeping = true;
    this.clock.after(this.untilSweep(), () => {
      this.sweeping = false;
      this.sweep();
      if (this.open.size) this.awaitSweep();
    });
  }

  /** Returns the milliseconds until data expires. */
  private untilSweep(): number {
    let due = Number.POSITIVE_INFINITY;
    for (const { parts } of this.open.values())
      for (const step of [1, 60, 300, 3600] as const) {
        const oldest = parts.find(({ point }) => point.step === step);
        if (oldest) due = Math.min(due, oldest.point.at + RETENTION[step].seconds);
      }
    const left = due * 1000 - this.clock.now();
    return Number.isFinite(left) ? Math.max(left + 1, SWEEP) : SWEEP;
  }
}

function partOf({ at, step, unit }: Sample, last: number) {
  return { step, unit, data: 1, lastAt: at, last };
}

/** Returns the start of the step that contains a time in epoch seconds. */
export const startOf = (seconds: number, step: number): number => Math.floor(seconds / step) * step;

/** Returns the index of the first part at or after a time in epoch seconds. */
function firstFrom(parts: readonly Part[], at: number): number {
  let [low, high] = [0, parts.length];
  if (high && parts[high - 1]!.point.at < at) return high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (parts[middle]!.point.at < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Yields the datapoints of a series in a time range of epoch seconds, end exclusive. */
export function* pointsBetween(series: Series, from: number, to: number): Iterable<DeepReadonly<PointRecord>> {
  const { parts } = series;
  for (let index = firstFrom(parts, from); index < parts.length; index++) {
    const { point } = parts[index]!;
    if (point.at >= to) return;
    yield point;
  }
}

/** Aggregates parts. */
export function aggregate(points: Iterable<DeepReadonly<PointRecord>>): Aggregate {
  const total: Aggregate = { count: 0, sum: 0, min: Infinity, max: -Infinity, values: new Map() };
  for (const point of points) {
    total.count += point.count;
    total.sum += point.sum;
    total.min = Math.min(total.min, point.min);
    total.max = Math.max(total.max, point.max);
    const { values } = total;
    const { values: added, counts } = point;
    if (!added || !counts) total.values = undefined;
    else if (values)
      for (let i = 0; i < added.length; i++) values.set(added[i]!, (values.get(added[i]!) ?? 0) + counts[i]!);
  }
  return total;
}

/** Yields equivalent merged parts with a limited number of values each. */
function* mergedParts(points: readonly DeepReadonly<PointRecord>[]): Iterable<Omit<PointRecord, 'series'>> {
  const { values, ...total } = aggregate(points);
  const newest = points.at(-1)!;
  const common = { at: 0, step: newest.step, unit: newest.unit, lastAt: newest.lastAt, last: newest.last };
  const data = points.reduce((sum, point) => sum + point.data, 0);
  if (!values) {
    yield { ...common, ...total, data };
    return;
  }
  const rows = [...values];
  for (let first = 0; first < rows.length; first += MAX_VALUES) {
    const part = rows.slice(first, first + MAX_VALUES);
    yield {
      ...common,
      count: part.reduce((sum, [, count]) => sum + count, 0),
      sum: part.reduce((sum, [value, count]) => sum + value * count, 0),
      min: Math.min(...part.map(([value]) => value)),
      max: Math.max(...part.map(([value]) => value)),
      values: part.map(([value]) => value),
      counts: part.map(([, count]) => count),
      data: first === 0 ? data : 0,
    };
  }
}

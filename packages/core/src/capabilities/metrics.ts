import { type Capability, defineCapability } from '../base/capability.ts';
import type { UsageMetric } from '../quotas/quota.ts';

const MINUTE = 60_000;
/** Maximum minutes of single metrics that are kept for CloudWatch; the oldest are evicted. */
const MAX_FINISHED = 20_000;

/** A metric of a resource, with AWS's names. */
export interface MetricIdentity {
  /** E.g. `AWS/SQS`. */
  readonly namespace: string;
  readonly name: string;
  /** In order of name. */
  readonly dimensions: readonly { readonly Name: string; readonly Value: string }[];
  /** E.g. `Count`. */
  readonly unit: string;
}

/** A metric's values of one minute. */
export interface MetricMinute {
  readonly metric: MetricIdentity;
  /** Start of the minute in epoch milliseconds. */
  readonly at: number;
  /** Number of occurrences by value. */
  readonly values: ReadonlyMap<number, number>;
}

/** A level that is read on request, such as the depth of a queue. */
export interface MetricLevel {
  readonly metric: MetricIdentity;
  readonly value: number;
}

/** Counts one metric by minute; a count costs two look-ups in small maps. */
export class MetricCounter {
  private minute = -1;
  private values = new Map<number, number>();

  constructor(
    private readonly board: CountedMetrics,
    readonly metric: MetricIdentity,
  ) {}

  /** @param now epoch milliseconds */
  add(value: number, now: number): void {
    if (now - this.minute >= MINUTE || now < this.minute) this.begin(now);
    const { values } = this;
    values.set(value, (values.get(value) ?? 0) + 1);
  }

  /** Returns the current minute and keeps it; undefined without counts. */
  peek(): MetricMinute | undefined {
    return this.values.size ? { metric: this.metric, at: this.minute, values: this.values } : undefined;
  }

  /** Returns and removes the current minute. */
  take(): MetricMinute | undefined {
    const taken = this.peek();
    if (!taken) return undefined;
    this.values = new Map();
    this.minute = -1;
    return taken;
  }

  private begin(now: number): void {
    const finished = this.take();
    this.minute = now - (now % MINUTE);
    this.board.begun(this, finished);
  }
}

/** The metrics of one resource; counters are created by the first count. */
export class ResourceMetrics {
  private readonly counters = new Map<string, MetricCounter>();

  constructor(
    private readonly board: CountedMetrics,
    private readonly namespace: string,
    private readonly dimensions: MetricIdentity['dimensions'],
  ) {}

  /** @param now epoch milliseconds */
  add(name: string, value: number, now: number, unit = 'Count'): void {
    let counter = this.counters.get(name);
    if (!counter) {
      counter = this.board.counter({ namespace: this.namespace, name, dimensions: this.dimensions, unit });
      this.counters.set(name, counter);
    }
    counter.add(value, now);
  }
}

/** Counted metrics until they are taken. */
class CountedMetrics {
  private readonly counting = new Set<MetricCounter>();
  private finished: MetricMinute[] = [];
  private readonly resources = new Map<string, ResourceMetrics>();
  private listener: (() => void) | undefined;

  /**
   * Returns the metrics of a resource.
   * @param namespace e.g. `AWS/Lambda`
   * @param dimensions in order of name
   */
  resource(namespace: string, dimensions: Readonly<Record<string, string | undefined>>): ResourceMetrics {
    let key = namespace;
    for (const name in dimensions) key += `\u0000${name}\u0000${dimensions[name] ?? ''}`;
    let metrics = this.resources.get(key);
    if (!metrics) {
      const list = Object.entries(dimensions).flatMap(([Name, Value]) =>
        Value === undefined ? [] : [{ Name, Value }],
      );
      metrics = new ResourceMetrics(this, namespace, list);
      this.resources.set(key, metrics);
    }
    return metrics;
  }

  /** Returns the counter of a metric. */
  counter(metric: MetricIdentity): MetricCounter {
    return new MetricCounter(this, metric);
  }

  /** Returns the result of `take` without removing it. */
  peek(): MetricMinute[] {
    return [...this.finished, ...[...this.counting].flatMap((counter) => counter.peek() ?? [])];
  }

  /** Returns and removes all counts, including the current minute's. */
  take(): MetricMinute[] {
    const taken = this.finished;
    this.finished = [];
    for (const counter of this.counting) {
      const minute = counter.take();
      if (minute) taken.push(minute);
    }
    this.counting.clear();
    return taken;
  }

  /** Removes all counts. */
  clear(): void {
    this.take();
  }

  /** Sets the function to call for the first count after a pause. */
  onActivity(listener: () => void): void {
    this.listener = listener;
  }

  /** Called by a counter that begins a new minute. */
  begun(counter: MetricCounter, finished: MetricMinute | undefined): void {
    if (finished) this.finished.push(finished);
    if (this.finished.length > MAX_FINISHED) this.finished.splice(0, MAX_FINISHED / 2);
    this.counting.add(counter);
    this.listener?.();
  }
}

/** Services' metrics of an account and region. */
export class RegionMetrics extends CountedMetrics {
  /**
   * Call counts of operations, separate from other metrics, because reading metrics is a call as well. CloudWatch takes
   * them for requests of `AWS/Usage`.
   */
  readonly usage = new CountedMetrics();
  /** Counters of operations by service and name. */
  readonly calls = new Map<string, ResourceMetrics>();
  private readonly levels = new Set<(now: number) => Iterable<MetricLevel>>();

  /**
   * Adds a source of levels, which is read each minute while CloudWatch is in use.
   * @param read returns the current levels, without those that AWS would not report
   * @returns a function that removes it
   */
  watch(read: (now: number) => Iterable<MetricLevel>): () => void {
    this.levels.add(read);
    return () => {
      this.levels.delete(read);
    };
  }

  /** Whether any source of levels exists. */
  get watched(): boolean {
    return this.levels.size > 0;
  }

  /** Returns the current levels. */
  *read(now: number): Iterable<MetricLevel> {
    for (const levels of this.levels) yield* levels(now);
  }

  override clear(): void {
    super.clear();
    this.usage.clear();
  }
}

/** Collects metrics of emu's services until CloudWatch reads them, so that reporting never loads CloudWatch. */
export class MetricBoard {
  private readonly regions = new Map<string, RegionMetrics>();

  /** Returns the metrics of an account and region. */
  of(accountId: string, region: string): RegionMetrics {
    const key = `${accountId}/${region}`;
    let metrics = this.regions.get(key);
    if (!metrics) {
      metrics = new RegionMetrics();
      this.regions.set(key, metrics);
    }
    return metrics;
  }

  /** Returns the accounts and regions with metrics. */
  places(): { accountId: string; region: string }[] {
    return [...this.regions.keys()].map((key) => {
      const [accountId = '', region = ''] = key.split('/');
      return { accountId, region };
    });
  }

  /** Removes the counts of an account, or of all. */
  clear(accountId: string | undefined): void {
    for (const [key, metrics] of this.regions)
      if (accountId === undefined || key.startsWith(`${accountId}/`)) metrics.clear();
  }
}

/** Metrics of emu's services. */
export const metricBoard: Capability<MetricBoard> = defineCapability('metrics');

/** Namespace of the usage metrics of quotas. */
export const USAGE = 'AWS/Usage';

/**
 * Counts a call of an operation.
 * @param service service in the metric's dimension, e.g. `CloudWatch`
 * @param now epoch milliseconds
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch-Usage-Metrics.html
 */
export function countCall(metrics: RegionMetrics | undefined, { service, resource }: UsageMetric, now: number): void {
  if (!metrics) return;
  const key = `${service} ${resource}`;
  let counter = metrics.calls.get(key);
  if (!counter) {
    const dimensions = { Class: 'None', Resource: resource, Service: service, Type: 'API' };
    counter = metrics.usage.resource(USAGE, dimensions);
    metrics.calls.set(key, counter);
  }
  counter.add('CallCount', 1, now, 'None');
}

/** Requests capabilities. */
interface CapabilityHost {
  capability<Offer>(capability: Capability<Offer>): Offer | undefined | Promise<Offer | undefined>;
}

/** Returns the metrics of an account and region, for reporting; undefined if no service shows metrics. */
export function metricsOf(host: CapabilityHost, accountId: string, region: string): RegionMetrics | undefined {
  const board = host.capability(metricBoard);
  return board instanceof MetricBoard ? board.of(accountId, region) : undefined;
}

import { type Capability, defineCapability } from '../base/capability.ts';
import type { UsageMetric } from '../quotas/quota.ts';

const MINUTE = 60_000;
/** Minutes of single metrics that wait for CloudWatch; the oldest go where nobody has asked for any. */
const MOST_FINISHED = 20_000;

/** A metric of a resource, as AWS names it. */
export interface MetricIdentity {
  /** E.g. `AWS/SQS`. */
  readonly namespace: string;
  readonly name: string;
  /** In order of their names. */
  readonly dimensions: readonly { readonly Name: string; readonly Value: string }[];
  /** E.g. `Count`. */
  readonly unit: string;
}

/** What a metric came to in a minute. */
export interface MetricMinute {
  readonly metric: MetricIdentity;
  /** Beginning of the minute in epoch milliseconds. */
  readonly at: number;
  /** How often each value came. */
  readonly values: ReadonlyMap<number, number>;
}

/** A level that is looked at when somebody asks, such as the depth of a queue. */
export interface MetricLevel {
  readonly metric: MetricIdentity;
  readonly value: number;
}

/** Counts one metric by minutes; adding costs two look-ups in small maps. */
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

  /** Returns the running minute, which goes on; undefined where nothing has been counted. */
  peek(): MetricMinute | undefined {
    return this.values.size ? { metric: this.metric, at: this.minute, values: this.values } : undefined;
  }

  /** Returns the running minute, and begins anew. */
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

/** The metrics of one resource, whose counters are made when something is first counted. */
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

/** Metrics that are counted until somebody takes them. */
class CountedMetrics {
  private readonly counting = new Set<MetricCounter>();
  private finished: MetricMinute[] = [];
  private readonly resources = new Map<string, ResourceMetrics>();
  private listener: (() => void) | undefined;

  /**
   * The metrics of a resource.
   * @param namespace e.g. `AWS/Lambda`
   * @param dimensions in order of their names
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

  /** A counter of a metric. */
  counter(metric: MetricIdentity): MetricCounter {
    return new MetricCounter(this, metric);
  }

  /** Returns what `take` would, and leaves it there. */
  peek(): MetricMinute[] {
    return [...this.finished, ...[...this.counting].flatMap((counter) => counter.peek() ?? [])];
  }

  /** Returns every count since the last time, the running minute's too, and begins anew. */
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

  /** Forgets every count. */
  clear(): void {
    this.take();
  }

  /** Names who is told when something is counted after a while in which nothing was. */
  onActivity(listener: () => void): void {
    this.listener = listener;
  }

  /** Told by a counter that it counts a new minute. */
  begun(counter: MetricCounter, finished: MetricMinute | undefined): void {
    if (finished) this.finished.push(finished);
    if (this.finished.length > MOST_FINISHED) this.finished.splice(0, MOST_FINISHED / 2);
    this.counting.add(counter);
    this.listener?.();
  }
}

/** The metrics that services report of an account and region. */
export class RegionMetrics extends CountedMetrics {
  /**
   * How often operations were called: apart from all else, because looking at metrics is a call, too. CloudWatch takes them
   * where somebody asks for `AWS/Usage`.
   */
  readonly usage = new CountedMetrics();
  /** Counters of operations by service and name. */
  readonly calls = new Map<string, ResourceMetrics>();
  private readonly levels = new Set<(now: number) => Iterable<MetricLevel>>();

  /**
   * Adds something whose levels are looked at each minute while CloudWatch is in use.
   * @param read the levels now; none of what AWS would report nothing of
   * @returns takes it away again
   */
  watch(read: (now: number) => Iterable<MetricLevel>): () => void {
    this.levels.add(read);
    return () => {
      this.levels.delete(read);
    };
  }

  /** Whether there is anything whose levels could be looked at. */
  get watched(): boolean {
    return this.levels.size > 0;
  }

  /** Levels as they are now. */
  *read(now: number): Iterable<MetricLevel> {
    for (const levels of this.levels) yield* levels(now);
  }

  override clear(): void {
    super.clear();
    this.usage.clear();
  }
}

/** Where emu's services report metrics, and CloudWatch finds them when somebody asks: reporting never loads CloudWatch. */
export class MetricBoard {
  private readonly regions = new Map<string, RegionMetrics>();

  /** The metrics of an account and region. */
  of(accountId: string, region: string): RegionMetrics {
    const key = `${accountId}/${region}`;
    let metrics = this.regions.get(key);
    if (!metrics) {
      metrics = new RegionMetrics();
      this.regions.set(key, metrics);
    }
    return metrics;
  }

  /** Accounts and regions of which something was reported. */
  places(): { accountId: string; region: string }[] {
    return [...this.regions.keys()].map((key) => {
      const [accountId = '', region = ''] = key.split('/');
      return { accountId, region };
    });
  }

  /** Forgets the counts of an account, or of all. */
  clear(accountId: string | undefined): void {
    for (const [key, metrics] of this.regions)
      if (accountId === undefined || key.startsWith(`${accountId}/`)) metrics.clear();
  }
}

/** Metrics of emu's services. */
export const metricBoard: Capability<MetricBoard> = defineCapability('metrics');

/** Namespace of the metrics of what an account uses of its quotas. */
export const USAGE = 'AWS/Usage';

/**
 * Counts a call of an operation.
 * @param service as the metric's dimension has it, e.g. `CloudWatch`
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

/** Who can ask for capabilities. */
interface CapabilityHost {
  capability<Offer>(capability: Capability<Offer>): Offer | undefined | Promise<Offer | undefined>;
}

/** The metrics of an account and region, for who reports them; undefined where no service shows any. */
export function metricsOf(host: CapabilityHost, accountId: string, region: string): RegionMetrics | undefined {
  const board = host.capability(metricBoard);
  return board instanceof MetricBoard ? board.of(accountId, region) : undefined;
}

import {
  type Clock,
  type Collection,
  type DeepReadonly,
  type Ids,
  metricsOf,
  type RegionMetrics,
  type StateScope,
  type Tally,
  type Worker,
  type WorkingState,
} from '@emu/core/service';
import { Consumers } from './consumers/consumers.ts';
import { Subscriptions } from './consumers/subscriptions.ts';
import { RecordLog } from './records/log.ts';
import {
  type CommitmentRecord,
  type CountRecord,
  commitmentCollection,
  consumerCollection,
  countCollection,
  recordCollection,
  type StreamRecord,
  segmentCollection,
  streamCollection,
} from './records.ts';
import type { StreamRegistry } from './registry.ts';
import { streamType } from './resources.ts';
import { OnDemandScaling, shrunk } from './streams/on-demand.ts';
import { scale } from './streams/resharding.ts';
import { openShardCount } from './streams/shards.ts';
import { Transitions } from './streams/status.ts';
import { ThroughputLimits } from './streams/throughput-limits.ts';

type Stream = DeepReadonly<StreamRecord>;

const HOUR = 60 * 60 * 1000;
/** Interval of record expiry. */
const SWEEP_INTERVAL = HOUR;
const COMMITMENT = 'commitment';
const COUNT = 'count';
/** Units of metrics other than counts. */
const UNITS: Readonly<Record<string, string>> = {
  'GetRecords.Bytes': 'Bytes',
  'GetRecords.IteratorAgeMilliseconds': 'Milliseconds',
  IncomingBytes: 'Bytes',
  'PutRecord.Bytes': 'Bytes',
  'PutRecords.Bytes': 'Bytes',
};

/** Returns the start of a stream's retention period in epoch milliseconds. */
export const horizonOf = ({ retentionHours }: Pick<Stream, 'retentionHours'>, now: number): number =>
  now - retentionHours * HOUR;

/** The streams and consumers of one account and region. */
export class KinesisState implements StreamRegistry, WorkingState {
  readonly workers: readonly Worker[];
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: RecordLog;
  readonly consumers: Consumers;
  readonly subscriptions: Subscriptions;
  readonly transitions: Transitions;
  readonly throughput = new ThroughputLimits();
  readonly onDemand = new OnDemandScaling();
  private readonly reported: RegionMetrics | undefined;
  /** Consumers by stream. */
  private readonly metrics = new Map<string, ReturnType<RegionMetrics['resource']>>();
  private readonly streams: Collection<StreamRecord>;
  /** Number of open shards, by stream mode. */
  private readonly shardNumbers: Tally;
  private readonly commitments: Collection<CommitmentRecord>;
  private readonly counts: Collection<CountRecord>;

  constructor(scope: StateScope) {
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.clock = scope.clock;
    this.ids = scope.ids;
    this.reported = metricsOf(scope.service, scope.accountId, scope.region);
    this.streams = scope.collection(streamCollection);
    this.shardNumbers = this.streams.tally(({ mode }) => mode, openShardCount);
    this.commitments = scope.collection(commitmentCollection);
    this.counts = scope.collection(countCollection);
    this.consumers = new Consumers(scope.collection(consumerCollection));
    this.log = new RecordLog({
      tails: scope.collection(recordCollection),
      segments: scope.collection(segmentCollection),
      bodies: scope.bodies,
      log: scope.log,
    });
    for (const { highest = 0 } of this.streams.values()) this.log.raise(highest);
    this.subscriptions = new Subscriptions(this.clock);
    this.transitions = new Transitions(this, scope);
    const sweeper: Worker = { resume: () => void this.clock.every(SWEEP_INTERVAL, () => this.sweep()) };
    this.workers = [this.transitions, this.subscriptions, this.log, sweeper];
  }

  /**
   * Reports metrics of a stream.
   * @see https://docs.aws.amazon.com/streams/latest/dev/monitoring-with-cloudwatch.html
   */
  report(stream: string, values: Readonly<Record<string, number>>): void {
    if (!this.reported) return;
    let metrics = this.metrics.get(stream);
    if (!metrics) {
      metrics = this.reported.resource('AWS/Kinesis', { StreamName: stream });
      this.metrics.set(stream, metrics);
    }
    const now = this.clock.now();
    for (const name in values) metrics.add(name, values[name]!, now, UNITS[name] ?? 'Count');
  }

  arnOf(name: string): string {
    return streamType.arn({ name }, this);
  }

  stream(name: string): Stream | undefined {
    return this.streams.get(name);
  }

  /** Returns the stream with a number, as in iterators. */
  streamOfNumber(number: number, name: string): Stream | undefined {
    const stream = this.streams.get(name);
    return stream?.number === number ? stream : undefined;
  }

  /** Returns all streams in order of name. */
  listStreams(): Stream[] {
    return [...this.streams.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Returns the number of open shards of provisioned streams. */
  provisionedShards(): number {
    return this.shardNumbers.of('PROVISIONED');
  }

  /** Adds a stream and assigns its number. */
  createStream(record: Omit<StreamRecord, 'number'>): Stream {
    const number = (this.counts.get(COUNT)?.streams ?? 0) + 1;
    this.counts.put(COUNT, { streams: number });
    return this.streams.put(record.name, { ...record, number });
  }

  updateStream(name: string, change: (draft: StreamRecord) => void): Stream {
    return this.streams.update(name, change);
  }

  /** Deletes a stream with its records and consumers. */
  deleteStream(name: string): void {
    const stream = this.streams.get(name)!;
    for (const { index } of stream.shards) this.log.drop(stream.number, index);
    for (const consumer of this.consumers.of(name)) this.consumers.delete(name, consumer.name);
    this.subscriptions.wake(stream.number);
    this.onDemand.discard(stream.number);
    this.metrics.delete(name);
    this.streams.delete(name);
  }

  /** Scales an on-demand stream to the required number of shards, at most doubling it. */
  grow(stream: Stream, needed: number): void {
    const now = this.clock.now();
    const open = openShardCount(stream);
    if (needed < open || stream.status !== 'ACTIVE') return;
    // A lasting peak is stored once an hour.
    if (needed === open && now < (stream.peakAt ?? 0) + HOUR) return;
    if (needed === open)
      this.updateStream(stream.name, (draft) => {
        draft.peakAt = now;
      });
    else this.reshard(stream, Math.min(needed, open * 2), now);
  }

  private reshard({ name, number }: Stream, shards: number, now: number): void {
    this.transitions.begin(name, 'UPDATING', (draft) => {
      scale(draft, shards, Math.floor(now));
      draft.peakAt = now;
    });
    this.subscriptions.wake(number);
  }

  /** Billing commitment. */
  get commitment(): DeepReadonly<CommitmentRecord> {
    return this.commitments.get(COMMITMENT) ?? { enabled: false };
  }

  set commitment(record: CommitmentRecord) {
    this.commitments.put(COMMITMENT, record);
  }

  /** Removes expired records, and closed shards without records. */
  private sweep(): void {
    const now = this.clock.now();
    for (const stream of this.listStreams()) {
      const fewer = shrunk(stream, now);
      if (fewer !== undefined && fewer < openShardCount(stream) && stream.status === 'ACTIVE')
        this.reshard(stream, fewer, now);
    }
    for (const stream of this.listStreams()) {
      const horizon = horizonOf(stream, now);
      let highest = stream.highest ?? 0;
      for (const { index } of stream.shards) {
        highest = Math.max(highest, this.log.last(stream.number, index) ?? 0);
        this.log.trim(stream.number, index, horizon);
      }
      const kept = stream.shards.filter(({ closedAt }) => closedAt === undefined || closedAt >= horizon);
      if (kept.length === stream.shards.length && highest === (stream.highest ?? 0)) continue;
      this.updateStream(stream.name, (draft) => {
        draft.shards = draft.shards.filter(({ closedAt }) => closedAt === undefined || closedAt >= horizon);
        draft.highest = highest;
      });
    }
  }
}

/** Creates the state of an account and region. */
export function createState(scope: StateScope): KinesisState {
  return new KinesisState(scope);
}

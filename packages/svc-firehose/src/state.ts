import {
  type AwsNames,
  type Clock,
  type Collection,
  type Ids,
  type Logger,
  metricsOf,
  type RegionMetrics,
  type ServiceCaller,
  type StateScope,
  type Worker,
  type WorkingState,
} from '@emu/core/service';
import { Buffers } from './delivery/buffers.ts';
import {
  type CheckpointRecord,
  type CountRecord,
  checkpointCollection,
  countCollection,
  type DeliveryStreamRecord,
  pieceCollection,
  streamCollection,
} from './records.ts';
import type { DeliveryScope, DeliveryStream } from './registry.ts';
import { streamType } from './resources.ts';
import { KinesisSources } from './sources/kinesis.ts';
import { Transitions } from './streams/status.ts';

const COUNT = 'count';

const unitOf = (metric: string): string =>
  metric.endsWith('Bytes') ? 'Bytes' : metric.endsWith('DataFreshness') ? 'Seconds' : 'Count';

/** The delivery streams of one account and region. */
export class FirehoseState implements DeliveryScope, WorkingState {
  readonly workers: readonly Worker[];
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly call: ServiceCaller['call'];
  readonly names: AwsNames;
  readonly buffers: Buffers;
  readonly sources: KinesisSources;
  readonly transitions: Transitions;
  private readonly reported: RegionMetrics | undefined;
  private readonly streams: Collection<DeliveryStreamRecord>;
  private readonly counts: Collection<CountRecord>;
  private readonly checkpoints: Collection<CheckpointRecord>;

  constructor(scope: StateScope) {
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.clock = scope.clock;
    this.ids = scope.ids;
    this.log = scope.log;
    this.call = scope.call.bind(scope);
    this.names = scope.service.names;
    this.reported = metricsOf(scope.service, scope.accountId, scope.region);
    this.streams = scope.collection(streamCollection);
    this.counts = scope.collection(countCollection);
    this.checkpoints = scope.collection(checkpointCollection);
    this.buffers = new Buffers(this, scope.collection(pieceCollection));
    this.sources = new KinesisSources(this);
    this.transitions = new Transitions(this, scope);
    this.workers = [this.transitions, this.buffers, this.sources];
  }

  /** @see https://docs.aws.amazon.com/firehose/latest/dev/monitoring-with-cloudwatch-metrics.html */
  report(stream: string, values: Readonly<Record<string, number>>): void {
    const metrics = this.reported?.resource('AWS/Firehose', { DeliveryStreamName: stream });
    if (!metrics) return;
    const now = this.clock.now();
    for (const name in values) metrics.add(name, values[name]!, now, unitOf(name));
  }

  arnOf(name: string): string {
    return streamType.arn({ name }, this);
  }

  stream(name: string): DeliveryStream | undefined {
    return this.streams.get(name);
  }

  streamOfNumber(number: number): DeliveryStream | undefined {
    return this.listStreams().find((stream) => stream.number === number);
  }

  /** Number of delivery streams. */
  get streamNumber(): number {
    return this.streams.size;
  }

  listStreams(): DeliveryStream[] {
    return [...this.streams.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Adds a delivery stream and assigns its number. */
  createStream(record: Omit<DeliveryStreamRecord, 'number'>): DeliveryStream {
    const number = (this.counts.get(COUNT)?.streams ?? 0) + 1;
    this.counts.put(COUNT, { streams: number });
    return this.streams.put(record.name, { ...record, number });
  }

  updateStream(name: string, change: (draft: DeliveryStreamRecord) => void): DeliveryStream {
    return this.streams.update(name, change);
  }

  deleteStream(name: string): void {
    const { number } = this.streams.get(name)!;
    this.buffers.drop(number);
    for (const [key, { stream }] of [...this.checkpoints.entries()])
      if (stream === number) this.checkpoints.delete(key);
    this.streams.delete(name);
  }

  /** Returns the position of a delivery stream in a shard: a sequence number; undefined before the first record. */
  checkpoint(stream: number, shard: string): string | undefined {
    return this.checkpoints.get(`${stream} ${shard}`)?.sequenceNumber;
  }

  setCheckpoint(record: CheckpointRecord): void {
    this.checkpoints.put(`${record.stream} ${record.shard}`, record);
  }
}

/** Creates the state of an account and region. */
export function createState(scope: StateScope): FirehoseState {
  return new FirehoseState(scope);
}

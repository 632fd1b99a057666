import {
  type OperationInput,
  type OperationName,
  type OperationOutput,
  parseArn,
  type Timer,
  type Worker,
} from '@emu/core/service';
import { AwsError } from '@emu/wire';
import type { Arrival } from '../delivery/pieces.ts';
import { asRole } from '../destinations/s3.ts';
import type { DeliveryScope, DeliveryStream } from '../registry.ts';
import { userRecords } from './aggregated-records.ts';

/** Milliseconds between reads of a shard. */
const INTERVAL = 1000;
/** Maximum pages read from a shard at a time. */
const MAX_PAGES = 10;

/** Next position in a shard; undefined at the end of a closed one. */
type Iterators = Map<string, string | undefined>;

/** Reads Kinesis streams into delivery streams. */
export class KinesisSources implements Worker {
  /** By delivery stream number. */
  private readonly iterators = new Map<number, Iterators>();
  private readonly reading = new Set<number>();
  /** Delivery streams whose last read failed. */
  private readonly failing = new Set<number>();
  private timer: Timer | undefined;
  private closed = false;

  constructor(private readonly state: DeliveryScope) {}

  resume(): void {
    if (this.streams().length > 0) this.begin();
  }

  close(): void {
    this.closed = true;
  }

  /** Starts reading if a delivery stream has a source. */
  begin(): void {
    this.timer ??= this.state.clock.every(INTERVAL, () => this.read());
  }

  private streams(): DeliveryStream[] {
    return this.state.listStreams().filter(({ source }) => source);
  }

  private async read(): Promise<void> {
    const streams = this.streams();
    if (streams.length === 0) {
      this.timer?.cancel();
      this.timer = undefined;
      this.iterators.clear();
      return;
    }
    await Promise.all(streams.filter(({ status }) => status === 'ACTIVE').map((stream) => this.readStream(stream)));
  }

  private async readStream(stream: DeliveryStream): Promise<void> {
    const { number, name } = stream;
    if (this.reading.has(number)) return;
    this.reading.add(number);
    try {
      const iterators = this.iterators.get(number) ?? new Map();
      this.iterators.set(number, iterators);
      for (const shard of await this.shards(stream)) await this.readShard(stream, shard, iterators);
      this.failing.delete(number);
    } catch (error) {
      // Checkpoints determine the position.
      this.iterators.delete(number);
      if (!(error instanceof AwsError)) throw error;
      if (!this.closed && !this.failing.has(number))
        this.state.log.warn(`the source of the delivery stream ${name} cannot be read`, { error });
      this.failing.add(number);
    } finally {
      this.reading.delete(number);
    }
  }

  private async shards(stream: DeliveryStream): Promise<string[]> {
    const shards: string[] = [];
    let NextToken: string | undefined;
    do {
      const input = NextToken === undefined ? { StreamARN: stream.source!.streamArn } : { NextToken };
      const page = await this.call(stream, 'ListShards', input);
      shards.push(...(page.Shards ?? []).map(({ ShardId }) => ShardId));
      NextToken = page.NextToken;
    } while (NextToken !== undefined);
    return shards;
  }

  /** Stores a shard's new records and its checkpoint atomically. */
  private async readShard(stream: DeliveryStream, shard: string, iterators: Iterators): Promise<void> {
    const { number, source } = stream;
    if (!iterators.has(shard)) iterators.set(shard, await this.start(stream, shard));
    for (let page = 0; page < MAX_PAGES; page++) {
      const ShardIterator = iterators.get(shard);
      if (ShardIterator === undefined) return;
      const StreamARN = source!.streamArn;
      const answer = await this.call(stream, 'GetRecords', { ShardIterator, StreamARN });
      const now = this.closed ? undefined : this.state.streamOfNumber(number);
      if (!now) return;
      const arrivals = answer.Records.flatMap(
        ({ Data, PartitionKey, SequenceNumber: sequenceNumber, ApproximateArrivalTimestamp: at }): Arrival[] => {
          const arrivedAt = at === undefined ? this.state.clock.now() : new Date(at).getTime();
          const data = Buffer.from(Data);
          const records = userRecords(data) ?? [{ partitionKey: PartitionKey, data }];
          return records.map(({ partitionKey, data: own }) => ({
            data: own,
            arrivedAt,
            origin: { shardId: shard, partitionKey, sequenceNumber },
          }));
        },
      );
      iterators.set(shard, answer.NextShardIterator);
      const last = answer.Records.at(-1);
      if (!last) return;
      this.state.buffers.accept(now, arrivals);
      this.state.setCheckpoint({ stream: number, shard, sequenceNumber: last.SequenceNumber });
    }
  }

  private async start(stream: DeliveryStream, ShardId: string): Promise<string> {
    const { streamArn: StreamARN, startedAt } = stream.source!;
    const sequence = this.state.checkpoint(stream.number, ShardId);
    const position =
      sequence === undefined
        ? { ShardIteratorType: 'AT_TIMESTAMP' as const, Timestamp: new Date(startedAt) }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER' as const, StartingSequenceNumber: sequence };
    return (await this.call(stream, 'GetShardIterator', { StreamARN, ShardId, ...position })).ShardIterator!;
  }

  /** Calls Kinesis with the source's role. */
  private call<Operation extends OperationName<'kinesis'>>(
    stream: DeliveryStream,
    operation: Operation,
    input: OperationInput<'kinesis', Operation>,
  ): Promise<OperationOutput<'kinesis', Operation>> {
    const { streamArn, roleArn } = stream.source!;
    const { accountId, region } = parseArn(streamArn)!;
    return this.state.call('kinesis', operation, input, { accountId, region, ...asRole(roleArn, stream) });
  }
}

import { AwsError } from '@emu/wire';
import type { PipeWork } from '../execution/work.ts';
import { ShardReader } from './shard-reader.ts';
import type { CallSource, Position, SourceReader } from './source.ts';
import { type Shard, type StreamSource, streamSource } from './stream-source.ts';
import { Wait } from './wait.ts';

/** Milliseconds between looks for new shards, and before a stream that cannot be read is tried again. */
const DISCOVERY = 1000;
const RETRY = { first: 1000, most: 60_000 };

/** Reads every shard of a stream, the children after their parents. */
export class StreamReader implements SourceReader {
  readonly started: Promise<void>;
  private readonly wait: Wait;
  private readonly source: StreamSource;
  private readonly reading = new Set<string>();
  private readonly under = new Set<Promise<void>>();
  private readonly watching: Promise<void>;
  private begun: () => void = () => undefined;

  constructor(
    private readonly work: PipeWork,
    call: CallSource,
  ) {
    const { state, pipe } = work;
    this.wait = new Wait(state.clock);
    this.source = streamSource(pipe.source, pipe.roleArn, call);
    this.started = new Promise((resolve) => {
      this.begun = resolve;
    });
    this.watching = this.watch();
  }

  close(): void {
    this.wait.close();
  }

  async idle(): Promise<void> {
    await this.watching;
    await Promise.all(this.under);
  }

  private async watch(): Promise<void> {
    for (let failures = 0, first = true; !this.wait.closed; ) {
      try {
        await this.discover(first);
        first = false;
        failures = 0;
        this.begun();
        await this.wait.idle(DISCOVERY);
      } catch (error) {
        this.begun();
        if (failures === 0) this.warn(error);
        // Without its service a stream cannot come to be.
        if (error instanceof AwsError && error.code === 'NotImplemented') return;
        await this.wait.idle(Math.min(RETRY.most, RETRY.first * 2 ** failures++));
      }
    }
  }

  private warn(error: unknown): void {
    if (this.wait.closed) return;
    const { state, pipe } = this.work;
    state.log.warn(`the stream of the pipe ${pipe.name} cannot be read`, { error });
  }

  /** Begins to read the shards that may be read. @param first whether the pipe begins with what is there now */
  private async discover(first: boolean): Promise<void> {
    const { state, pipe } = this.work;
    const shards = await this.source.shards();
    const there = new Set(shards.map(({ id }) => id));
    const fresh = first && !state.hasPositions(pipe.id);
    const done = (shard: string) => state.position(pipe.id, shard)?.done === true;
    const ready = shards.filter(
      ({ id, parents }) => !this.reading.has(id) && parents.every((parent) => !there.has(parent) || done(parent)),
    );
    await Promise.all(
      ready.map((shard) => this.begin(shard, fresh ? this.startingPosition() : { type: 'TRIM_HORIZON' })),
    );
  }

  private startingPosition(): Position {
    const { parameters, startAt } = this.work.pipe.sourceParameters;
    const type = (parameters.KinesisStreamParameters ?? parameters.DynamoDBStreamParameters)!.StartingPosition;
    return type === 'AT_TIMESTAMP' ? { type, timestamp: startAt ?? 0 } : { type };
  }

  private async begin({ id }: Shard, from: Position): Promise<void> {
    const { work, source, wait } = this;
    const reader = new ShardReader({ work, source, shard: id, from, wait });
    if (reader.position?.done) {
      this.reading.add(id);
      return;
    }
    const iterator = await reader.iterator();
    this.reading.add(id);
    reader.remember({});
    // A shard that cannot be read is begun anew by the next look for shards, where its position is.
    const running = reader
      .run(iterator)
      .catch((error: unknown) => {
        this.reading.delete(id);
        this.warn(error);
      })
      .finally(() => this.under.delete(running));
    this.under.add(running);
  }
}

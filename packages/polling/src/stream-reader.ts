import type { Clock } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { retryDelay, type SourceReader } from './call.ts';
import type { Position, Shard, StreamSource } from './stream-source.ts';
import { Wait } from './wait.ts';

/** Milliseconds between checks for new shards, and before a retry of a stream that cannot be read. */
const DISCOVERY = 1000;
const FIRST_RETRY = 1000;

/** Work on one shard: reading it and storing the position. */
export interface ShardWork {
  /** Whether the shard is processed completely. */
  readonly isDone: boolean;
  /** Returns an iterator at the position. */
  iterator(): Promise<string>;
  /** Records that reading has started. */
  begin(): void;
  /** Reads until the shard or its reader ends. @param iterator at the start @throws from the stream's service */
  run(iterator: string): Promise<void>;
}

/** Dependencies of a stream reader. */
export interface StreamReaderOptions {
  readonly clock: Clock;
  readonly source: StreamSource;
  /** Start position for existing shards. */
  readonly startingPosition: Position;
  /** Whether any shard has been read. */
  hasPositions(): boolean;
  /** Whether a shard is processed completely. */
  isDone(shard: string): boolean;
  /** @param from start without a stored position */
  shardWork(shard: string, from: Position, wait: Wait): ShardWork;
  /** Called if the stream cannot be read. */
  warn(error: unknown): void;
}

/** Reads every shard of a stream, child shards after their parents. */
export class StreamReader implements SourceReader {
  readonly started: Promise<void>;
  private readonly wait: Wait;
  private readonly reading = new Set<string>();
  private readonly under = new Set<Promise<void>>();
  private readonly watching: Promise<void>;
  private begun: () => void = () => undefined;

  constructor(private readonly options: StreamReaderOptions) {
    this.wait = new Wait(options.clock);
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
        // Without its service a stream cannot exist.
        if (error instanceof AwsError && error.code === 'NotImplemented') return;
        await this.wait.idle(retryDelay(FIRST_RETRY, failures++));
      }
    }
  }

  private warn(error: unknown): void {
    if (!this.wait.closed) this.options.warn(error);
  }

  /**
   * Starts reading the shards whose parents are processed.
   * @param first whether existing shards use the start position
   */
  private async discover(first: boolean): Promise<void> {
    const { source, startingPosition } = this.options;
    const shards = await source.shards();
    const there = new Set(shards.map(({ id }) => id));
    const fresh = first && !this.options.hasPositions();
    const isOver = (shard: string) => !there.has(shard) || this.options.isDone(shard);
    const ready = shards.filter(({ id, parents }) => !this.reading.has(id) && parents.every(isOver));
    await Promise.all(ready.map((shard) => this.begin(shard, fresh ? startingPosition : { type: 'TRIM_HORIZON' })));
  }

  private async begin({ id }: Shard, from: Position): Promise<void> {
    const work = this.options.shardWork(id, from, this.wait);
    if (work.isDone) {
      this.reading.add(id);
      return;
    }
    const iterator = await work.iterator();
    this.reading.add(id);
    work.begin();
    // The next check for shards restarts a failed shard from its stored position.
    const running = work
      .run(iterator)
      .catch((error: unknown) => {
        this.reading.delete(id);
        this.warn(error);
      })
      .finally(() => this.under.delete(running));
    this.under.add(running);
  }
}

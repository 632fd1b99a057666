import { parseArn } from '@emu/core';
import { AwsError } from '@emu/wire';
import { resolveFunction } from '../names.ts';
import type { EventSourceMapping } from '../records.ts';
import { executionPrincipal } from '../role.ts';
import type { LambdaState } from '../state.ts';
import type { Poller } from './poller.ts';
import { ShardReader } from './shard-reader.ts';
import type { Position } from './stream-positions.ts';
import { type CallSource, type Shard, type StreamSource, streamSource } from './stream-source.ts';
import { Wait } from './wait.ts';

/** Milliseconds between looks for new shards, and before a stream that cannot be read is tried again. */
const DISCOVERY = 1000;
const RETRY = { first: 1000, most: 60_000 };

/** Reads every shard of a stream, the children after their parents. */
export class StreamPoller implements Poller {
  readonly started: Promise<void>;
  private readonly wait: Wait;
  private readonly source: StreamSource;
  private readonly reading = new Set<string>();
  private begun: () => void = () => undefined;

  constructor(
    private readonly state: LambdaState,
    readonly mapping: EventSourceMapping,
  ) {
    this.wait = new Wait(state.clock);
    const arn = mapping.settings.EventSourceArn!;
    const { accountId, region } = parseArn(arn)!;
    const role = () => resolveFunction(state, mapping.functionName, mapping.qualifier).version.config.role;
    const call: CallSource = (service, operation, input) =>
      state.call(service, operation, input, {
        accountId,
        region,
        principal: executionPrincipal(role(), mapping.functionName, state),
        authorize: {},
        cause: mapping.uuid,
      });
    this.source = streamSource(mapping, role(), call);
    this.started = new Promise((resolve) => {
      this.begun = resolve;
    });
    void this.watch();
  }

  close(): void {
    this.wait.close();
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
    const arn = this.mapping.settings.EventSourceArn;
    this.state.log.warn(`the stream of an event source mapping cannot be read: ${arn}`, { error });
  }

  /** Begins to read the shards that may be read. @param first whether the mapping begins with what is there now */
  private async discover(first: boolean): Promise<void> {
    const shards = await this.source.shards();
    const there = new Set(shards.map(({ id }) => id));
    const fresh = first && !this.hasPositions();
    const ready = shards.filter(
      (shard) =>
        !this.reading.has(shard.id) && shard.parents.every((parent) => !there.has(parent) || this.isDone(parent)),
    );
    await Promise.all(
      ready.map((shard) => this.begin(shard, fresh ? this.startingPosition() : { type: 'TRIM_HORIZON' })),
    );
  }

  private hasPositions(): boolean {
    for (const { mapping } of this.state.streamPositions.values()) if (mapping === this.mapping.uuid) return true;
    return false;
  }

  private isDone(shard: string): boolean {
    return this.state.streamPositions.get(`${this.mapping.uuid} ${shard}`)?.done === true;
  }

  private startingPosition(): Position {
    const { settings, startingPositionTimestamp: timestamp } = this.mapping;
    if (settings.StartingPosition === 'AT_TIMESTAMP') return { type: 'AT_TIMESTAMP', timestamp: timestamp ?? 0 };
    return { type: settings.StartingPosition === 'LATEST' ? 'LATEST' : 'TRIM_HORIZON' };
  }

  private async begin({ id }: Shard, from: Position): Promise<void> {
    const { state, mapping, source, wait } = this;
    const reader = new ShardReader({ state, mapping, source, shard: id, from, wait });
    if (reader.position?.done) {
      this.reading.add(id);
      return;
    }
    const iterator = await reader.iterator();
    this.reading.add(id);
    reader.remember();
    // A shard that cannot be read is begun anew by the next look for shards, where its position is.
    reader.run(iterator).catch((error: unknown) => {
      this.reading.delete(id);
      this.warn(error);
    });
  }
}

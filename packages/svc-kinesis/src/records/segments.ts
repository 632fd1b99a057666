import type { BodyStore, Collection, DeepReadonly } from '@emu/core/service';
import { LoadedSegment, lowerBound, type SegmentFacts } from './segment.ts';

/** A segment: consecutive records of a shard in a body. */
export interface SegmentRecord extends SegmentFacts {
  readonly stream: number;
  readonly shard: number;
  /** Id of the body. */
  readonly body: string;
}

type Segment = DeepReadonly<SegmentRecord>;

/** Maximum number of cached segments. */
const KEPT = 16;

const shardKey = (stream: number, shard: number): string => `${stream}/${shard}`;
const keyOf = ({ stream, shard, first }: Segment): string => `${shardKey(stream, shard)}/${first}`;

/** Segments of all shards of an account and region. */
export class Segments {
  /** In order of index. */
  private readonly shards = new Map<string, Segment[]>();
  private readonly kept = new Map<string, Promise<LoadedSegment>>();

  constructor(
    private readonly stored: Collection<SegmentRecord>,
    private readonly bodies: BodyStore,
  ) {
    for (const segment of stored.values()) this.listOf(segment.stream, segment.shard).push(segment);
    for (const list of this.shards.values()) list.sort((a, b) => a.first - b.first);
  }

  /** Appends a segment to its shard, taking over the reference to the body. */
  add(segment: SegmentRecord): void {
    this.listOf(segment.stream, segment.shard).push(this.stored.put(keyOf(segment), segment));
    this.bodies.release(segment.body);
  }

  /** Returns the last segment of a shard. */
  last(stream: number, shard: number): Segment | undefined {
    return this.shards.get(shardKey(stream, shard))?.at(-1);
  }

  /** Returns the first segment with a record at or after an index. */
  holding(stream: number, shard: number, index: number): Segment | undefined {
    const list = this.shards.get(shardKey(stream, shard));
    return list?.[lowerBound(list, index, 0, ({ last }) => last)];
  }

  /** Returns the first segment with a record at or after a time. */
  since(stream: number, shard: number, time: number): Segment | undefined {
    return this.shards.get(shardKey(stream, shard))?.find(({ to }) => to >= time);
  }

  /** Removes segments with only records before a time. */
  trim(stream: number, shard: number, before: number): void {
    const key = shardKey(stream, shard);
    const list = this.shards.get(key);
    if (!list) return;
    const kept = list.filter((segment) => {
      const stays = segment.to >= before;
      if (!stays) this.remove(segment);
      return stays;
    });
    if (kept.length) this.shards.set(key, kept);
    else this.shards.delete(key);
  }

  /**
   * Loads a segment.
   * @returns undefined if it was removed meanwhile
   * @throws Error if it cannot be read
   */
  async load(segment: Segment): Promise<LoadedSegment | undefined> {
    const { body } = segment;
    const reading = this.kept.get(body) ?? this.read(body);
    this.kept.delete(body);
    this.kept.set(body, reading);
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value!);
    try {
      return await reading;
    } catch (error) {
      this.kept.delete(body);
      if (this.stored.get(keyOf(segment))?.body !== body) return undefined;
      throw error;
    }
  }

  private async read(body: string): Promise<LoadedSegment> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.bodies.read(body)) chunks.push(chunk);
    const [first] = chunks;
    return new LoadedSegment(
      first && chunks.length === 1 ? Buffer.from(first.buffer, first.byteOffset, first.length) : Buffer.concat(chunks),
    );
  }

  private remove(segment: Segment): void {
    this.kept.delete(segment.body);
    this.stored.delete(keyOf(segment));
  }

  private listOf(stream: number, shard: number): Segment[] {
    const key = shardKey(stream, shard);
    let list = this.shards.get(key);
    if (!list) {
      list = [];
      this.shards.set(key, list);
    }
    return list;
  }
}

import { WholeBody } from '@emu/wire';
import { isPaged } from '../base/paged-buffer.ts';
import type { BodyStore, BodyStream, ByteRange, StoredBody, WriteOptions } from '../storage/body-store.ts';
import { BodyUses } from './counts.ts';
import { PiecedBody, PiecesReader } from './pieces.ts';

/** Limits of the bodies in memory in memory mode, in bytes; others are spooled. */
export interface MemoryLimits {
  /** Largest body that is always kept in memory. */
  always: number;
  /** Largest body that is kept in memory within `total`. */
  largest: number;
  /** Total of the bodies larger than `always`. */
  room: number;
}

class MemoryBody extends BodyUses {
  constructor(
    id: string,
    readonly pieces: readonly Uint8Array[],
    readonly size: number,
    /** Whether it is read in pieces: its space returns to the system after the last reader. */
    readonly inPieces: boolean,
  ) {
    super(id);
  }
}

/** Start of the id of a body in memory; its place and the number of its write follow. */
const PREFIX = 'memory-';

/** Bodies of memory mode: in memory within the limits, else spooled to files. Equal bodies are stored separately. */
export class MemoryBodies implements BodyStore {
  /**
   * Bodies by place, which a new body takes over from a removed one. In a map of few entries, frequent removal would
   * keep removed bodies until the next full garbage collection, through the map's former tables.
   */
  private readonly places: (MemoryBody | undefined)[] = [];
  private readonly free: number[] = [];
  private writes = 0;
  /** Bytes of the large bodies in memory, including those being written. */
  private taken = 0;

  /** @param spool `make` returns the store of spooled bodies and creates it if necessary; `made` returns an existing one */
  constructor(
    private readonly limits: MemoryLimits,
    private readonly spool: { make: () => Promise<BodyStore>; made: () => BodyStore | undefined },
  ) {}

  write(
    source: AsyncIterable<Uint8Array> | Uint8Array,
    observe?: (chunk: Uint8Array) => void,
    options?: WriteOptions,
  ): StoredBody | Promise<StoredBody> {
    const whole = source instanceof WholeBody ? source.bytes : source instanceof Uint8Array ? source : undefined;
    if (whole && whole.length <= this.limits.always) {
      if (whole.length) observe?.(whole);
      // A small part of a buffer would keep the whole buffer in memory.
      const own = whole.length * 2 >= whole.buffer.byteLength ? whole : Buffer.from(whole);
      return this.keep([own], whole.length, isPaged(own));
    }
    const chunks = (source instanceof Uint8Array ? new WholeBody(source) : source)[Symbol.asyncIterator]();
    const large = options?.part || (options?.size ?? 0) > this.limits.largest;
    return this.gather(chunks, observe, large, options?.size);
  }

  read(id: string, range?: ByteRange): BodyStream {
    const body = this.find(id);
    if (!body?.held) return this.spooled(id).read(id, range);
    const { start, end } = range ?? { start: 0, end: body.size };
    if (start < 0 || start > end || end > body.size) throw new RangeError(`bytes ${start} to ${end} of ${body.size}`);
    const [piece] = body.pieces;
    // May be read after its release; the space of others is freed only after the last reader.
    if (!body.inPieces) return new WholeBody(range ? piece!.subarray(start, end) : piece!);
    body.beginReading();
    return new PiecesReader(body.pieces, { start, end }, () => {
      body.endReading();
      this.settle(body);
    });
  }

  retain(id: string): void {
    const body = this.find(id);
    if (body) body.retain();
    else this.spooled(id).retain(id);
  }

  release(id: string): void {
    const body = this.find(id);
    if (body) {
      body.release();
      this.settle(body);
    } else this.spooled(id).release(id);
  }

  async check(id: string): Promise<void> {
    if (!this.find(id)) await this.spooled(id).check(id);
  }

  async clearOut(): Promise<void> {
    await this.spool.made()?.clearOut();
  }

  async close(): Promise<void> {
    await this.spool.made()?.close();
  }

  /** Collects chunks in memory; spools them if they exceed the limits. */
  private async gather(
    chunks: AsyncIterator<Uint8Array>,
    observe: ((chunk: Uint8Array) => void) | undefined,
    large: boolean,
    expected: number | undefined,
  ): Promise<StoredBody> {
    const { always } = this.limits;
    const body = new PiecedBody(expected);
    let reserved = 0;
    let next: Uint8Array | undefined;
    try {
      for (let item = await chunks.next(); !item.done; item = await chunks.next()) {
        const chunk = item.value;
        observe?.(chunk);
        const size = body.size + chunk.length;
        if (size > always) {
          if (large || !this.hasRoom(size, size - reserved)) {
            next = chunk;
            break;
          }
          this.taken += size - reserved;
          reserved = size;
        }
        body.add(chunk);
      }
      if (!next) {
        const inPieces = body.size > always || body.paged;
        const pieces = inPieces ? body.pieces() : [Buffer.concat(body.pieces(), body.size)];
        return this.keep(pieces, body.size, inPieces);
      }
      const spool = await this.spool.make();
      // Chunks in memory are released as they are written, and have been observed.
      this.taken -= reserved;
      reserved = 0;
      let seen = body.size + next.length;
      return await spool.write(continued([...body.pieces(), next], chunks), (chunk) => {
        if (seen > 0) seen -= chunk.length;
        else observe?.(chunk);
      });
    } catch (error) {
      this.taken -= reserved;
      await chunks.return?.();
      throw error;
    }
  }

  private hasRoom(size: number, more: number): boolean {
    return size <= this.limits.largest && this.taken + more <= this.limits.room;
  }

  private keep(pieces: readonly Uint8Array[], size: number, inPieces: boolean): StoredBody {
    const place = this.free.pop() ?? this.places.length;
    const id = `${PREFIX}${place}-${this.writes++}`;
    const body = new MemoryBody(id, pieces, size, inPieces);
    body.retain();
    this.places[place] = body;
    return { id, size };
  }

  /** Returns the body of an id; undefined for one that is spooled or removed. */
  private find(id: string): MemoryBody | undefined {
    if (!id.startsWith(PREFIX)) return undefined;
    const body = this.places[placeOf(id)];
    return body?.id === id ? body : undefined;
  }

  /** Removes a body without references. */
  private settle(body: MemoryBody): void {
    if (body.used) return;
    const place = placeOf(body.id);
    this.places[place] = undefined;
    this.free.push(place);
    if (body.size > this.limits.always) this.taken -= body.size;
  }

  private spooled(id: string): BodyStore {
    const spool = this.spool.made();
    if (!spool) throw new Error(`unknown body ${id}`);
    return spool;
  }
}

/** Returns the place in the id of a body in memory. */
const placeOf = (id: string): number => Number.parseInt(id.slice(PREFIX.length), 10);

async function* continued(first: Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    // Removed as they are written, so that the start of a body is not held until its end.
    for (let chunk = first.shift(); chunk; chunk = first.shift()) yield chunk;
    for (let piece = await rest.next(); !piece.done; piece = await rest.next()) yield piece.value;
  } finally {
    await rest.return?.();
  }
}

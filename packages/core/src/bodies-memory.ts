import { hash } from 'node:crypto';
import { WholeBody } from '@emu/wire';
import { BodyCounts } from './bodies-counts.ts';
import type { BodyStore, ByteRange, StoredBody } from './persistence.ts';

/** Bodies of memory mode: small ones in memory, large ones spooled to files. */
export class MemoryBodies implements BodyStore {
  private readonly bodies = new Map<string, Uint8Array>();
  private readonly counts = new BodyCounts((id) => this.bodies.delete(id));

  /**
   * @param threshold bytes of the largest body that is kept in memory
   * @param spool makes the store of larger ones at the first of them, or gives it if there is one
   */
  constructor(
    private readonly threshold: number,
    private readonly spool: { make: () => Promise<BodyStore>; made: () => BodyStore | undefined },
  ) {}

  async write(
    source: AsyncIterable<Uint8Array> | Uint8Array,
    observe?: (chunk: Uint8Array) => void,
  ): Promise<StoredBody> {
    const whole = source instanceof WholeBody ? source.bytes : source instanceof Uint8Array ? source : undefined;
    if (whole && whole.length <= this.threshold) {
      if (whole.length) observe?.(whole);
      // The bytes may be part of a buffer that others use, and that is larger than they are.
      return this.keep(Buffer.from(whole));
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    const pieces = (source instanceof Uint8Array ? new WholeBody(source) : source)[Symbol.asyncIterator]();
    let piece: IteratorResult<Uint8Array> | undefined;
    try {
      while (size <= this.threshold) {
        piece = await pieces.next();
        if (piece.done) return this.keep(Buffer.concat(chunks, size));
        observe?.(piece.value);
        chunks.push(piece.value);
        size += piece.value.length;
      }
    } catch (error) {
      await pieces.return?.();
      throw error;
    }
    const spool = await this.spool.make();
    let seen = chunks.length;
    return spool.write(continued(chunks, pieces), (chunk) => {
      if (seen) seen--;
      else observe?.(chunk);
    });
  }

  read(id: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    const body = this.bodies.get(id);
    if (body) return new WholeBody(range ? part(body, range) : body);
    const spool = this.spool.made();
    if (!spool) throw new Error(`there is no body ${id}`);
    return spool.read(id, range);
  }

  retain(id: string): void {
    if (this.bodies.has(id)) this.counts.retain(id);
    else this.spooled(id).retain(id);
  }

  release(id: string): void {
    if (this.bodies.has(id)) this.counts.release(id);
    else this.spooled(id).release(id);
  }

  async removeOrphans(): Promise<void> {
    await this.spool.made()?.removeOrphans();
  }

  private keep(body: Buffer): StoredBody {
    const id = hash('sha256', body);
    if (!this.bodies.has(id)) this.bodies.set(id, body);
    this.counts.retain(id);
    return { id, size: body.length };
  }

  private spooled(id: string): BodyStore {
    const spool = this.spool.made();
    if (!spool) throw new Error(`there is no body ${id}`);
    return spool;
  }
}

function part(body: Uint8Array, { start, end }: ByteRange): Uint8Array {
  if (start < 0 || start > end || end > body.length) throw new RangeError(`bytes ${start} to ${end} of ${body.length}`);
  return body.subarray(start, end);
}

async function* continued(first: Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    // Given away as they are written, so that the start of a body is not held until its end.
    for (let chunk = first.shift(); chunk; chunk = first.shift()) yield chunk;
    for (let piece = await rest.next(); !piece.done; piece = await rest.next()) yield piece.value;
  } finally {
    await rest.return?.();
  }
}

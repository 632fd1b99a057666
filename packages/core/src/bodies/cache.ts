import QuickLRU from 'quick-lru';

/** Recently used bodies, by id, up to a number of bytes; the least recently used give way. */
export class BodyCache {
  private readonly bodies = new QuickLRU<string, Buffer>({ maxSize: Number.POSITIVE_INFINITY });
  private used = 0;
  private gathering = 0;

  /** @param limit bytes kept at most; 0 keeps nothing */
  constructor(private readonly limit: number) {}

  /** Bytes of the largest body that is kept; larger ones would drive out too many others. */
  get largest(): number {
    return Math.floor(this.limit / 2);
  }

  get(id: string): Buffer | undefined {
    const body = this.bodies.get(id);
    // quick-lru orders by generation; with a limit in bytes only the order of use itself will do.
    if (body && this.bodies.delete(id)) this.bodies.set(id, body);
    return body;
  }

  has(id: string): boolean {
    return this.bodies.has(id);
  }

  delete(id: string): void {
    const body = this.bodies.peek(id);
    if (body && this.bodies.delete(id)) this.used -= body.length;
  }

  /** Collects a body's pieces on their way, as long as it and all that are being collected are not too large. */
  gather(): BodyGathering {
    let chunks: Uint8Array[] | undefined = [];
    let size = 0;
    const end = (): void => {
      this.gathering -= size;
      size = 0;
      chunks = undefined;
    };
    return {
      add: (chunk) => {
        if (!chunks) return;
        size += chunk.length;
        this.gathering += chunk.length;
        if (this.gathering > this.largest) end();
        else chunks.push(chunk);
      },
      keep: (id) => {
        if (chunks) this.set(id, Buffer.concat(chunks));
        end();
      },
      drop: end,
    };
  }

  private set(id: string, body: Buffer): void {
    this.delete(id);
    this.used += body.length;
    for (const [oldest] of this.bodies.entriesAscending()) {
      if (this.used <= this.limit) break;
      this.delete(oldest);
    }
    if (body.length <= this.largest) this.bodies.set(id, body);
  }
}

/** A body that may come into the cache. */
export interface BodyGathering {
  /** Takes the next piece, which must not change any more. */
  add(chunk: Uint8Array): void;
  /** The body is whole. */
  keep(id: string): void;
  /** It will not be. Harmless after `keep`. */
  drop(): void;
}

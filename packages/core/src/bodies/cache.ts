import QuickLRU from 'quick-lru';

/** Recently used bodies, by id, up to a number of bytes; evicts the least recently used. */
export class BodyCache {
  private readonly bodies = new QuickLRU<string, Buffer>({ maxSize: Number.POSITIVE_INFINITY });
  private used = 0;
  private gathering = 0;

  /** @param limit most bytes; 0 disables the cache */
  constructor(private readonly limit: number) {}

  /** Bytes of the largest cached body; larger ones would evict too many others. */
  get largest(): number {
    return Math.floor(this.limit / 2);
  }

  get(id: string): Buffer | undefined {
    const body = this.bodies.get(id);
    // quick-lru orders by generation; a limit in bytes requires the exact order of use.
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

  /** Collects a body's pieces as they pass, while it and all bodies being collected are within the limits. */
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

/** A body that may be added to the cache. */
export interface BodyGathering {
  /** Adds the next piece, which must not change any more. */
  add(chunk: Uint8Array): void;
  /** Called when the body is complete. */
  keep(id: string): void;
  /** Called when the body stays incomplete. Has no effect after `keep`. */
  drop(): void;
}

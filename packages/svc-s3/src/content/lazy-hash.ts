import { type BinaryToTextEncoding, createHash, type Hash, hash } from 'node:crypto';

const NOTHING = new Uint8Array(0);

/** A hash that is created with the second chunk: one-shot hashing is much cheaper than a running hash. */
export class LazyHash {
  private first: Uint8Array | undefined;
  private running: Hash | undefined;

  /** @param algorithm OpenSSL name */
  constructor(private readonly algorithm: string) {}

  /** Adds a chunk. The chunk must not change afterwards. */
  update(chunk: Uint8Array): void {
    if (this.running) this.running.update(chunk);
    else if (this.first) this.running = createHash(this.algorithm).update(this.first).update(chunk);
    else this.first = chunk;
  }

  digest(encoding: BinaryToTextEncoding): string {
    return this.running ? this.running.digest(encoding) : hash(this.algorithm, this.first ?? NOTHING, encoding);
  }
}

import { createHash } from 'node:crypto';
import type { BodyStore, ByteRange, StoredBody } from '@emu/core';

/** Bodies in memory, for test emulators without a data directory. */
export class MemoryBodies implements BodyStore {
  private readonly bodies = new Map<string, { bytes: Buffer; uses: number }>();

  async write(
    source: AsyncIterable<Uint8Array> | Uint8Array,
    observe?: (chunk: Uint8Array) => void,
  ): Promise<StoredBody> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of source instanceof Uint8Array ? [source] : source) {
      observe?.(chunk);
      chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks);
    const id = createHash('sha256').update(bytes).digest('hex');
    if (!this.bodies.has(id)) this.bodies.set(id, { bytes, uses: 0 });
    return { id, size: bytes.length };
  }

  async *read(id: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    const body = this.bodies.get(id);
    if (!body) throw new Error(`there is no body ${id}`);
    yield body.bytes.subarray(range?.start ?? 0, range?.end);
  }

  retain(id: string): void {
    const body = this.bodies.get(id);
    if (body) body.uses++;
  }

  release(id: string): void {
    const body = this.bodies.get(id);
    if (body && --body.uses <= 0) this.bodies.delete(id);
  }

  async removeOrphans(): Promise<void> {
    for (const [id, { uses }] of this.bodies) if (uses <= 0) this.bodies.delete(id);
  }
}

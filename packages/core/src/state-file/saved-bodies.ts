import { createHash } from 'node:crypto';
import type { HeldCollection } from '../state/store.ts';
import type { BodyStore } from '../storage/body-store.ts';
import { eachOf } from '../time/each-of.ts';
import { Slices } from '../time/slices.ts';
import type { BodyNames } from './body-names.ts';

/** Number of bodies read concurrently. */
const AT_A_TIME = 16;
/** Maximum bytes of a body that is kept in memory between hashing and packing, and of all such bodies. */
const SMALL = 64 * 1024;
const ROOM = 32 * 1024 * 1024;

/** A body to be packed from its store, without a copy. */
export interface SavedBody {
  /** Its path in the archive. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** In hexadecimal; also its name. */
  readonly sha256: string;
  read(): Uint8Array | AsyncIterable<Uint8Array>;
}

/** The bodies of the saved services; small ones are read only once. */
export class SavedBodies {
  readonly list: SavedBody[] = [];
  private room = ROOM;

  /**
   * Finds the bodies of a service's records, which must be retained until they are packed.
   * @returns their names in the archive: the hashes of their content
   * @throws AwsError `InternalError` for a damaged body
   */
  async find(store: BodyStore, service: string, records: readonly HeldCollection[]): Promise<BodyNames> {
    const slices = new Slices();
    const ids = new Set<string>();
    for (const { definition, entries } of records)
      for (const [, value] of definition.bodies ? entries : []) {
        for (const id of definition.bodies?.(value as never) ?? []) ids.add(id);
        const pause = slices.pause();
        if (pause) await pause;
      }
    const names = new Map<string, string>();
    const listed = new Set<string>();
    await eachOf(ids, AT_A_TIME, async (id) => {
      const { sha256, size, bytes } = await this.hash(store, id);
      names.set(id, sha256);
      if (!listed.has(sha256)) {
        listed.add(sha256);
        const path = `${service}/bodies/${sha256.slice(0, 2)}/${sha256}`;
        this.list.push({ path, size, sha256, read: () => bytes ?? store.read(id) });
      }
      const pause = slices.pause();
      if (pause) await pause;
    });
    return names;
  }

  private async hash(store: BodyStore, id: string): Promise<{ sha256: string; size: number; bytes?: Uint8Array }> {
    const hash = createHash('sha256');
    let size = 0;
    let chunks: Uint8Array[] | undefined = [];
    for await (const chunk of store.read(id)) {
      hash.update(chunk);
      size += chunk.length;
      chunks?.push(chunk);
      if (size > Math.min(SMALL, this.room)) chunks = undefined;
    }
    const sha256 = hash.digest('hex');
    if (!chunks) return { sha256, size };
    this.room -= size;
    return { sha256, size, bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) };
  }
}

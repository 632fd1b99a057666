import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '../base/log.ts';
import type { Persistence } from '../persistence/persistence.ts';
import type { BodyStore } from '../storage/body-store.ts';
import { type FileSystem, nodeFileSystem } from '../storage/file-system.ts';
import { BodyCache } from './cache.ts';
import { FileBodies } from './file-store.ts';
import { MemoryBodies, type MemoryLimits } from './memory-store.ts';
import { createSpool, type Spool } from './spool.ts';

/** Default limits of memory mode: room for one of the largest bodies to replace another. */
const MEMORY_LIMITS: MemoryLimits = { always: 2 ** 20, largest: 64 * 2 ** 20, room: 128 * 2 ** 20 };

/** Options of the body stores. */
export interface BodyStoresOptions {
  log: Logger;
  /** Persistent mode: the data directory. */
  disk?: {
    path: string;
    /** Whether a write waits until the body has reached the device. */
    sync: boolean;
    /** Bytes of the cache of recently used bodies. */
    cacheSize: number;
    persistence: Persistence;
  };
  /**
   * Memory mode: limits of the bodies in memory; by default bodies of up to 1 MiB, and 128 MiB of those of up to 64
   * MiB.
   */
  memory?: MemoryLimits;
  /** Memory mode: parent of the directory of larger bodies; by default the system's temporary directory. */
  temporaryDirectory?: string;
  /** By default that of persistence, and in memory mode the machine's. */
  fs?: FileSystem;
}

/** The body stores of an emulator. */
export interface BodyStores {
  /** Creates the store of a service; called once for each. */
  open(service: string): BodyStore;
  /** Removes spooled bodies of memory mode. */
  close(): Promise<void>;
}

/** Creates the body stores: in the data directory, or in memory and a temporary directory. */
export function createBodyStores(options: BodyStoresOptions): BodyStores {
  const { disk, log } = options;
  const fileSystem = options.fs ?? disk?.persistence.fileSystem ?? nodeFileSystem;
  if (disk) {
    const { path, sync, persistence } = disk;
    const cache = new BodyCache(disk.cacheSize);
    return {
      open: (service) =>
        new FileBodies({
          fileSystem,
          directory: join(path, service, 'bodies'),
          orphans: join(path, service, 'orphans'),
          sync,
          log,
          cache,
          afterCommit: (action) => persistence.afterCommit(service, action),
        }),
      close: async () => undefined,
    };
  }
  let spool: Promise<Spool> | undefined;
  return {
    open: (service) => {
      let store: FileBodies | undefined;
      let spooled = 0;
      return new MemoryBodies(options.memory ?? MEMORY_LIMITS, {
        made: () => store,
        make: async () => {
          spool ??= createSpool(options.temporaryDirectory ?? tmpdir(), log).catch((error: unknown) => {
            // The next large body retries.
            spool = undefined;
            throw error;
          });
          const directory = join((await spool).path, service);
          // The first two digits of an id name a directory.
          const newId = (): string => `${String(spooled % 100).padStart(2, '0')}-${spooled++}`;
          store ??= new FileBodies({ fileSystem, directory, sync: false, log, newId });
          return store;
        },
      });
    },
    close: async () => {
      await (await spool)?.remove();
      spool = undefined;
    },
  };
}

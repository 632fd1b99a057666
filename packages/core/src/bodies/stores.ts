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

/** What memory mode keeps in memory, where nothing else is set: room for one of the largest to replace another. */
const MEMORY_LIMITS: MemoryLimits = { always: 2 ** 20, largest: 64 * 2 ** 20, room: 128 * 2 ** 20 };

/** How bodies are kept. */
export interface BodyStoresOptions {
  log: Logger;
  /** Persistent mode: the data directory. */
  disk?: {
    path: string;
    /** Whether a write waits until the body has reached the device. */
    sync: boolean;
    /** Bytes of recently used bodies that are kept in memory. */
    cacheSize: number;
    persistence: Persistence;
  };
  /** Memory mode: what is kept in memory; by default bodies of up to 1 MiB, and 128 MiB of those of up to 64 MiB. */
  memory?: MemoryLimits;
  /** Memory mode: where the directory of larger bodies is made; the system's temporary directory by default. */
  temporaryDirectory?: string;
  /** By default the one that the persistence writes by, and in memory mode the machine's. */
  fs?: FileSystem;
}

/** The body stores of an emulator. */
export interface BodyStores {
  /** A new store for a service; call it once for each. */
  open(service: string): BodyStore;
  /** Removes what memory mode has spooled. */
  close(): Promise<void>;
}

/** Sets up where bodies are kept: the data directory, or memory and a temporary directory. */
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
            // The next large body tries again.
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

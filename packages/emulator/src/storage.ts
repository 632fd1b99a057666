import { createBodyStores, type KernelOptions } from '@emu/core';
import type { EmulatorSettings, Logger } from '@emu/core/service';
import { S3_OPTIONS } from '@emu/svc-s3/manifest';

/** Storage of an emulator. */
export interface Storage extends Pick<KernelOptions, 'persistence' | 'bodies'> {
  /** Removes temporary data of the run. */
  close(): Promise<void>;
}

/**
 * Opens the storage: the data directory in persistent mode, memory otherwise.
 * @param version of the running emulator, for the version file of a new data directory
 * @throws Error with the file name if the data directory cannot be used
 */
export async function openStorage(settings: EmulatorSettings, version: string, log: Logger): Promise<Storage> {
  const { EMULATOR_STORAGE_MODE: mode, EMULATOR_DATA_PATH: path, EMULATOR_SYNC: sync } = settings.values;
  const persistence =
    mode === 'persistent' && path !== undefined
      ? // Loaded on demand, because memory mode does not need it.
        await (await import('./disk.ts'))
          .openDiskPersistence({ path, sync, version, log })
          .catch((error: unknown) => Promise.reject(unusable(path, error)))
      : undefined;
  const { EMULATOR_S3_CACHE_SIZE: cacheSize } = settings.of(S3_OPTIONS);
  const stores = createBodyStores({
    log,
    ...(persistence && { disk: { path: path!, sync, cacheSize, persistence } }),
  });
  return { persistence, bodies: (service) => stores.open(service), close: () => stores.close() };
}

/** Reasons why a directory cannot be created or written, by error code. */
const WHY: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'it is a file, or below one',
  EEXIST: 'it is a file, or below one',
  ENOENT: 'it cannot be made there',
  ENOSPC: 'the disk is full',
};

/** Returns a readable message for a file system error, and other messages unchanged. */
function unusable(path: string, error: unknown): unknown {
  const why = WHY[(error as NodeJS.ErrnoException).code ?? ''];
  if (why === undefined) return error;
  const message = `${path} cannot be used as the data directory: ${why} (--data-path, EMULATOR_DATA_PATH).`;
  return new Error(message, { cause: error });
}

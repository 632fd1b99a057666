import { createBodyStores, type EmulatorSettings, type KernelOptions, type Logger } from '@emu/core';
import { S3_OPTIONS } from '@emu/svc-s3/manifest';

/** Where an emulator keeps its state. */
export interface Storage extends Pick<KernelOptions, 'persistence' | 'bodies'> {
  /** Removes what was only for the time the emulator ran. */
  close(): Promise<void>;
}

/**
 * Opens what the settings say: the data directory in persistent mode, memory otherwise.
 * @param version of the running emulator, for the version file of a new data directory
 * @throws Error naming the file, where the data directory cannot be used
 */
export async function openStorage(settings: EmulatorSettings, version: string, log: Logger): Promise<Storage> {
  const { EMULATOR_STORAGE_MODE: mode, EMULATOR_DATA_PATH: path, EMULATOR_SYNC: sync } = settings.values;
  const persistence =
    mode === 'persistent' && path !== undefined
      ? // Loaded here only: the memory mode starts without it.
        await (await import('./disk.ts')).openDiskPersistence({ path, sync, version, log })
      : undefined;
  const { EMULATOR_S3_CACHE_SIZE: cacheSize } = settings.of(S3_OPTIONS);
  const stores = createBodyStores({
    log,
    ...(persistence && { disk: { path: path!, sync, cacheSize, persistence } }),
  });
  return { persistence, bodies: (service) => stores.open(service), close: () => stores.close() };
}

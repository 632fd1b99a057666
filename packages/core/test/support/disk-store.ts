import {
  createLogger,
  type DiskPersistenceOptions,
  openDiskPersistence,
  type Persistence,
  ServiceStore,
} from '../../src/index.ts';
import { type Collection, defineCollection } from '../../src/service.ts';
import { copyDataDirectory } from '../../src/testing/index.ts';

/** A record of the tests. */
export interface Item {
  value: unknown;
}

const items = defineCollection<Item>('items', 'region');
const others = defineCollection<Item>('others', 'account');

/** A service's store on disk, without a kernel. */
export interface DiskStore extends AsyncDisposable {
  persistence: Persistence;
  store: ServiceStore;
  items: Collection<Item>;
  others: Collection<Item>;
  /** Lines that were logged. */
  log: string[];
  /** Returns the content of the store, in order. */
  contents(): [string, unknown][];
  close(): Promise<void>;
}

/** Opens a store of the service `things` in a data directory. */
export async function openDiskStore(path: string, options: Partial<DiskPersistenceOptions> = {}): Promise<DiskStore> {
  const log: string[] = [];
  const persistence = await openDiskPersistence({
    path,
    sync: false,
    version: '0.1.0',
    log: createLogger({ level: 'debug', format: 'text', write: (line) => void log.push(line) }),
    ...options,
  });
  try {
    const store = new ServiceStore('things', [items, others]);
    store.attach(
      await persistence.open(
        'things',
        (change) => store.restore(change),
        () => store.snapshot(),
      ),
    );
    const close = (): Promise<void> => persistence.close();
    const collection = store.collection(items, '000000000000', 'us-east-1');
    return {
      persistence,
      store,
      items: collection,
      others: store.collection(others, '000000000000', ''),
      log,
      contents: () => [...collection.entries()].map(([key, item]) => [key, item.value]),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await persistence.close();
    throw error;
  }
}

/** Opens a copy of a data directory at this moment, which is what a crash would leave. */
export async function openCopy(
  path: string,
  to: string,
  options?: Partial<DiskPersistenceOptions>,
): Promise<DiskStore> {
  await copyDataDirectory(path, to);
  return openDiskStore(to, options);
}

import { join } from 'node:path';
import { RegionalSplit } from '../migration/regional-split.ts';
import type { DataPlace } from '../plugin/own-data.ts';
import type { ServiceStore } from '../state/store.ts';
import type { BodyStore } from '../storage/body-store.ts';
import type { Environment } from './environment.ts';

/** Opens the storage of services: their records in the data directory, bodies, and their own data. */
export class ServiceStorage {
  private readonly bodyStores = new Map<string, BodyStore>();

  constructor(
    private readonly environment: Environment,
    /** Opens the body store of a service. */
    private readonly openBodies: (service: string) => BodyStore,
  ) {}

  /** Returns the body store of a service; opens it at its first use. */
  bodiesOf(service: string): BodyStore {
    let store = this.bodyStores.get(service);
    if (!store) {
      store = this.openBodies(service);
      this.bodyStores.set(service, store);
    }
    return store;
  }

  /** Closes the body store of a service; a new one counts references again. */
  async closeBodiesOf(service: string): Promise<void> {
    const bodies = this.bodyStores.get(service);
    this.bodyStores.delete(service);
    await bodies?.close();
  }

  /** Closes every body store. */
  async closeBodies(): Promise<void> {
    for (const bodies of this.bodyStores.values()) await bodies.close();
  }

  /** Loads the persisted records of a store and journals its changes from then on; has no effect in memory mode. */
  async open(store: ServiceStore): Promise<void> {
    const { persistence, settings, log } = this.environment;
    if (!persistence) return;
    const split = new RegionalSplit(store.collections, settings.region);
    const journal = await persistence.open(
      store.service,
      (change) => {
        if (!split.take(change)) store.restore(change);
      },
      () => store.snapshot(),
    );
    for (const change of split.placed()) store.restore(change);
    store.attach(journal);
    if (split.size) {
      // Done at once, as journalled changes contain the regions from now on.
      await journal.rewrite();
      log.info(`moved ${split.size} records of ${store.service} from the account to their regions`);
    }
    if (!store.hasBodies) return;
    store.retainBodies();
    await this.bodiesOf(store.service).clearOut();
  }

  /**
   * Returns the place of a service's own data; undefined in memory mode.
   * @param recordsCommitted resolves when the changes of the service's records so far are on disk
   */
  dataPlaceOf(service: string, recordsCommitted: () => Promise<void>): DataPlace | undefined {
    const { persistence, log } = this.environment;
    const { directory, fileSystem } = persistence ?? {};
    if (directory === undefined || !fileSystem) return undefined;
    return {
      directory: join(directory, service),
      fileSystem,
      log,
      expected: persistence?.hasData?.(service) ?? false,
      recordsCommitted,
      noteData: async () => persistence?.noteData?.(service),
    };
  }
}

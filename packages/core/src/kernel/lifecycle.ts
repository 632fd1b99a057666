import type { Observers } from '../invocation/observers.ts';
import { withPartitions } from '../migration/arn-partitions.ts';
import type { Persistence } from '../persistence/persistence.ts';
import { programPool } from '../programs/pool.ts';
import type { RequestRecorder } from '../recorder/recorder.ts';
import type { Parts } from '../services/parts.ts';

/** Starts and closes an emulator. */
export class Lifecycle {
  /** Releases the processes of programs from users. */
  private readonly releasePrograms = programPool.open();

  constructor(
    private readonly parts: Parts,
    private readonly observers: Observers,
    private readonly recorder: RequestRecorder,
  ) {}

  /** Opens the data directory, and loads the services with persisted state, so that their timers run. */
  async start(): Promise<void> {
    const { environment, quotas, registry, sessionSweep } = this.parts;
    await quotas.open();
    await this.openPersisted();
    sessionSweep.restart();
    // The first use of a data directory gives it the id that distinguishes its volumes.
    if (environment.persistent && environment.containers.available) await environment.containers.volumeScope();
    for (const name of this.observers.observingAll) await registry.service(name);
    for (const { name, eager } of environment.manifests)
      if (eager?.(environment.settings)) {
        const service = await registry.service(name);
        await service.plugin.onStart?.(service as never);
      }
    await environment.persistence?.committed();
  }

  /** Ends the waits of running requests, before the ports close. */
  endWaits(): void {
    this.parts.resumptions.close();
    this.recorder.endFollowing();
    for (const service of this.parts.registry.loadedServices()) service.endWaits();
  }

  /** Stops timers and writes all changes. @throws Error if changes could not be written */
  async close(): Promise<void> {
    const { environment, ownState, registry, resumptions, storage } = this.parts;
    const { clock, containers, persistence, self } = environment;
    resumptions.close();
    await this.observers.settled();
    // A service that finishes loading later would open its journal in a closed directory.
    await registry.settled();
    clock.close();
    for (const service of registry.loadedServices()) service.dropStates(undefined);
    this.releasePrograms();
    for (const service of registry.loadedServices()) await service.data?.close();
    await containers.close();
    await self?.close();
    ownState.close();
    const [written] = await Promise.allSettled([persistence?.committed()]);
    // Before the directory is closed, since another process may take it then.
    await storage.closeBodies();
    await persistence?.close();
    if (written.status === 'rejected') throw written.reason;
  }

  private async openPersisted(): Promise<void> {
    const { environment, ownState, registry, resumptions, storage } = this.parts;
    const { credentials, log, manifests, persistence } = environment;
    if (!persistence) return;
    if (persistence.arnsOutdated) await this.rewriteArns(persistence);
    // The time first: it decides what is due.
    await storage.open(ownState.store);
    ownState.resume();
    resumptions.open();
    await storage.open(credentials.store);
    const known = new Set(manifests.map(({ name }) => name));
    const own = [ownState.store.service, credentials.store.service];
    for (const name of persistence.services()) {
      if (known.has(name)) await registry.service(name);
      else if (!own.includes(name))
        log.warn(`the data directory holds state of ${name}, which this version does not support; it is unchanged`);
    }
  }

  /** Rewrites the ARNs of a version with a single partition; repeated after an interruption. */
  private async rewriteArns(persistence: Persistence): Promise<void> {
    const { environment, ownState } = this.parts;
    const { credentials, log, settings } = environment;
    const own = [ownState.store, credentials.store];
    for (const name of persistence.services()) {
      const kept = own.find(({ service }) => service === name)?.collections;
      const collections = kept ?? (await environment.manifestOf(name)?.load())?.collections;
      // The state of unknown services is unchanged.
      if (!collections) continue;
      const definitions = new Map([...collections].map((definition) => [definition.name, definition]));
      await persistence.rewriteAll?.(name, (record) =>
        withPartitions(record, definitions.get(record.collection), settings.region),
      );
    }
    await persistence.arnsRewritten?.();
    log.info('rewrote the ARNs in the data directory to the partitions of their regions');
  }
}

import type { HeldData } from '../plugin/own-data.ts';
import type { LoadedService } from '../services/loaded-service.ts';
import type { Parts } from '../services/parts.ts';
import type { Quotas } from '../services/quotas.ts';
import type { UnsavedUses } from '../services/stored-credentials.ts';
import type { HeldCollection } from '../state/store.ts';
import type { ClockState } from '../time/clock.ts';

/**
 * The whole emulator at one moment: records, credentials, bodies, the time and the position of a seed's ids. It belongs
 * to the emulator that took it, and may be restored any number of times. Disposing of it, or closing the emulator,
 * releases bodies that nothing else refers to.
 */
export interface Checkpoint extends Disposable {
  /** Emulated time of the checkpoint, in epoch milliseconds. */
  readonly takenAt: number;
}

/** Content of a checkpoint. */
interface Picture {
  readonly clock: ClockState;
  readonly idPosition: number;
  readonly uses: UnsavedUses;
  readonly quotas: ReturnType<Quotas['hold']>;
  readonly credentials: readonly HeldCollection[];
  readonly services: ReadonlyMap<LoadedService, readonly HeldCollection[]>;
  readonly data: ReadonlyMap<LoadedService, HeldData>;
}

/** Takes and restores checkpoints of an emulator. */
export class Checkpoints {
  private readonly pictures = new WeakMap<Checkpoint, Picture>();

  constructor(private readonly parts: Parts) {}

  /** Takes a checkpoint; costs a reference to each record, as records are immutable. */
  take(): Checkpoint {
    const { environment, registry, quotas } = this.parts;
    const { clock, ids, credentials } = environment;
    const services = new Map(registry.loadedServices().map((service) => [service, service.store.hold()]));
    const data = new Map<LoadedService, HeldData>();
    for (const service of services.keys()) if (service.data) data.set(service, service.data.hold());
    const checkpoint: Checkpoint = { takenAt: clock.now(), [Symbol.dispose]: () => this.dispose(checkpoint) };
    const picture: Picture = {
      clock: clock.state(),
      idPosition: ids.position,
      uses: credentials.unsavedUses(),
      credentials: credentials.store.hold(),
      quotas: quotas.hold(),
      services,
      data,
    };
    for (const [service, held] of services) service.store.retainHeld(held);
    this.pictures.set(checkpoint, picture);
    return checkpoint;
  }

  /**
   * Restores a checkpoint: states end their waits and are created again from their records.
   * @throws Error for a checkpoint of another emulator, or a disposed one
   */
  async restore(checkpoint: Checkpoint): Promise<void> {
    const picture = this.pictures.get(checkpoint);
    if (!picture) throw new Error('the checkpoint is of another emulator, or was disposed of');
    const { environment, registry, turnover, quotas } = this.parts;
    const { clock, ids, credentials } = environment;
    await Promise.all(
      registry.loadedServices().map((service) => service.plugin.onReset?.(service as never, undefined)),
    );
    const services = registry.loadedServices();
    const replacing = services.map((service) => ({
      service,
      clear: () => service.store.clear(),
      put: () => service.store.putting(picture.services.get(service) ?? []),
    }));
    await turnover.run(replacing, () => {
      clock.restore(picture.clock);
      ids.position = picture.idPosition;
      credentials.store.putBack(picture.credentials);
      credentials.setUnsavedUses(picture.uses);
      quotas.putBack(picture.quotas);
      for (const service of services) service.data?.putBack(picture.data.get(service));
    });
    for (const service of services) await service.data?.committed();
  }

  private dispose(checkpoint: Checkpoint): void {
    const picture = this.pictures.get(checkpoint);
    if (!picture) return;
    this.pictures.delete(checkpoint);
    for (const [service, held] of picture.services) service.store.releaseHeld(held);
    for (const held of picture.data.values()) held.release();
  }
}

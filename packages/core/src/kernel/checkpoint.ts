import type { HeldData } from '../plugin/own-data.ts';
import type { LoadedService } from '../services/loaded-service.ts';
import type { Parts } from '../services/parts.ts';
import type { Quotas } from '../services/quotas.ts';
import type { UnsavedUses } from '../services/stored-credentials.ts';
import type { HeldCollection } from '../state/store.ts';
import type { ClockState } from '../time/clock.ts';

/**
 * Everything an emulator had at one moment: records, credentials, bodies, the time and how far a seed's ids had come.
 * It is of the emulator that it was taken of, and may be restored any number of times. Disposing of it lets the bodies go
 * that nothing else refers to; the end of the emulator does so too.
 */
export interface Checkpoint extends Disposable {
  /** Emulated time at which it was taken, in epoch milliseconds. */
  readonly takenAt: number;
}

/** What a checkpoint holds. */
interface Picture {
  readonly clock: ClockState;
  readonly idPosition: number;
  readonly uses: UnsavedUses;
  readonly quotas: ReturnType<Quotas['hold']>;
  readonly credentials: readonly HeldCollection[];
  readonly services: ReadonlyMap<LoadedService, readonly HeldCollection[]>;
  readonly data: ReadonlyMap<LoadedService, HeldData>;
}

/** Takes checkpoints of an emulator and goes back to them. */
export class Checkpoints {
  private readonly pictures = new WeakMap<Checkpoint, Picture>();

  constructor(private readonly parts: Parts) {}

  /** Notes what there is; costs a reference for each record, which never changes once it is there. */
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
   * Puts everything back: states end what they wait for and are made anew of their records.
   * @throws Error for a checkpoint of another emulator, or one that was disposed of
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

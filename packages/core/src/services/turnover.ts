import type { EmulatorClock } from '../time/clock.ts';
import { Slices } from '../time/slices.ts';
import type { LoadedService } from './loaded-service.ts';

/** What replaces the records of a service. */
export interface Replacing {
  readonly service: LoadedService;
  /** Removes what has to go. */
  clear(): void;
  /** Puts what there is to be, a record or so with each step. */
  put(): Iterable<unknown>;
}

/**
 * Replaces the records of services as if at once, although there may be very many of them: it is done in slices, between
 * which the health route answers, and everything else that comes waits. Operations that still run may fail.
 */
export class Turnover {
  private current: Promise<void> | undefined;

  constructor(private readonly clock: EmulatorClock) {}

  /** Resolves when nothing is being replaced; undefined where nothing is. */
  ended(): Promise<void> | undefined {
    return this.current && this.untilEnded();
  }

  /**
   * Replaces records, and makes the states anew of them. On disk it takes effect at once for each service, or not at all.
   * @param between done when everything is gone and before anything is put: sets the time, by which states are made
   */
  async run(services: readonly Replacing[], between: () => void): Promise<void> {
    // Not a turn between looking and beginning: one at a time, and whatever comes from here on waits.
    while (this.current) await this.current;
    let end!: () => void;
    this.current = new Promise((resolve) => {
      end = resolve;
    });
    try {
      await this.replace(services, between);
    } finally {
      this.current = undefined;
      end();
    }
  }

  private async untilEnded(): Promise<void> {
    while (this.current) await this.current;
  }

  private async replace(services: readonly Replacing[], between: () => void): Promise<void> {
    const slices = new Slices();
    const started: { service: LoadedService; gone: ReturnType<LoadedService['store']['beginReplacement']> }[] = [];
    this.clock.hold();
    try {
      for (const { service, clear } of services) {
        service.dropStates(undefined);
        service.replacing = true;
        started.push({ service, gone: service.store.beginReplacement(clear) });
      }
      between();
      for (const { put } of services) await slices.run(put());
      for (const { service } of services) service.replacing = false;
      const resumes: (() => void)[] = [];
      for (const { service } of services) resumes.push(await service.makeStates(slices));
      for (const resume of resumes) resume();
    } finally {
      const released = started.map(({ service, gone }) => {
        service.replacing = false;
        return service.store.endReplacement(gone, slices);
      });
      this.clock.letRun();
      await Promise.all(released);
    }
  }
}

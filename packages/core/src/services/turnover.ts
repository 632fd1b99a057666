import type { EmulatorClock } from '../time/clock.ts';
import { Slices } from '../time/slices.ts';
import type { LoadedService } from './loaded-service.ts';

/** Replaces the records of a service. */
export interface Replacing {
  readonly service: LoadedService;
  /** Removes the old records. */
  clear(): void;
  /** Puts the new records, about one in each step. */
  put(): Iterable<unknown>;
}

/**
 * Replaces the records of services, even very many, as if at once: it works in slices, between which only the health
 * route responds; all other requests wait. Running operations may fail.
 */
export class Turnover {
  private current: Promise<void> | undefined;

  constructor(private readonly clock: EmulatorClock) {}

  /** Resolves when no replacement is running; undefined if none is. */
  ended(): Promise<void> | undefined {
    return this.current && this.untilEnded();
  }

  /**
   * Replaces records, and creates the states again from them. On disk all changes of a service take effect, or none.
   * @param between called after everything is removed and before anything is put: sets the time, on which states depend
   */
  async run(services: readonly Replacing[], between: () => void): Promise<void> {
    // No turn passes between the check and the start: only one replacement runs, and everything after this waits.
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

import type { Clock, Timer } from '@emu/core/service';
import { lambdaError } from '../errors.ts';
import type { Environment } from './environment.ts';
import type { EnvironmentLog } from './environment-log.ts';
import type { Outcome } from './invocation.ts';

/** Idle timeout of an environment in milliseconds of emulated time. */
const IDLE_LIMIT = 600_000;

/** Environment requirements of a version. */
export interface EnvironmentKey {
  version: string;
  /** Changes with code and configuration. */
  contentId: string;
  /** Key of its provisioned concurrency; undefined on demand. */
  provision: string | undefined;
}

/** An environment or its initialization failure. */
export type Started = { environment: Environment; expiresAt: number } | { failure: Outcome; log: EnvironmentLog };

/** A slot for one environment. */
export interface Slot extends EnvironmentKey {
  environment: Environment | undefined;
  busy: boolean;
  /** Epoch milliseconds of emulated time. */
  startedAt: number;
  lastUsedAt: number | undefined;
  /** Expiry of its credentials. */
  expiresAt: number;
  idle: Timer | undefined;
}

/** An environment reserved for one invocation. */
export type Lease = { slot: Slot; environment: Environment; cold: boolean } | { failure: Outcome; log: EnvironmentLog };

/** Options for waiting if no environment is available. */
export interface AcquireOptions {
  /** Cancels waiting; created only if it must wait. */
  signal: () => AbortSignal;
  /**
   * Whether the limit may be exceeded by one: otherwise a waiting caller that occupies an environment would deadlock.
   */
  mayExceed: () => boolean;
}

interface Waiter {
  serve(): void;
}

/** The warm environments of one function, started on demand up to a limit; further invocations wait in order. */
export class FunctionPool {
  readonly slots = new Set<Slot>();
  private readonly waiting: Waiter[] = [];
  private closed = false;

  constructor(
    private readonly clock: Clock,
    /** Current maximum number of environments. */
    private readonly limit: () => number,
    /** Whether a version is unchanged, so that its environments can be reused. */
    private readonly isCurrent: (key: EnvironmentKey) => boolean,
  ) {}

  /**
   * Finds, starts or waits for an environment.
   * @param start starts one
   * @throws errors of `start`; the signal's reason; AwsError `ServiceException` if the function was removed
   */
  async acquire(
    key: EnvironmentKey,
    start: () => Promise<Started>,
    { signal, mayExceed }: AcquireOptions,
  ): Promise<Lease> {
    for (;;) {
      if (this.closed) throw lambdaError('ServiceException', 'The function was removed while it waited.', 'Service');
      const warm = this.findIdle((slot) => matches(slot, key));
      if (warm) {
        warm.busy = true;
        warm.idle?.cancel();
        return { slot: warm, environment: warm.environment!, cold: false };
      }
      if (this.slots.size < this.limit() || this.evictOther(key) || mayExceed()) return this.startSlot(key, start);
      await this.wait(signal());
    }
  }

  /**
   * Starts environments ahead of invocations, or ends idle ones, until the requested number of a kind is reached or the
   * limit prevents more.
   * @returns the first initialization failure; undefined without one
   * @throws errors of `start`
   */
  async keep(key: EnvironmentKey, wanted: number, start: () => Promise<Started>): Promise<Outcome | undefined> {
    const own = [...this.slots].filter((slot) => matches(slot, key));
    for (const slot of own.slice(wanted)) if (!slot.busy) void this.discard(slot);
    const starting: Promise<Lease>[] = [];
    for (let count = own.length; count < wanted && !this.closed; count++) {
      if (this.slots.size >= this.limit() && !this.evictOther(key)) break;
      starting.push(this.startSlot(key, start));
    }
    let failure: Outcome | undefined;
    const broken: unknown[] = [];
    for (const started of await Promise.allSettled(starting))
      if (started.status === 'rejected') broken.push(started.reason);
      else if ('failure' in started.value) failure ??= started.value.failure;
      else this.release(started.value.slot);
    if (broken.length) throw broken[0];
    return failure;
  }

  /**
   * Starts an environment for a later invocation.
   * @returns the failure of the initialization; undefined without one
   * @throws errors of `start`
   */
  async prepare(key: EnvironmentKey, start: () => Promise<Started>): Promise<Outcome | undefined> {
    const started = await this.startSlot(key, start);
    if ('failure' in started) return started.failure;
    this.release(started.slot);
    return undefined;
  }

  /** Returns the number of running environments of a provisioned concurrency. */
  readyOf(provision: string): number {
    let ready = 0;
    for (const slot of this.slots) if (slot.provision === provision && slot.environment) ready++;
    return ready;
  }

  /** Returns the number of busy environments of a provisioned concurrency. */
  busyOf(provision: string): number {
    let busy = 0;
    for (const slot of this.slots) if (slot.provision === provision && slot.busy) busy++;
    return busy;
  }

  /** Returns a free environment to the pool. */
  release(slot: Slot): void {
    slot.busy = false;
    slot.lastUsedAt = this.clock.now();
    const { environment } = slot;
    const excess = this.slots.size > this.limit();
    if (!environment || environment.stopped || this.closed || excess || !this.isCurrent(slot)) this.discard(slot);
    else if (slot.provision === undefined)
      slot.idle = this.clock.after(IDLE_LIMIT, () => (slot.busy ? undefined : this.discard(slot)));
    this.serveNext();
  }

  /**
   * Ends idle environments, all or only those of outdated versions.
   * @returns their number
   */
  async evict(outdatedOnly = false): Promise<number> {
    const idle = [...this.slots].filter((slot) => !slot.busy && !(outdatedOnly && this.isCurrent(slot)));
    await Promise.all(idle.map((slot) => this.discard(slot)));
    return idle.length;
  }

  /** Ends all environments, including busy ones. */
  async close(): Promise<void> {
    this.closed = true;
    for (const { serve } of this.waiting.splice(0)) serve();
    await Promise.all([...this.slots].map((slot) => this.discard(slot)));
  }

  private findIdle(wanted: (slot: Slot) => boolean): Slot | undefined {
    const now = this.clock.now();
    let best: Slot | undefined;
    for (const slot of this.slots) {
      if (slot.busy || !slot.environment || !wanted(slot)) continue;
      if (slot.environment.stopped || slot.expiresAt <= now) {
        void this.discard(slot);
        continue;
      }
      // Reuses the most recently used one, so that others reach their idle timeout.
      if (!best || (slot.lastUsedAt ?? 0) >= (best.lastUsedAt ?? 0)) best = slot;
    }
    return best;
  }

  private async startSlot(key: EnvironmentKey, start: () => Promise<Started>): Promise<Lease> {
    const slot: Slot = {
      version: key.version,
      contentId: key.contentId,
      provision: key.provision,
      environment: undefined,
      busy: true,
      startedAt: this.clock.now(),
      lastUsedAt: undefined,
      expiresAt: Number.POSITIVE_INFINITY,
      idle: undefined,
    };
    this.slots.add(slot);
    try {
      const started = await start();
      if ('failure' in started) {
        this.slots.delete(slot);
        this.serveNext();
        return started;
      }
      slot.environment = started.environment;
      slot.expiresAt = started.expiresAt;
      // An environment that ends while idle frees its slot.
      void started.environment.ended.then(() => {
        if (!slot.busy) void this.discard(slot);
      });
      return { slot, environment: started.environment, cold: true };
    } catch (error) {
      this.slots.delete(slot);
      this.serveNext();
      throw error;
    }
  }

  /** Frees a slot by ending an idle environment of another version. */
  private evictOther(key: EnvironmentKey): boolean {
    const other = this.findIdle((slot) => slot.provision === undefined && !matches(slot, key));
    if (other) void this.discard(other);
    return other !== undefined;
  }

  private wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        serve: () => {
          signal.removeEventListener('abort', gone);
          resolve();
        },
      };
      const gone = (): void => {
        const place = this.waiting.indexOf(waiter);
        if (place >= 0) this.waiting.splice(place, 1);
        reject(signal.reason);
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', gone, { once: true });
      this.waiting.push(waiter);
    });
  }

  private serveNext(): void {
    this.waiting.shift()?.serve();
  }

  private async discard(slot: Slot): Promise<void> {
    this.slots.delete(slot);
    slot.idle?.cancel();
    await slot.environment?.stop();
  }
}

const matches = (slot: EnvironmentKey, key: EnvironmentKey): boolean =>
  slot.version === key.version && slot.contentId === key.contentId && slot.provision === key.provision;

import type { Logger } from '../base/log.ts';
import type { Collection } from '../collections/collection.ts';
import type { InterruptedWork } from '../plugin/handle.ts';
import { Slices } from '../time/slices.ts';

/** Work that was being resumed, as long as it is. */
export interface ResumptionMark {
  /** Number of processes in a row that resumed it and have not completed that. */
  attempts: number;
}

/** The state of an account and region that interrupted work belongs to. */
export interface ResumptionOwner {
  /** Service, account and region, as a key. */
  readonly name: string;
  /** Whether the state is in use, so that its work must be resumed. */
  isOpen(): boolean;
  /** Resolves when the state's changes so far are on disk. */
  committed(): Promise<void>;
}

/** Dependencies of the resumptions. */
export interface ResumptionHost {
  readonly marks: Collection<ResumptionMark>;
  /** Resolves when the marks so far are on disk. */
  committed(): Promise<void>;
  readonly log: Logger;
  /** Whether an earlier process may have left marks. */
  readonly persistent: boolean;
  /** Whether interrupted work is left alone. */
  readonly off: boolean;
}

interface Item {
  readonly owner: ResumptionOwner;
  readonly work: InterruptedWork;
  readonly key: string;
  /** Processes before this one that ended while they resumed it. */
  readonly attempts: number;
}

/** Crashes in a row after which work fails instead of being resumed again. */
const MAX_ATTEMPTS = 2;
/** Milliseconds after which work that has not ended counts as resumed. */
const SURVIVED = 5000;
/** Number of items that are marked with one write. */
const BATCH = 100;
/** Number of names of left work in a log line. */
const NAMED = 20;
const REASON = 'emu was terminated twice in a row while it resumed this work after a restart.';

/**
 * Resumes the work that an earlier process left unfinished: after the start, in slices. A persisted mark exists while
 * an item is being resumed. Work with the mark of a crashed process is resumed last, and one item at a time, so that
 * another crash concerns that item only. Then it fails instead of being resumed again.
 */
export class Resumptions {
  private fresh: Item[] = [];
  private suspects: Item[] = [];
  /** Items that are being resumed, with functions that end the wait for their end. */
  private readonly underWay = new Map<Item, () => void>();
  /** Attempts of earlier processes. */
  private readonly earlier = new Map<string, number>();
  private stage: 'starting' | 'running' | 'closed' = 'starting';
  private working: Promise<void> | undefined;
  private begun: Promise<void> = Promise.resolve();

  constructor(private readonly host: ResumptionHost) {}

  /** Reads the marks of earlier processes; called before any state is created. */
  open(): void {
    for (const [key, { attempts }] of this.host.marks.entries()) this.earlier.set(key, attempts);
  }

  /** Adds interrupted work of a new state. */
  add(owner: ResumptionOwner, works: Iterable<InterruptedWork>): void {
    for (const work of works) {
      const key = `${owner.name} ${work.name}`;
      const attempts = this.earlier.get(key) ?? 0;
      (attempts ? this.suspects : this.fresh).push({ owner, work, key, attempts });
    }
    if (this.stage === 'running') this.proceed();
  }

  /**
   * Begins to resume the work; with `off`, logs what is left. Resolves when all work without marks has begun and all
   * with two marks has failed.
   */
  async start(): Promise<void> {
    this.stage = 'running';
    if (!this.host.off) this.discardEnded();
    this.proceed();
    await this.begun;
  }

  /** Discards the work of states that are not in use any more. */
  prune(): void {
    for (const [item, end] of this.underWay) if (!item.owner.isOpen()) end();
  }

  /** Ends all resumptions. The end of the process from now on is no crash. */
  close(): void {
    const { stage } = this;
    this.stage = 'closed';
    for (const end of this.underWay.values()) end();
    // Marks of earlier processes remain if this one did not resume anything.
    if (this.host.off || stage !== 'running') return;
    for (const key of [...this.host.marks.keys()]) this.host.marks.delete(key);
  }

  private proceed(): void {
    if (this.host.off) {
      this.reportLeft();
      return;
    }
    if (this.working || (this.fresh.length === 0 && this.suspects.length === 0)) return;
    this.begun = new Promise((resolve) => {
      this.working = this.work(resolve).finally(() => {
        resolve();
        this.working = undefined;
      });
    });
  }

  private async work(begun: () => void): Promise<void> {
    // The caller's turn ends first.
    await new Promise((resolve) => setImmediate(resolve));
    const slices = new Slices();
    await this.failRepeated(slices);
    while (this.stage === 'running') {
      const batch = this.fresh.splice(0, BATCH);
      if (batch.length === 0) {
        begun();
        const suspect = this.suspects.shift();
        if (!suspect) return;
        await this.mark([suspect]);
        this.host.log.warn(`resuming ${suspect.key}, during whose resumption emu was terminated`);
        await this.resume(suspect);
        continue;
      }
      await this.mark(batch);
      for (const item of batch) {
        void this.resume(item);
        const pause = slices.pause();
        if (pause) await pause;
      }
    }
  }

  private async failRepeated(slices: Slices): Promise<void> {
    const repeated = this.suspects.filter(({ attempts }) => attempts >= MAX_ATTEMPTS);
    this.suspects = this.suspects.filter(({ attempts }) => attempts < MAX_ATTEMPTS);
    for (const item of repeated) {
      // Others do not wait for a dead-letter queue.
      void this.fail(item, REASON);
      await slices.pause();
    }
  }

  /** Ends an item as failed. Never rejects. @param reason a sentence */
  private async fail({ owner, work, key }: Item, reason: string): Promise<void> {
    const { log, marks } = this.host;
    try {
      if (owner.isOpen()) {
        await work.fail(reason);
        await owner.committed();
        log.error(`${key} failed: ${reason}`);
      }
      if (this.stage === 'running') marks.delete(key);
    } catch (error) {
      // Its mark remains, so that the next process does not resume it either.
      log.error(`${key} could not be ended as failed`, { error });
    }
  }

  private async mark(items: readonly Item[]): Promise<void> {
    const { marks, persistent, committed } = this.host;
    if (!persistent) return;
    for (const { key, attempts } of items) {
      marks.put(key, { attempts: attempts + 1 });
      this.earlier.delete(key);
    }
    // Without marks, for example on a full disk, the work is still resumed. The journal logs the failure.
    await committed().catch(() => undefined);
  }

  /** Resumes an item. Resolves when it has ended, or has lasted for a while. Never rejects. */
  private async resume(item: Item): Promise<void> {
    if (this.stage !== 'running') return;
    if (item.owner.isOpen()) {
      let timer: NodeJS.Timeout | undefined;
      const survived = new Promise<void>((resolve) => {
        this.underWay.set(item, resolve);
        timer = setTimeout(resolve, SURVIVED).unref();
      });
      try {
        await Promise.race([item.work.resume() ?? survived, survived]);
      } catch (error) {
        // Otherwise it would seem to run for ever.
        const reason = error instanceof Error ? error.message : String(error);
        if (this.stage === 'running')
          await this.fail(item, `This work could not be resumed after a restart: ${reason}`);
      }
      clearTimeout(timer);
      this.underWay.delete(item);
    }
    // All marks are removed at the end.
    if (this.host.persistent && this.stage === 'running') this.host.marks.delete(item.key);
  }

  /** Removes marks of work that has ended otherwise. */
  private discardEnded(): void {
    const known = new Set(this.suspects.map(({ key }) => key));
    for (const key of this.earlier.keys()) if (!known.has(key)) this.host.marks.delete(key);
  }

  private reportLeft(): void {
    const left = [...this.fresh, ...this.suspects].map(({ key }) => key);
    this.fresh = [];
    this.suspects = [];
    if (left.length === 0) return;
    const more = left.length > NAMED ? [`${left.length - NAMED} more`] : [];
    const names = [...left.slice(0, NAMED), ...more].join('; ');
    this.host.log.warn(`interrupted work is not resumed (--no-resume): ${names}`);
  }
}

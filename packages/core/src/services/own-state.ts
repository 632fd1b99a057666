import type { IdSource } from '../base/ids.ts';
import type { Collection } from '../collections/collection.ts';
import { defineCollection } from '../collections/collection.ts';
import type { Change } from '../persistence/persistence.ts';
import type { ResumptionMark } from '../resumption/resumptions.ts';
import { ServiceStore } from '../state/store.ts';
import type { ClockState, EmulatorClock } from '../time/clock.ts';
import type { Quotas, QuotaValue } from './quotas.ts';

/** A clock that differs from the machine's: its frozen time, or its offset. Times are milliseconds. */
type StoredClock = { frozenAt: number } | { offset: number };

const clocks = defineCollection<StoredClock>('clock', 'global');
/** Position in the sequence of a seed, by the seed's key. */
const idPositions = defineCollection<{ position: number }>('id-positions', 'global');

/** Applied values of quotas, by account, region and code. */
const quotaValues = defineCollection<QuotaValue>('quota-values', 'global');

/** Marks of work that is being resumed, by service, account, region and name. */
const resumptionMarks = defineCollection<ResumptionMark>('resumptions', 'global');

/** Key of the only clock. */
const CLOCK = 'clock';

/** Creates an empty store of the emulator's own records. */
export const makeOwnStore = (): ServiceStore =>
  new ServiceStore('emulator', [clocks, idPositions, quotaValues, resumptionMarks]);

/**
 * The emulator's own persisted state, under `emulator` in the data directory: the emulated time, the position in a
 * seed's ids, the applied values of quotas, and marks of work that is being resumed.
 */
export class OwnState {
  readonly store = makeOwnStore();
  private readonly clocks = this.store.collection(clocks, '', '');
  private readonly positions = this.store.collection(idPositions, '', '');
  readonly quotaValues: Collection<QuotaValue> = this.store.collection(quotaValues, '', '');
  readonly resumptionMarks: Collection<ResumptionMark> = this.store.collection(resumptionMarks, '', '');
  /** Positions below this are recorded on disk as used. */
  private safePosition = Number.POSITIVE_INFINITY;

  constructor(
    private readonly clock: EmulatorClock,
    private readonly ids: IdSource,
  ) {}

  /** Restores the state of the last run, and stores changes from now on. Called after the store is loaded. */
  resume(): void {
    const { clock, ids } = this;
    const stored = this.clocks.get(CLOCK);
    if (stored) clock.restore(stateOf(stored));
    clock.onChange = (state) => this.keepClock(state);
    const { sequence } = ids;
    if (sequence === undefined) return;
    ids.position = this.positions.get(sequence)?.position ?? ids.position;
    this.safePosition = ids.position;
    ids.onReserve = (end) => this.reserve(sequence, end);
  }

  /**
   * Waits until no used id can be used again after a crash.
   * @returns undefined if that is already certain; else a promise that rejects if it cannot be written
   */
  settled(): Promise<void> | undefined {
    return this.ids.position > this.safePosition ? this.store.committed() : undefined;
  }

  /** Stores the exact position, so that the next run continues without a gap. */
  close(): void {
    const { sequence, position } = this.ids;
    this.clock.onChange = undefined;
    this.ids.onReserve = undefined;
    if (sequence !== undefined && this.positions.get(sequence)) this.positions.put(sequence, { position });
  }

  /** Returns the current state. */
  *changes(): Iterable<Change> {
    const { clock, ids } = this;
    const of = (collection: string, key: string, value: unknown): Change => ({
      op: 'put',
      collection,
      accountId: '',
      region: '',
      key,
      value,
    });
    const stored = storedOf(clock.state());
    if (stored) yield of(clocks.name, CLOCK, stored);
    if (ids.sequence !== undefined) yield of(idPositions.name, ids.sequence, { position: ids.position });
    for (const [key, value] of this.quotaValues.entries()) yield of(quotaValues.name, key, value);
  }

  /** Replaces the state by another emulator's. A seed's ids continue there if the seed is the same. */
  adopt(changes: readonly Change[], quotas: Pick<Quotas, 'putBack'>): void {
    const { clock, ids } = this;
    const of = (collection: string): readonly Change[] => changes.filter((change) => change.collection === collection);
    const [stored] = of(clocks.name);
    if (stored) clock.restore(stateOf(stored.value as StoredClock));
    else clock.reset();
    const position = of(idPositions.name).find(({ key }) => key === ids.sequence)?.value;
    if (position) ids.position = (position as { position: number }).position;
    quotas.putBack(of(quotaValues.name).map(({ key, value }) => [key!, (value as QuotaValue).value]));
  }

  private keepClock(state: ClockState): void {
    const stored = storedOf(state);
    if (stored) this.clocks.put(CLOCK, stored);
    else this.clocks.delete(CLOCK);
  }

  private reserve(sequence: string, end: number): void {
    this.positions.put(sequence, { position: end });
    this.store.committed().then(
      () => {
        this.safePosition = end;
      },
      // The journal logs the failure; responses wait for the next attempt once the reserved ids are used up.
      () => undefined,
    );
  }
}

/** Returns the stored form of a clock; undefined for one that equals the machine's. */
function storedOf({ frozen, now, offset }: ClockState): StoredClock | undefined {
  if (frozen) return { frozenAt: now };
  return offset ? { offset } : undefined;
}

const stateOf = (stored: StoredClock): ClockState =>
  'frozenAt' in stored
    ? { frozen: true, now: stored.frozenAt, offset: stored.frozenAt - Date.now() }
    : { frozen: false, now: Date.now() + stored.offset, offset: stored.offset };

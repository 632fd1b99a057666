import { type Clock, type Collection, DueTimers, type Worker } from '@emu/core/service';
import type { Key, KeyRecord } from '../records.ts';

/** Disabled keys and keys pending deletion are not rotated until they are enabled again. */
export const rotates = ({ enabled, deletion }: Key): boolean => enabled && !deletion;

/** Returns the time of the next scheduled change of a key in epoch milliseconds. */
export function dueAt(key: Key): number {
  const { deletion, rotation, materials } = key;
  // Called at every use of a key.
  let due = deletion?.at ?? Number.POSITIVE_INFINITY;
  for (const { imported } of materials)
    if (imported?.validTo !== undefined && imported.validTo < due) due = imported.validTo;
  return rotation && rotates(key) && rotation.nextAt < due ? rotation.nextAt : due;
}

/** Scheduled changes of the keys of one account and region: deletions, rotations, expiries of imported materials. */
export class KeySchedule implements Worker {
  private readonly timers: DueTimers;

  /** @param settle applies the due changes of a key */
  constructor(
    clock: Clock,
    private readonly keys: Collection<KeyRecord>,
    private readonly settle: (key: Key) => void,
  ) {
    this.timers = new DueTimers(clock);
  }

  resume(): void {
    for (const key of this.keys.values()) this.set(key);
  }

  /** Resets the timer of a key to its next change. */
  set(key: Key): void {
    const due = dueAt(key);
    if (due === Number.POSITIVE_INFINITY) {
      this.timers.cancel(key.id);
      return;
    }
    this.timers.set(key.id, due, () => {
      const current = this.keys.get(key.id);
      if (current) this.settle(current);
    });
  }

  cancel(keyId: string): void {
    this.timers.cancel(keyId);
  }
}

import type { Collection, StateScope } from '@emu/core';
import { type SignalRecord, signalCollection } from '../stacks/records.ts';

/** Most signals that one resource keeps. */
const MAX_SIGNALS = 1000;

/** A message that somebody sent for a resource that waits. */
export interface Signal {
  readonly uniqueId: string;
  readonly text: string;
}

/** What resources wait for from outside, by tokens that only the addressees know. */
export class Signals {
  private readonly records: Collection<SignalRecord>;
  private readonly waiting = new Map<string, Set<() => void>>();

  constructor(scope: StateScope) {
    this.records = scope.collection(signalCollection);
  }

  /** Begins to accept messages for a token. @returns false where it has begun before */
  expect(token: string, stack: string, logicalId: string): boolean {
    if (this.records.has(token)) return false;
    this.records.put(token, { stack, logicalId, received: {} });
    return true;
  }

  /** Takes a message. @returns whether anybody waits for it */
  receive(token: string, { uniqueId, text }: Signal): boolean {
    const record = this.records.get(token);
    if (!record || Object.keys(record.received).length >= MAX_SIGNALS) return false;
    this.records.update(token, (draft) => {
      draft.received[uniqueId] = text;
    });
    for (const wake of this.waiting.get(token) ?? []) wake();
    return true;
  }

  /** What has come for a token, in its order. */
  received(token: string): Signal[] {
    return Object.entries(this.records.get(token)?.received ?? {}).map(([uniqueId, text]) => ({ uniqueId, text }));
  }

  /** Accepts nothing for a token any more. */
  forget(token: string): void {
    this.records.delete(token);
  }

  /**
   * Waits for messages.
   * @param enough whether what has come is enough. @param expired resolves when the wait is over without it
   * @returns whether enough came
   */
  async wait(
    token: string,
    enough: (signals: readonly Signal[]) => boolean,
    clock: StateScope['clock'],
    limit: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (enough(this.received(token))) return true;
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        timer.cancel();
        signal.removeEventListener('abort', abort);
        const waiting = this.waiting.get(token);
        waiting?.delete(wake);
        if (waiting?.size === 0) this.waiting.delete(token);
        settle();
      };
      const wake = (): void => {
        if (enough(this.received(token))) end(() => resolve(true));
      };
      const abort = (): void => end(() => reject(signal.reason));
      const timer = clock.after(limit, () => end(() => resolve(false)));
      const waiting = this.waiting.get(token) ?? new Set();
      this.waiting.set(token, waiting.add(wake));
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
    });
  }
}

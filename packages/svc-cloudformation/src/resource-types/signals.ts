import type { Collection, ProviderContext, StateScope } from '@emu/core/service';
import { type SignalRecord, signalCollection } from '../stacks/records.ts';

/** Maximum number of stored signals per resource. */
const MAX_SIGNALS = 1000;

/** A message for a waiting resource. */
export interface Signal {
  readonly uniqueId: string;
  readonly text: string;
}

/** External messages that resources wait for, keyed by secret token. */
export class Signals {
  private readonly records: Collection<SignalRecord>;
  private readonly waiting = new Map<string, Set<() => void>>();

  constructor(scope: StateScope) {
    this.records = scope.collection(signalCollection);
  }

  /**
   * Starts to accept messages for a token.
   * @returns false if it already does
   */
  expect(token: string, stack: string, logicalId: string): boolean {
    if (this.records.has(token)) return false;
    this.records.put(token, { stack, logicalId, received: {} });
    return true;
  }

  /**
   * Stores a message.
   * @returns whether a resource waits for it
   */
  receive(token: string, { uniqueId, text }: Signal): boolean {
    const record = this.records.get(token);
    if (!record || Object.keys(record.received).length >= MAX_SIGNALS) return false;
    this.records.update(token, (draft) => {
      draft.received[uniqueId] = text;
    });
    for (const wake of this.waiting.get(token) ?? []) wake();
    return true;
  }

  /** Returns the messages of a token in order of arrival. */
  received(token: string): Signal[] {
    return Object.entries(this.records.get(token)?.received ?? {}).map(([uniqueId, text]) => ({ uniqueId, text }));
  }

  /** Stops accepting messages for a token. */
  discard(token: string): void {
    this.records.delete(token);
  }

  /**
   * Waits for messages. A restart does not prolong the wait.
   * @param enough whether the received messages suffice
   * @param limit milliseconds
   * @returns whether enough messages arrived
   */
  async wait(
    token: string,
    enough: (signals: readonly Signal[]) => boolean,
    limit: number,
    { clock, signal, token: step }: Pick<ProviderContext, 'clock' | 'signal' | 'token'>,
  ): Promise<boolean> {
    if (enough(this.received(token))) return true;
    const deadline = this.deadlineOf(token, step, clock.now() + limit);
    if (clock.now() >= deadline) return false;
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
      const timer = clock.at(deadline, () => end(() => resolve(false)));
      const waiting = this.waiting.get(token) ?? new Set();
      this.waiting.set(token, waiting.add(wake));
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
    });
  }

  /** Returns the end of a step's wait, which its first attempt has stored. */
  private deadlineOf(token: string, step: string, latest: number): number {
    const record = this.records.get(token);
    if (record && record.deadlines?.[step] === undefined)
      this.records.update(token, (draft) => {
        draft.deadlines = { ...draft.deadlines, [step]: latest };
      });
    return record?.deadlines?.[step] ?? latest;
  }
}

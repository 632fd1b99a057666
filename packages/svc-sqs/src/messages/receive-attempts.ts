import type { QueuedMessage } from '../ordering/queued-message.ts';
import type { DeliveryRecord } from '../records.ts';

/** How long an attempt can be repeated, in milliseconds. */
const ATTEMPT_INTERVAL = 5 * 60 * 1000;

interface Attempt {
  /** The messages it got, with what was written of them then. */
  received: { message: QueuedMessage; delivery: Readonly<DeliveryRecord> | undefined }[];
  /** Epoch milliseconds. */
  at: number;
}

/**
 * The receives of a FIFO queue by their `ReceiveRequestAttemptId`: one that lost its response is repeated and gets the
 * same messages and receipt handles, as long as they are in flight and nobody touched them.
 */
export class ReceiveAttempts {
  private readonly attempts = new Map<string, Attempt>();

  /** What the attempt got earlier; undefined where it has to receive anew. */
  find(id: string, now: number): QueuedMessage[] | undefined {
    const attempt = this.attempts.get(id);
    if (!attempt || attempt.at + ATTEMPT_INTERVAL <= now) return undefined;
    const untouched = attempt.received.every(
      ({ message, delivery }) => message.state === 'inFlight' && message.delivery === delivery,
    );
    return untouched ? attempt.received.map(({ message }) => message) : undefined;
  }

  /** Remembers what an attempt got. */
  add(id: string, messages: readonly QueuedMessage[], now: number): void {
    for (const [old, { at }] of this.attempts) {
      if (at + ATTEMPT_INTERVAL > now) break;
      this.attempts.delete(old);
    }
    this.attempts.delete(id);
    this.attempts.set(id, {
      received: messages.map((message) => ({ message, delivery: message.delivery })),
      at: now,
    });
  }

  clear(): void {
    this.attempts.clear();
  }
}

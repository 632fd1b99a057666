import type { QueuedMessage } from '../ordering/queued-message.ts';
import type { DeliveryRecord } from '../records.ts';

/** Milliseconds for which an attempt can be repeated. */
const ATTEMPT_INTERVAL = 5 * 60 * 1000;

interface Attempt {
  /** Received messages, with their records at that time. */
  received: { message: QueuedMessage; delivery: Readonly<DeliveryRecord> | undefined }[];
  /** Epoch milliseconds. */
  at: number;
}

/**
 * Receives of a FIFO queue by `ReceiveRequestAttemptId`: a repeated one returns the same messages and receipt handles,
 * while they are in flight and unchanged.
 */
export class ReceiveAttempts {
  private readonly attempts = new Map<string, Attempt>();

  /** Returns the messages of an earlier attempt; undefined if a new receive is required. */
  find(id: string, now: number): QueuedMessage[] | undefined {
    const attempt = this.attempts.get(id);
    if (!attempt || attempt.at + ATTEMPT_INTERVAL <= now) return undefined;
    const untouched = attempt.received.every(
      ({ message, delivery }) => message.state === 'inFlight' && message.delivery === delivery,
    );
    return untouched ? attempt.received.map(({ message }) => message) : undefined;
  }

  /** Stores the messages of an attempt. */
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

import type { Clock, Timer } from '@emu/core/service';
import { Chain, type Chained } from '../ordering/chain.ts';
import type { QueuedMessage } from '../ordering/queued-message.ts';

/** What a receiver asks for. */
export interface ReceiveRequest {
  maxMessages: number;
  /** Milliseconds; the queue's own where undefined. */
  visibilityTimeout: number | undefined;
  /** FIFO queues only. */
  attemptId: string | undefined;
}

/** A receive that waits for a message. */
class Waiter implements Chained<Waiter> {
  previous: Waiter | undefined = undefined;
  next: Waiter | undefined = undefined;
  chain: object | undefined = undefined;
  timer: Timer | undefined;

  constructor(
    readonly request: ReceiveRequest,
    readonly signal: AbortSignal,
    readonly resolve: (messages: QueuedMessage[]) => void,
    readonly reject: (error: Error) => void,
  ) {}
}

/** The receives that wait at one queue, longest waiting first. */
export class Waiters {
  private readonly chain = new Chain<Waiter>();
  private stopped = false;

  constructor(private readonly clock: Clock) {}

  /** The request that is served next. */
  get next(): ReceiveRequest | undefined {
    return this.chain.first?.request;
  }

  /**
   * Waits until it is served, its time is over or its client has gone; the latter two give no message.
   * @param milliseconds longest wait
   */
  wait(request: ReceiveRequest, milliseconds: number, signal: AbortSignal): Promise<QueuedMessage[]> {
    return new Promise((resolve, reject) => {
      if (signal.aborted || this.stopped) {
        resolve([]);
        return;
      }
      const leave = () => waiter.resolve([]);
      const settle = () => {
        this.chain.remove(waiter);
        waiter.timer?.cancel();
        signal.removeEventListener('abort', leave);
      };
      const waiter = new Waiter(
        request,
        signal,
        (messages) => {
          settle();
          resolve(messages);
        },
        (error) => {
          settle();
          reject(error);
        },
      );
      this.chain.append(waiter);
      waiter.timer = this.clock.after(milliseconds, leave);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Answers the longest waiting request. */
  serve(messages: QueuedMessage[]): void {
    this.chain.first?.resolve(messages);
  }

  /** Ends every wait without messages, and lets nobody wait any more. */
  stop(): void {
    this.stopped = true;
    this.end();
  }

  /** Ends every wait: with an error where the queue is gone, else without messages. */
  end(error?: Error): void {
    for (let waiter = this.chain.first; waiter; waiter = this.chain.first) {
      if (error) waiter.reject(error);
      else waiter.resolve([]);
    }
  }
}

import type { Clock, Timer } from '@emu/core/service';
import { Chain, type Chained } from '../ordering/chain.ts';
import type { QueuedMessage } from '../ordering/queued-message.ts';

/** Parameters of a receive request. */
export interface ReceiveRequest {
  maxMessages: number;
  /** Milliseconds; the queue's default if undefined. */
  visibilityTimeout: number | undefined;
  /** FIFO queues only. */
  attemptId: string | undefined;
}

/** A receive request that waits for a message. */
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

/** Waiting receive requests of one queue, longest waiting first. */
export class Waiters {
  private readonly chain = new Chain<Waiter>();
  private stopped = false;

  constructor(private readonly clock: Clock) {}

  /** Returns the request to serve next. */
  get next(): ReceiveRequest | undefined {
    return this.chain.first?.request;
  }

  /**
   * Waits until served, timed out or disconnected; the latter two yield no messages.
   * @param milliseconds maximum wait
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

  /** Serves the longest waiting request. */
  serve(messages: QueuedMessage[]): void {
    this.chain.first?.resolve(messages);
  }

  /** Ends all waits without messages, and permits no further ones. */
  stop(): void {
    this.stopped = true;
    this.end();
  }

  /** Ends all waits: with an error if the queue is deleted, otherwise without messages. */
  end(error?: Error): void {
    for (let waiter = this.chain.first; waiter; waiter = this.chain.first) {
      if (error) waiter.reject(error);
      else waiter.resolve([]);
    }
  }
}

import type { RecordedRequest } from './recorded-request.ts';

/** Maximum number of requests that wait for a slow reader; older ones are skipped. */
const MAX_WAITING = 1000;

/** Stream of recorded requests for one reader; ends when the reader disconnects, or the emulator closes. */
export class Following implements AsyncIterableIterator<RecordedRequest> {
  private waiting: RecordedRequest[] = [];
  private wake: ((result: IteratorResult<RecordedRequest>) => void) | undefined;
  private ended = false;

  /** @param onEnd called once, when it ends */
  constructor(private readonly onEnd: (following: Following) => void) {}

  /** Passes on a request. */
  push(request: RecordedRequest): void {
    const { wake } = this;
    if (wake) {
      this.wake = undefined;
      wake({ done: false, value: request });
      return;
    }
    this.waiting.push(request);
    if (this.waiting.length > MAX_WAITING) this.waiting.shift();
  }

  /** Ends the stream; discards waiting requests. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.waiting = [];
    this.onEnd(this);
    this.wake?.(END);
  }

  next(): Promise<IteratorResult<RecordedRequest>> {
    if (this.ended) return Promise.resolve(END);
    const value = this.waiting.shift();
    if (value) return Promise.resolve({ done: false, value });
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  return(): Promise<IteratorResult<RecordedRequest>> {
    this.end();
    return Promise.resolve(END);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

const END: IteratorResult<RecordedRequest> = { done: true, value: undefined };

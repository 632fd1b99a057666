/** Milliseconds for the start of requests in one turn of the event loop. */
const SLICE = 5;
/**
 * Milliseconds for which requests wait while connections arrive. libuv accepts one connection in each turn, so that the
 * last of thousands would wait for as many turns.
 */
const ACCEPTING = 50;
/** Number of started requests after which the queue is shortened. */
const SHORTEN = 1024;

/**
 * Starts requests in order, for some milliseconds in each turn of the event loop. Others wait for the next turn.
 * Otherwise thousands of clients would prolong a turn by the time of all their requests, and delay the health route,
 * which does not wait here.
 */
export class Admission {
  private waiting: (() => void)[] = [];
  /** Number of requests in `waiting` that have started. */
  private begun = 0;
  /** End of this turn's time, by `performance.now()`; 0 before its first request. */
  private end = 0;
  /** Whether a connection was accepted in this turn. */
  private connecting = false;
  /** Time of the last start of a request, by `performance.now()`. */
  private worked = 0;

  /** Starts a request, now or in a later turn. @param begin must not throw */
  admit(begin: () => void): void {
    if (this.begun === this.waiting.length && this.hasTime()) begin();
    else this.waiting.push(begin);
  }

  /** Records an accepted connection. */
  connected(): void {
    this.connecting = true;
  }

  private hasTime(): boolean {
    const now = performance.now();
    if (this.end === 0) {
      const accepting = this.connecting && now - this.worked < ACCEPTING;
      this.connecting = false;
      this.end = accepting ? now : now + SLICE;
      if (!accepting) this.worked = now;
      setImmediate(this.nextTurn);
    }
    return now < this.end;
  }

  private readonly nextTurn = (): void => {
    this.end = 0;
    this.beginWaiting();
  };

  /**
   * Starts waiting requests one by one for as long as this turn has time. A request whose body is complete continues in
   * ticks and microtasks; the next one starts after them, so that they count towards the time.
   */
  private readonly beginWaiting = (): void => {
    const { waiting } = this;
    if (this.begun < waiting.length && this.hasTime()) {
      waiting[this.begun++]!();
      queueMicrotask(this.afterMicrotasks);
      return;
    }
    if (this.begun === waiting.length || this.begun > SHORTEN) {
      waiting.splice(0, this.begun);
      this.begun = 0;
    }
  };

  private readonly afterMicrotasks = (): void => process.nextTick(this.beginWaiting);
}

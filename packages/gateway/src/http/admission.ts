/** Milliseconds of requests in one turn of the event loop. */
const SLICE = 5;
/**
 * Milliseconds for which requests wait while connections come: libuv accepts one in each turn, and the last of thousands
 * that come at once would wait for as many turns.
 */
const ACCEPTING = 50;
/** Requests that have begun after which the queue is shortened. */
const SHORTEN = 1024;

/**
 * Begins requests as they come, for some milliseconds in each turn of the event loop; what else has come waits for the next
 * one, in order. Else thousands of clients would fill a turn for as long as they all take, and the health route,
 * which does not wait here, with it.
 */
export class Admission {
  private waiting: (() => void)[] = [];
  /** How many of those that wait have begun. */
  private begun = 0;
  /** When this turn's time is up, of `performance.now()`; 0 before its first request. */
  private end = 0;
  /** Whether this turn brought a connection. */
  private connecting = false;
  /** When a request last began, of `performance.now()`. */
  private worked = 0;

  /** Begins a request, now or in a later turn. @param begin must not throw */
  admit(begin: () => void): void {
    if (this.begun === this.waiting.length && this.hasTime()) begin();
    else this.waiting.push(begin);
  }

  /** Tells that a connection was accepted. */
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
   * Begins what waits, one after the other for as long as this turn has time. What a request does once its body is there
   * runs as ticks and microtasks; the next one begins behind both, so that all of that counts towards the time.
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

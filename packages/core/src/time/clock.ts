import { Slices } from './slices.ts';

/** A scheduled callback. */
export interface Timer {
  /** Epoch milliseconds at which it is due next. */
  readonly dueAt: number;
  /** Cancels the timer; has no effect after it has run or was cancelled. */
  cancel(): void;
}

/**
 * Callback of a timer. `advance` waits for a returned promise, unless that waits for a timer that only a later advance
 * would run.
 */
export type TimerCallback = () => void | Promise<void>;

/** The only source of time for services. Times are epoch milliseconds, durations milliseconds. */
export interface Clock {
  /** Returns the current emulated time. */
  now(): number;
  /**
   * Returns the emulated time at a moment of the machine's time; for a future moment, the time if the clock runs on
   * unchanged.
   */
  emulatedAt(machine: number): number;
  /** Runs `callback` once, `delay` milliseconds from now. */
  after(delay: number, callback: TimerCallback): Timer;
  /** Runs `callback` once at a point in time, or as soon as possible if that has passed. */
  at(time: number, callback: TimerCallback): Timer;
  /** Runs `callback` every `interval` milliseconds, first after one interval. */
  every(interval: number, callback: TimerCallback): Timer;
}

/** State of the clock, as the control route shows it. */
export interface ClockState {
  /** The current emulated time in epoch milliseconds. */
  now: number;
  /** Whether time stands still until it is advanced. */
  frozen: boolean;
  /** Milliseconds the emulated time is ahead of the machine's while it runs. */
  offset: number;
}

class ScheduledTimer implements Timer {
  cancelled = false;

  /** @param clock notified of the cancellation */
  constructor(
    private readonly clock: EmulatorClock,
    public dueAt: number,
    readonly order: number,
    readonly callback: TimerCallback,
    readonly interval?: number,
  ) {}

  cancel(): void {
    if (this.cancelled) return;
    this.cancelled = true;
    this.clock.noteCancellation();
  }
}

/** Emulated time at a moment of the machine's time at which its offset changed. */
interface Mark {
  readonly machine: number;
  readonly emulated: number;
  readonly frozen: boolean;
}

/** A binary heap of timers, earliest first; equal ones in the order of scheduling. */
class TimerHeap {
  private readonly items: ScheduledTimer[] = [];

  get size(): number {
    return this.items.length;
  }

  /** Returns the earliest timer that is not cancelled; drops the cancelled ones before it. */
  peek(): ScheduledTimer | undefined {
    while (this.items[0]?.cancelled) this.pop();
    return this.items[0];
  }

  push(timer: ScheduledTimer): void {
    const { items } = this;
    let index = items.push(timer) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!before(timer, items[parent]!)) break;
      items[index] = items[parent]!;
      index = parent;
    }
    items[index] = timer;
  }

  pop(): ScheduledTimer | undefined {
    const { items } = this;
    const first = items[0];
    const last = items.pop();
    if (!first || !last || !items.length) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && before(items[child + 1]!, items[child]!)) child++;
      if (!before(items[child]!, last)) break;
      items[index] = items[child]!;
      index = child;
    }
    items[index] = last;
    return first;
  }

  /** Whether a timer is pending with this sequence number or a later one. */
  hasSince(order: number): boolean {
    return this.items.some((timer) => !timer.cancelled && timer.order >= order);
  }

  /** Limits the wait of each interval timer to its interval, after the time was set back. */
  limitIntervals(now: number): void {
    for (const timer of this.items)
      if (timer.interval !== undefined) timer.dueAt = Math.min(timer.dueAt, now + timer.interval);
    this.compact();
  }

  /** Drops cancelled timers once they are the majority, so that cancelled timers do not accumulate. */
  compact(): void {
    const live = this.items.filter((timer) => !timer.cancelled);
    this.items.length = 0;
    for (const timer of live) this.push(timer);
  }
}

const before = (a: ScheduledTimer, b: ScheduledTimer): boolean =>
  a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.order < b.order);

/** Longest delay that Node's setTimeout accepts. */
const MAX_DELAY = 2 ** 31 - 1;
/** Latest time that `Date` can represent. */
const MAX_TIME = 8.64e15;
/** Maximum number of changes of the offset that are remembered. */
const MAX_MARKS = 1000;
/** Maximum milliseconds of real time that the clock waits for one callback. */
const CALLBACK_TIMEOUT = 60_000;

/**
 * Clock of one emulator: real time with an offset, or frozen. Advancing it runs the due timers in order, and waits for
 * their callbacks.
 */
export class EmulatorClock implements Clock {
  private offset = 0;
  private frozenAt: number | undefined;
  /** Time reached so far, while it is being moved. */
  private position: number | undefined;
  /** Queue of moves, which run one after another. */
  private moves: Promise<void> = Promise.resolve();
  /** Changes to abandon the running moves. */
  private era = 0;
  private order = 0;
  private cancelledSinceCompaction = 0;
  private readonly heap = new TimerHeap();
  private wakeUp: NodeJS.Timeout | undefined;
  private wakeUpAt = Number.POSITIVE_INFINITY;
  private closed = false;
  private held = false;
  /** Called with the clock's state when it was frozen, resumed, moved or reset; not as time passes. */
  onChange: ((state: ClockState) => void) | undefined;
  /** Milliseconds of real time after which a callback that has set a timer is assumed to wait for it. */
  patience = 1000;
  private readonly marks: Mark[] = [];

  /** @param onError receives errors of timer callbacks */
  constructor(private readonly onError: (error: unknown) => void) {}

  now(): number {
    return this.position ?? this.frozenAt ?? Date.now() + this.offset;
  }

  after(delay: number, callback: TimerCallback): Timer {
    return this.schedule(new ScheduledTimer(this, this.now() + Math.max(0, delay), this.order++, callback));
  }

  at(time: number, callback: TimerCallback): Timer {
    return this.schedule(new ScheduledTimer(this, time, this.order++, callback));
  }

  every(interval: number, callback: TimerCallback): Timer {
    if (!(interval > 0)) throw new RangeError('an interval must be positive');
    return this.schedule(new ScheduledTimer(this, this.now() + interval, this.order++, callback, interval));
  }

  state(): ClockState {
    return { now: this.now(), frozen: this.frozenAt !== undefined, offset: this.offset };
  }

  emulatedAt(machine: number): number {
    const mark = this.marks.findLast((candidate) => candidate.machine <= machine);
    if (!mark) return machine;
    return mark.frozen ? mark.emulated : mark.emulated + machine - mark.machine;
  }

  /** Freezes the clock at the current time. */
  freeze(): void {
    this.frozenAt ??= this.now();
    this.mark();
    this.disarm();
    this.changed();
  }

  /** Resumes the clock at the current emulated time. */
  resume(): void {
    if (this.frozenAt === undefined) return;
    this.offset = this.now() - Date.now();
    this.frozenAt = undefined;
    this.mark();
    this.arm();
    this.changed();
  }

  /** Resets the clock to the machine's time, running. Timers that become due run as usual. */
  reset(): void {
    this.era++;
    this.position = undefined;
    this.frozenAt = undefined;
    this.offset = 0;
    this.mark();
    this.arm();
    this.changed();
  }

  /** Restores an earlier state. Abandons running moves; timers that become due run as usual. */
  restore({ now, frozen }: ClockState): void {
    this.era++;
    this.position = undefined;
    this.frozenAt = frozen ? now : undefined;
    this.offset = now - Date.now();
    this.mark();
    this.arm();
    this.changed();
  }

  /**
   * Advances the time, and runs each due timer at its own time and in order. Resolves when all have run.
   * @param duration milliseconds, not negative
   */
  async advance(duration: number): Promise<void> {
    if (!(duration >= 0)) throw new RangeError('time is advanced by zero or more milliseconds');
    await this.move(() => this.now() + duration);
  }

  /**
   * Sets the time. A move forwards runs the timers that become due; a move backwards runs none.
   * @param time epoch milliseconds
   */
  async set(time: number): Promise<void> {
    await this.move(() => time);
  }

  /** Holds all timers until `letRun`, while the state is replaced. Time goes on. */
  hold(): void {
    this.held = true;
    this.disarm();
  }

  /** Releases held timers. */
  letRun(): void {
    this.held = false;
    this.arm();
  }

  /** Stops the clock: no timer runs any more. */
  close(): void {
    this.closed = true;
    this.disarm();
  }

  /** Drops cancelled timers once there are many. Called when a timer is cancelled. */
  noteCancellation(): void {
    if (++this.cancelledSinceCompaction <= 1024 || this.cancelledSinceCompaction * 2 <= this.heap.size) return;
    this.cancelledSinceCompaction = 0;
    this.heap.compact();
  }

  private place(time: number): void {
    this.position = undefined;
    if (this.frozenAt === undefined) this.offset = time - Date.now();
    else this.frozenAt = time;
    this.mark();
    this.arm();
    this.changed();
  }

  private changed(): void {
    this.onChange?.(this.state());
  }

  /** Records a change of the offset. After the time was set back, intervals continue from the new time. */
  private mark(): void {
    if (this.now() < this.emulatedAt(Date.now())) this.heap.limitIntervals(this.now());
    this.marks.push({ machine: Date.now(), emulated: this.now(), frozen: this.frozenAt !== undefined });
    if (this.marks.length > MAX_MARKS) this.marks.shift();
  }

  /** Moves the time after all earlier moves. */
  private move(targetOf: () => number): Promise<void> {
    const move = this.moves.then(() => this.moveTo(targetOf()));
    this.moves = move.catch(() => undefined);
    return move;
  }

  private async moveTo(target: number): Promise<void> {
    if (!(Math.abs(target) <= MAX_TIME)) throw new RangeError(`${target} is no point in time`);
    let position = this.now();
    if (target >= position) {
      const { era } = this;
      this.disarm();
      this.position = position;
      // Promises alone do not yield to I/O, and a move of years runs many timers.
      const slices = new Slices();
      for (let timer = this.heap.peek(); timer && timer.dueAt <= target; timer = this.heap.peek()) {
        this.heap.pop();
        position = Math.max(position, timer.dueAt);
        this.position = position;
        await this.runWithTimeout(timer);
        const pause = slices.pause();
        if (pause) await pause;
        if (this.era !== era || this.closed) return;
      }
    }
    this.place(target);
  }

  /** Runs a timer and waits for its callback, for a limited time. */
  private async runWithTimeout(timer: ScheduledTimer): Promise<void> {
    const { order } = this;
    const start = performance.now();
    let ended = false;
    const effect = this.run(timer).then(() => {
      ended = true;
    });
    do {
      await new Promise<void>((resolve) => {
        const timeout = setTimeout(resolve, this.patience);
        void effect.then(() => {
          clearTimeout(timeout);
          resolve();
        });
      });
    } while (!ended && !this.heap.hasSince(order) && performance.now() - start < CALLBACK_TIMEOUT);
  }

  private schedule(timer: ScheduledTimer): Timer {
    if (Number.isNaN(timer.dueAt)) throw new RangeError('a timer needs a point in time');
    this.heap.push(timer);
    if (timer.dueAt < this.wakeUpAt) this.arm();
    return timer;
  }

  private async run(timer: ScheduledTimer): Promise<void> {
    if (timer.cancelled) return;
    if (timer.interval !== undefined) {
      timer.dueAt += timer.interval;
      this.heap.push(timer);
    }
    try {
      await timer.callback();
    } catch (error) {
      this.onError(error);
    }
  }

  private arm(): void {
    this.disarm();
    if (this.closed || this.held || this.frozenAt !== undefined || this.position !== undefined) return;
    const next = this.heap.peek();
    if (!next) return;
    this.wakeUpAt = next.dueAt;
    const delay = Math.min(MAX_DELAY, Math.max(0, next.dueAt - this.now()));
    this.wakeUp = setTimeout(() => this.runDue(), delay);
    this.wakeUp.unref();
  }

  private disarm(): void {
    clearTimeout(this.wakeUp);
    this.wakeUp = undefined;
    this.wakeUpAt = Number.POSITIVE_INFINITY;
  }

  /** Runs the due timers; slow callbacks do not delay the others. */
  private runDue(): void {
    const now = this.now();
    // Timers that callbacks schedule for the current time run in the next turn, so that this one ends.
    const due: ScheduledTimer[] = [];
    for (let timer = this.heap.peek(); timer && timer.dueAt <= now; timer = this.heap.peek()) {
      this.heap.pop();
      due.push(timer);
    }
    // After the machine slept, an interval runs once instead of once for each missed period.
    for (const timer of due) if (timer.interval !== undefined && timer.dueAt + timer.interval <= now) timer.dueAt = now;
    void this.runAll(due);
    this.arm();
  }

  /** Runs timers in slices, so that many timers of the same time do not block the process. */
  private async runAll(timers: readonly ScheduledTimer[]): Promise<void> {
    const slices = new Slices();
    for (const timer of timers) {
      if (this.closed) return;
      void this.run(timer);
      const pause = slices.pause();
      if (pause) await pause;
    }
  }
}

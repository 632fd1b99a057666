import { Slices } from './slices.ts';

/** A scheduled callback. */
export interface Timer {
  /** Epoch milliseconds at which it falls due next. */
  readonly dueAt: number;
  /** Takes the timer back; harmless when it has run or was cancelled already. */
  cancel(): void;
}

/**
 * What a due timer runs; `advance` waits for a returned promise, unless that waits for a timer itself, which only
 * advancing further would run.
 */
export type TimerCallback = () => void | Promise<void>;

/** The only source of time for services. Times are epoch milliseconds, durations milliseconds. */
export interface Clock {
  /** The current emulated time. */
  now(): number;
  /** What the emulated time was at a moment of the machine's time, or will be if it runs on as it does. */
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

  /** @param clock told of its cancellation */
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

/** What the emulated time was at a moment of the machine's from which on it ran otherwise. */
interface Mark {
  readonly machine: number;
  readonly emulated: number;
  readonly frozen: boolean;
}

/** A binary heap of timers, earliest first, in order of scheduling where equal. */
class TimerHeap {
  private readonly items: ScheduledTimer[] = [];

  get size(): number {
    return this.items.length;
  }

  /** The earliest timer that is not cancelled; cancelled ones are dropped on the way. */
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

  /** Whether a timer waits that was made at or after a place in the order of scheduling. */
  hasSince(order: number): boolean {
    return this.items.some((timer) => !timer.cancelled && timer.order >= order);
  }

  /** Lets no interval wait for longer than it is, as of a time that was set back. */
  pullIn(now: number): void {
    for (const timer of this.items)
      if (timer.interval !== undefined) timer.dueAt = Math.min(timer.dueAt, now + timer.interval);
    this.compact();
  }

  /** Drops cancelled timers once they are the larger part, so that cancelling does not grow memory. */
  compact(): void {
    const live = this.items.filter((timer) => !timer.cancelled);
    this.items.length = 0;
    for (const timer of live) this.push(timer);
  }
}

const before = (a: ScheduledTimer, b: ScheduledTimer): boolean =>
  a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.order < b.order);

/** Longest delay node's setTimeout takes. */
const MAX_DELAY = 2 ** 31 - 1;
/** Latest point in time, as of `Date`. */
const MAX_TIME = 8.64e15;
/** Most moments remembered at which time began to run otherwise. */
const MOST_MARKS = 1000;
/** Milliseconds of real time that one callback is waited for at most. */
const LONG_PATIENCE = 60_000;

/**
 * The clock of one emulator: real time with an offset, or frozen. Advancing it runs everything that falls due, in
 * order, and waits for its effects.
 */
export class EmulatorClock implements Clock {
  private offset = 0;
  private frozenAt: number | undefined;
  /** How far time has come while it is being moved. */
  private position: number | undefined;
  /** Moves of time, one after the other. */
  private moves: Promise<void> = Promise.resolve();
  /** Changes when moves under way are to be given up. */
  private era = 0;
  private order = 0;
  private cancelledSinceCompaction = 0;
  private readonly heap = new TimerHeap();
  private wakeUp: NodeJS.Timeout | undefined;
  private wakeUpAt = Number.POSITIVE_INFINITY;
  private closed = false;
  private held = false;
  /** Told of the clock's state when it was frozen, resumed, moved or put back; not of time that passes. */
  onChange: ((state: ClockState) => void) | undefined;
  /** Milliseconds of real time after which a callback that has set a timer is taken to wait for it. */
  patience = 1000;
  private readonly marks: Mark[] = [];

  /** @param onError told of what a timer's callback threw */
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

  /** Stops time at the current moment. */
  freeze(): void {
    this.frozenAt ??= this.now();
    this.mark();
    this.disarm();
    this.changed();
  }

  /** Lets time run on from the current emulated moment. */
  resume(): void {
    if (this.frozenAt === undefined) return;
    this.offset = this.now() - Date.now();
    this.frozenAt = undefined;
    this.mark();
    this.arm();
    this.changed();
  }

  /** Back to the machine's time, running. What falls due by that runs as timers do. */
  reset(): void {
    this.era++;
    this.position = undefined;
    this.frozenAt = undefined;
    this.offset = 0;
    this.mark();
    this.arm();
    this.changed();
  }

  /** Goes back to a state it had. Moves under way are given up; what falls due runs as timers do. */
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
   * Moves time forward, running what falls due at its own moment and in order; resolves when all of it has run.
   * @param duration milliseconds, not negative
   */
  async advance(duration: number): Promise<void> {
    if (!(duration >= 0)) throw new RangeError('time is advanced by zero or more milliseconds');
    await this.move(() => this.now() + duration);
  }

  /**
   * Sets the time. Forwards runs what falls due on the way; backwards moves only the clock's hands.
   * @param time epoch milliseconds
   */
  async set(time: number): Promise<void> {
    await this.move(() => time);
  }

  /** Runs nothing until `letRun`, while what timers are about is replaced. Time goes on. */
  hold(): void {
    this.held = true;
    this.disarm();
  }

  /** Runs what has fallen due, and what will. */
  letRun(): void {
    this.held = false;
    this.arm();
  }

  /** Runs nothing any more. */
  close(): void {
    this.closed = true;
    this.disarm();
  }

  /** Lets cancelled timers go once there are many; called by them. */
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

  /** Remembers that time runs otherwise from now on. Where it has gone back, intervals go on from there. */
  private mark(): void {
    if (this.now() < this.emulatedAt(Date.now())) this.heap.pullIn(this.now());
    this.marks.push({ machine: Date.now(), emulated: this.now(), frozen: this.frozenAt !== undefined });
    if (this.marks.length > MOST_MARKS) this.marks.shift();
  }

  /** Moves time when the moves before have ended. */
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
      // Promises alone let nobody else in, and years have many timers.
      const slices = new Slices();
      for (let timer = this.heap.peek(); timer && timer.dueAt <= target; timer = this.heap.peek()) {
        this.heap.pop();
        position = Math.max(position, timer.dueAt);
        this.position = position;
        await this.patiently(timer);
        const pause = slices.pause();
        if (pause) await pause;
        if (this.era !== era || this.closed) return;
      }
    }
    this.place(target);
  }

  /** Runs a timer and waits for what it does, but not for ever. */
  private async patiently(timer: ScheduledTimer): Promise<void> {
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
    } while (!ended && !this.heap.hasSince(order) && performance.now() - start < LONG_PATIENCE);
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

  /** Runs what is due now; slow callbacks do not hold up the others. */
  private runDue(): void {
    const now = this.now();
    // What they schedule for now comes with the next turn, so that they cannot keep this one from ending.
    const due: ScheduledTimer[] = [];
    for (let timer = this.heap.peek(); timer && timer.dueAt <= now; timer = this.heap.peek()) {
      this.heap.pop();
      due.push(timer);
    }
    // After the machine slept, an interval runs once and not for every period it missed.
    for (const timer of due) if (timer.interval !== undefined && timer.dueAt + timer.interval <= now) timer.dueAt = now;
    void this.runAll(due);
    this.arm();
  }

  /** Runs timers in slices, so that very many that fall due together hold nobody up. */
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

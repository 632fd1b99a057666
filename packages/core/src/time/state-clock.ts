import type { Clock, Timer, TimerCallback } from './clock.ts';

/** The clock of one state: its timers end with the state, so that none runs for deleted records. */
export class StateClock implements Clock {
  private readonly waiting = new Set<Timer>();
  private closed = false;

  constructor(private readonly clock: Clock) {}

  now(): number {
    return this.clock.now();
  }

  emulatedAt(machine: number): number {
    return this.clock.emulatedAt(machine);
  }

  after(delay: number, callback: TimerCallback): Timer {
    return this.once((run) => this.clock.after(delay, run), callback);
  }

  at(time: number, callback: TimerCallback): Timer {
    return this.once((run) => this.clock.at(time, run), callback);
  }

  every(interval: number, callback: TimerCallback): Timer {
    return this.track(new StateTimer(this.waiting, this.clock.every(interval, callback)));
  }

  /** Cancels every timer; timers set later never run. */
  close(): void {
    this.closed = true;
    for (const timer of this.waiting) timer.cancel();
    this.waiting.clear();
  }

  private once(schedule: (run: TimerCallback) => Timer, callback: TimerCallback): Timer {
    const timer: StateTimer = new StateTimer(
      this.waiting,
      schedule(() => {
        this.waiting.delete(timer);
        return callback();
      }),
    );
    return this.track(timer);
  }

  private track(timer: StateTimer): Timer {
    if (this.closed) timer.cancel();
    else this.waiting.add(timer);
    return timer;
  }
}

/** A timer that its state's clock drops on cancellation. */
class StateTimer implements Timer {
  constructor(
    private readonly waiting: Set<Timer>,
    private readonly timer: Timer,
  ) {}

  get dueAt(): number {
    return this.timer.dueAt;
  }

  cancel(): void {
    this.waiting.delete(this);
    this.timer.cancel();
  }
}

/** Timers by key, at most one for each, such as the due time of a record. */
export class DueTimers {
  private readonly timers = new Map<string, Timer>();

  constructor(private readonly clock: Clock) {}

  /**
   * Runs `callback` at a point in time, or as soon as possible if that has passed. Replaces the key's earlier timer.
   */
  set(key: string, time: number, callback: TimerCallback): void {
    this.cancel(key);
    const timer = this.clock.at(time, () => {
      if (this.timers.get(key) === timer) this.timers.delete(key);
      return callback();
    });
    this.timers.set(key, timer);
  }

  cancel(key: string): void {
    this.timers.get(key)?.cancel();
    this.timers.delete(key);
  }

  cancelAll(): void {
    for (const timer of this.timers.values()) timer.cancel();
    this.timers.clear();
  }

  has(key: string): boolean {
    return this.timers.has(key);
  }
}

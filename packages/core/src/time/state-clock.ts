import type { Clock, Timer, TimerCallback } from './clock.ts';

/** The clock as one state sees it: timers end with the state, so that nothing runs for records that are gone. */
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

  /** Ends every timer; those that are set from now on never run. */
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

/** A timer that its state's clock forgets when it is cancelled. */
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

/** Timers by key, of which each has at most one: what falls due for a record. */
export class DueTimers {
  private readonly timers = new Map<string, Timer>();

  constructor(private readonly clock: Clock) {}

  /** Runs `callback` at a point in time, or as soon as possible if that has passed, instead of what the key waited for. */
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

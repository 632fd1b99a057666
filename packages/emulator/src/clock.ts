import type { EmulatorClock } from '@emu/core';
import { parseDuration } from '@emu/gateway';

/** A duration: milliseconds, or text such as `15m`, `1h30m`, `500ms`, `2d`. */
export type Duration = number | string;

/** Controls of the emulated time, for tests. */
export interface ClockControl {
  /** Current emulated time in epoch milliseconds. */
  now(): number;
  /** Stops time until it is advanced, set or resumed. */
  freeze(): void;
  /** Lets time run again from the current emulated time. */
  resume(): void;
  /**
   * Sets the time. If it moves forward, all timers that are due have run when the promise resolves.
   * @param time a date, epoch milliseconds, or text that `Date` parses
   */
  set(time: Date | number | string): Promise<void>;
  /**
   * Moves the time forward. All timers that are due have run, in order, when the promise resolves.
   * @param duration milliseconds, or text such as `15m`
   */
  advance(duration: Duration): Promise<void>;
}

/** Returns the controls of a clock. */
export function clockControl(clock: EmulatorClock): ClockControl {
  return {
    now: () => clock.now(),
    freeze: () => clock.freeze(),
    resume: () => clock.resume(),
    set: async (time) => {
      const moment = new Date(time).getTime();
      if (Number.isNaN(moment)) throw new RangeError(`${JSON.stringify(time)} is not a point in time`);
      await clock.set(moment);
    },
    advance: async (duration) => {
      const milliseconds = parseDuration(duration);
      if (milliseconds === undefined)
        throw new RangeError(`${JSON.stringify(duration)} is not a duration such as 900000, '15m' or '1h30m'`);
      await clock.advance(milliseconds);
    },
  };
}

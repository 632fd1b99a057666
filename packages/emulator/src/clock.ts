import type { EmulatorClock } from '@emu/core';
import { type Duration, milliseconds } from './duration.ts';

/** The emulator's time, as a test drives it. */
export interface ClockControl {
  /** The current emulated time in epoch milliseconds. */
  now(): number;
  /** Stops time until it is advanced, set or resumed. */
  freeze(): void;
  /** Lets time run on from the current emulated moment. */
  resume(): void;
  /**
   * Sets the time; forwards, everything that falls due on the way has run when the promise resolves.
   * @param time a date, epoch milliseconds, or text that `Date` parses
   */
  set(time: Date | number | string): Promise<void>;
  /**
   * Moves time forward; everything that falls due on the way has run, in order, when the promise resolves.
   * @param duration milliseconds, or text such as `15m`
   */
  advance(duration: Duration): Promise<void>;
}

/** The controls of a clock. */
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
    advance: async (duration) => clock.advance(milliseconds(duration)),
  };
}

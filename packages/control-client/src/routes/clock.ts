import type { ClockChange, ClockRecord } from '../records/core.ts';
import { json, type MethodsOf, type RouteMethod } from '../table.ts';

/** Declares a method for one kind of change. */
const change = <Args extends unknown[]>(
  changeOf: (...args: Args) => ClockChange,
): RouteMethod<'POST /_emulator/clock', Args, { body: ClockChange }, ClockRecord, Promise<ClockRecord>> =>
  json<ClockRecord>()('POST /_emulator/clock', (...args: Args) => ({ body: changeOf(...args) }));

/** Clock of the emulator. Each change resolves to the new state of the clock. */
export const clock = {
  /** Returns the current emulated time, and whether it stands still. `GET /_emulator/clock` */
  state: json<ClockRecord>()('GET /_emulator/clock'),

  /** Stops the time. `POST /_emulator/clock` */
  freeze: change(() => ({ freeze: true })),

  /** Lets time run again from the current emulated time. `POST /_emulator/clock` */
  resume: change(() => ({ resume: true })),

  /** Returns to the running time of the machine. `POST /_emulator/clock` */
  reset: change(() => ({ reset: true })),

  /**
   * Sets the time. If it moves forward, all timers that are due have run when this resolves. `POST /_emulator/clock`
   * @param time a date, or an ISO 8601 string with offset
   * @throws RangeError for an invalid date, ApiError 400 for an invalid string
   */
  set: change((time: Date | string) => ({ set: typeof time === 'string' ? time : time.toISOString() })),

  /**
   * Moves the time forward. All timers that are due have run when this resolves. `POST /_emulator/clock`
   * @param duration milliseconds, or numbers with units `ms`, `s`, `m`, `h` or `d`, e.g. `15m` or `1h30m`
   * @throws ApiError 400 for an invalid duration
   */
  advance: change((duration: number | string) => ({ advance: duration })),
};

/** Methods for the emulator's clock. */
export interface ClockControl extends MethodsOf<typeof clock> {}

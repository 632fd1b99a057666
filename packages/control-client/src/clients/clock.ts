import type { ClockChange, ClockRecord } from '../routes/core.ts';
import { AreaControl } from './area.ts';

/** Clock of the emulator. Each change resolves to the new state of the clock. */
export class ClockControl extends AreaControl {
  /** Returns the current emulated time, and whether it stands still. `GET /_emulator/clock` */
  state(): Promise<ClockRecord> {
    return this.transport.json('GET /_emulator/clock');
  }

  /** Stops the time. `POST /_emulator/clock` */
  freeze(): Promise<ClockRecord> {
    return this.change({ freeze: true });
  }

  /** Lets time run again from the current emulated time. `POST /_emulator/clock` */
  resume(): Promise<ClockRecord> {
    return this.change({ resume: true });
  }

  /** Returns to the running time of the machine. `POST /_emulator/clock` */
  reset(): Promise<ClockRecord> {
    return this.change({ reset: true });
  }

  /**
   * Sets the time. If it moves forward, all timers that are due have run when this resolves. `POST /_emulator/clock`
   * @param time a date, or an ISO 8601 string with offset
   * @throws RangeError for an invalid date, ApiError 400 for an invalid string
   */
  async set(time: Date | string): Promise<ClockRecord> {
    return this.change({ set: typeof time === 'string' ? time : time.toISOString() });
  }

  /**
   * Moves the time forward. All timers that are due have run when this resolves. `POST /_emulator/clock`
   * @param duration milliseconds, or numbers with units `ms`, `s`, `m`, `h` or `d`, e.g. `15m` or `1h30m`
   * @throws ApiError 400 for an invalid duration
   */
  advance(duration: number | string): Promise<ClockRecord> {
    return this.change({ advance: duration });
  }

  private change(body: ClockChange): Promise<ClockRecord> {
    return this.transport.json('POST /_emulator/clock', { body });
  }
}

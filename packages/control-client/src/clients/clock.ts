import type { ClockChange, ClockRecord } from '../routes/core.ts';
import { AreaControl } from './area.ts';

/** The emulator's clock. Each change resolves to the clock's state after it. */
export class ClockControl extends AreaControl {
  /** The current emulated time, and whether it stands still. `GET /_emulator/clock` */
  state(): Promise<ClockRecord> {
    return this.transport.json('GET /_emulator/clock');
  }

  /** Lets time stand still. `POST /_emulator/clock` */
  freeze(): Promise<ClockRecord> {
    return this.change({ freeze: true });
  }

  /** Lets time run on from the current emulated moment. `POST /_emulator/clock` */
  resume(): Promise<ClockRecord> {
    return this.change({ resume: true });
  }

  /** Back to the machine's time, running. `POST /_emulator/clock` */
  reset(): Promise<ClockRecord> {
    return this.change({ reset: true });
  }

  /**
   * Sets the time. Forwards, what falls due on the way has run when this resolves. `POST /_emulator/clock`
   * @param time a date, or an ISO 8601 string with offset
   * @throws RangeError for an invalid date, ApiError 400 for text that is not a point in time
   */
  async set(time: Date | string): Promise<ClockRecord> {
    return this.change({ set: typeof time === 'string' ? time : time.toISOString() });
  }

  /**
   * Moves time forward; what falls due on the way has run when this resolves. `POST /_emulator/clock`
   * @param duration milliseconds, or numbers with units `ms`, `s`, `m`, `h` or `d`, e.g. `15m` or `1h30m`
   * @throws ApiError 400 for something that is not a duration
   */
  advance(duration: number | string): Promise<ClockRecord> {
    return this.change({ advance: duration });
  }

  private change(body: ClockChange): Promise<ClockRecord> {
    return this.transport.json('POST /_emulator/clock', { body });
  }
}

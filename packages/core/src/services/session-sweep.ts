import type { Timer } from '../time/clock.ts';
import type { Environment } from './environment.ts';

/** Interval of the sweeps, in milliseconds. */
const INTERVAL = 3_600_000;

/** Milliseconds for which an expired session is kept, to report that it has expired. */
const RETENTION = 86_400_000;

/** Drops sessions that expired more than a day ago. */
export class SessionSweep {
  private timer: Timer | undefined;

  constructor(private readonly environment: Environment) {}

  /** Restarts the interval; called at the start and after the time may have been set back. */
  restart(): void {
    const { clock, credentials } = this.environment;
    this.timer?.cancel();
    this.timer = clock.every(INTERVAL, () => credentials.dropExpired(clock.now() - RETENTION));
  }
}

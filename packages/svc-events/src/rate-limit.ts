import type { Clock } from '@emu/core';
import type { Pauses } from './pauses.ts';

/** Most requests that wait for their second to come. */
const MOST_WAITING = 1000;

/** Lets so many requests a second through to each API destination; the others wait for their turn. */
export class RateLimits {
  /** The second that is being filled, and how many it has taken, by destination. */
  private readonly windows = new Map<string, { second: number; taken: number }>();

  constructor(
    private readonly clock: Clock,
    private readonly pauses: Pauses,
  ) {}

  /** Waits for a turn. @returns false where too many wait already, or the state is gone */
  async admit(name: string, perSecond: number): Promise<boolean> {
    const now = this.clock.now();
    const current = Math.floor(now / 1000);
    let window = this.windows.get(name);
    if (!window || window.second < current) {
      window = { second: current, taken: 0 };
      this.windows.set(name, window);
    }
    if (window.taken >= perSecond) {
      window.second++;
      window.taken = 0;
    }
    window.taken++;
    const delay = window.second * 1000 - now;
    if (delay <= 0) return true;
    if ((window.second - current) * perSecond > MOST_WAITING) return false;
    return this.pauses.pause(delay);
  }
}

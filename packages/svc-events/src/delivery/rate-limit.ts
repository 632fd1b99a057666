import type { Clock } from '@emu/core/service';
import type { Pauses } from './pauses.ts';

/** Limit of requests that wait for a free slot. */
const MAX_WAITING = 1000;

/** Limits the requests per second to each API destination. Further requests wait for a free slot. */
export class RateLimits {
  /** Second being filled and its number of requests, by destination. */
  private readonly windows = new Map<string, { second: number; taken: number }>();

  constructor(
    private readonly clock: Clock,
    private readonly pauses: Pauses,
  ) {}

  /** Waits for a free slot. @returns false if too many requests wait already or the state has ended */
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
    if ((window.second - current) * perSecond > MAX_WAITING) return false;
    return this.pauses.pause(delay);
  }
}

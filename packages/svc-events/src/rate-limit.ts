import type { Clock, Timer } from '@emu/core';

/** Most requests that wait for their second to come. */
const MOST_WAITING = 1000;

/** What waits belong to, and end with. */
export interface Lifetime {
  readonly clock: Clock;
  readonly closed: boolean;
  /** Lets a wait end early, when this is closed. @param timer that ends it otherwise */
  onClose(timer: Timer, end: () => void): void;
}

/** Lets so many requests a second through to each API destination; the others wait for their turn. */
export class RateLimits {
  /** The second that is being filled, and how many it has taken, by destination. */
  private readonly windows = new Map<string, { second: number; taken: number }>();

  /** Waits for a turn. @returns false where too many wait already, or the lifetime is over */
  async admit(lifetime: Lifetime, name: string, perSecond: number): Promise<boolean> {
    const now = lifetime.clock.now();
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
    await new Promise<void>((resolve) => {
      lifetime.onClose(lifetime.clock.after(delay, resolve), resolve);
    });
    return !lifetime.closed;
  }
}

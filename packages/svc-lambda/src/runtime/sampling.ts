import type { Clock, Ids } from '@emu/core/service';

/** Share of sampled requests beyond the first of each second. */
const RATE = 0.05;

/**
 * X-Ray's default sampling rule: the first request of each second, and five percent of the others.
 * @see https://docs.aws.amazon.com/xray/latest/devguide/xray-console-sampling.html
 */
export class Sampling {
  private second: number | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Decides whether to sample a request. */
  sample(): boolean {
    const second = Math.floor(this.clock.now() / 1000);
    if (second === this.second) return this.ids.random() < RATE;
    this.second = second;
    return true;
  }
}

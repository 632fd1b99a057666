/** Seconds of which unused capacity is kept for bursts. */
const BURST = 300;

/** What a request does to items. */
export type Access = 'Read' | 'Write';

interface Reserve {
  units: number;
  /** When the units were counted, in epoch milliseconds. */
  at: number;
}

/**
 * The capacity that a provisioned table and its global secondary indexes have left: what comes by the second, and what was
 * not used in the last five minutes.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html
 */
export class CapacityReserves {
  private readonly reserves = new Map<string, Reserve>();

  /** @param since when the table was made, in epoch milliseconds: nothing was unused before */
  constructor(private readonly since: number) {}

  /** The units that are left; fewer than none where the last request took more than there was. */
  left(kind: Access, index: string | undefined, rate: number, now: number): number {
    const key = `${kind} ${index ?? ''}`;
    const reserve = this.reserves.get(key) ?? { units: rate, at: this.since };
    const come = (Math.max(now - reserve.at, 0) / 1000) * rate;
    const units = Math.min(reserve.units + come, BURST * rate);
    this.reserves.set(key, { units, at: now });
    return units;
  }

  take(kind: Access, index: string | undefined, units: number): void {
    const reserve = this.reserves.get(`${kind} ${index ?? ''}`);
    if (reserve) reserve.units -= units;
  }
}

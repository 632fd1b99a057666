/** Seconds of unused capacity that are available for bursts. */
const BURST = 300;

/** Kind of access to items. */
export type Access = 'Read' | 'Write';

interface Reserve {
  units: number;
  /** Time of the units in epoch milliseconds. */
  at: number;
}

/**
 * Remaining capacity of a provisioned table and its global secondary indexes: capacity accrued per second, including
 * the unused capacity of the last five minutes.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html
 */
export class CapacityReserves {
  private readonly reserves = new Map<string, Reserve>();

  /** @param since creation of the table in epoch milliseconds, before which no capacity accrues */
  constructor(private readonly since: number) {}

  /** Returns the remaining units; negative if the last request consumed more than was left. */
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

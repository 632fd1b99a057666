const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;

/** A duration: milliseconds, or text such as `15m`, `1h30m`, `500ms`, `2d`. */
export type Duration = number | string;

/** Milliseconds of a duration. @throws RangeError for text that is none, and for negative numbers */
export function milliseconds(duration: Duration): number {
  if (typeof duration === 'number') {
    if (duration >= 0) return duration;
  } else {
    const parts = [...duration.matchAll(PART)];
    if (parts.length && parts.map(([part]) => part).join('') === duration)
      return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * UNITS[unit as keyof typeof UNITS], 0);
  }
  throw new RangeError(`${JSON.stringify(duration)} is not a duration such as 900000, '15m' or '1h30m'`);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Returns the milliseconds of a duration: a number of them, or text such as `15m`, `1h30m`, `1.5d` or `500ms`.
 * @returns undefined for another value, including negative numbers
 */
export function parseDuration(duration: number | string): number | undefined {
  if (typeof duration === 'number') return duration >= 0 && Number.isFinite(duration) ? duration : undefined;
  if (duration === '' || duration.length > 100) return undefined;
  let sum = 0;
  let rest = duration;
  while (rest !== '') {
    const match = /^(\d{1,15}(?:\.\d{1,9})?)(ms|[smhd])/.exec(rest);
    if (!match) return undefined;
    sum += Number(match[1]) * UNITS[match[2]!]!;
    rest = rest.slice(match[0].length);
  }
  return sum;
}

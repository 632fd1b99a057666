/**
 * Returns the number that a limit stands for: a number or a percentage.
 * @param total to which a percentage applies
 */
export function limitOf(limit: string, total: number): number {
  return limit.endsWith('%') ? Math.floor((Number(limit.slice(0, -1)) * total) / 100) : Number(limit);
}

/** Returns the maximum number of concurrent targets, at least one. */
export const concurrencyOf = (text: string, total: number): number => Math.max(1, limitOf(text, total));

/** Whether so many targets have failed that no more are started. */
export const tooManyErrors = (text: string, failed: number, total: number): boolean =>
  failed > 0 && failed > limitOf(text, total);

/**
 * Returns the number that a limit stands for: a number or a percentage.
 * @param of the total to which a percentage applies
 */
export function limitOf(limit: string, of: number): number {
  if (!limit.endsWith('%')) return Number(limit);
  return Math.floor((Number(limit.slice(0, -1)) * of) / 100);
}

/** Returns a number of targets from a number or percentage. */
function shareOf(text: string, total: number, round: (value: number) => number): number {
  return text.endsWith('%') ? round((Number(text.slice(0, -1)) * total) / 100) : Number(text);
}

/** Returns the maximum number of concurrent targets, at least one. */
export const concurrencyOf = (text: string, total: number): number => Math.max(1, shareOf(text, total, Math.floor));

/** Whether so many targets have failed that no more are started. */
export const tooManyErrors = (text: string, failed: number, total: number): boolean =>
  failed > 0 && failed > shareOf(text, total, Math.floor);

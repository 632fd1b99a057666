/** A number of targets: as such, or as a percentage of all of them. */
function shareOf(text: string, total: number, round: (value: number) => number): number {
  return text.endsWith('%') ? round((Number(text.slice(0, -1)) * total) / 100) : Number(text);
}

/** How many of some targets are worked on at a time: at least one. */
export const concurrencyOf = (text: string, total: number): number => Math.max(1, shareOf(text, total, Math.floor));

/** Whether so many of some targets have failed that no more are begun. */
export const tooManyErrors = (text: string, failed: number, total: number): boolean =>
  failed > 0 && failed > shareOf(text, total, Math.floor);

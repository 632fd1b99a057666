/** How many a limit stands for, which may be a percentage. @param of how many there are */
export function limitOf(limit: string, of: number): number {
  if (!limit.endsWith('%')) return Number(limit);
  return Math.floor((Number(limit.slice(0, -1)) * of) / 100);
}

const FORM = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** Parses an ISO 8601 time with offset as AWS does; returns epoch milliseconds, or undefined for other text. */
export function parseTimestamp(text: string): number | undefined {
  const parts = FORM.exec(text);
  if (!parts) return undefined;
  const [month, day, hour, minute, second] = parts.slice(2, 7).map(Number) as [number, number, number, number, number];
  const days = new Date(Date.UTC(Number(parts[1]), month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > days || hour > 23 || minute > 59 || second > 59) return undefined;
  const time = Date.parse(`${text.slice(0, 19)}${(parts[7] ?? '').slice(0, 4)}${parts[8]}`);
  return Number.isNaN(time) ? undefined : time;
}

const DATE =
  /^[+-]?(\d{1,9})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:t(?:(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:\.\d{1,9})?)?)?)?(?:z|[+-]\d\d(?::?\d\d)?)?)?$/i;
/** The greatest month, day, hour, minute and second. */
const LARGEST = [12, 31, 23, 59, 59];
const LAST_SECOND = 9_223_372_036_854_775_807n;

/** Whether a text is a date in ISO 8601, or seconds since 1970. Text with variables becomes one only in a request. */
export function isPolicyDate(text: string): boolean {
  if (text.includes('${')) return true;
  if (/^\d{1,19}$/.test(text)) return BigInt(text) <= LAST_SECOND;
  const match = DATE.exec(text);
  if (!match || !/[t-]/i.test(text)) return false;
  return LARGEST.every((largest, index) => {
    const part = match[index + 2];
    return part === undefined || (Number(part) <= largest && (index > 1 || Number(part) > 0));
  });
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (value: number): string => String(value).padStart(2, '0');

/**
 * Formats a time as in automation events: `Nov 29, 2016 7:43:20 PM`.
 * @param time epoch milliseconds
 */
export function eventTime(time: number | undefined): string | undefined {
  if (time === undefined) return undefined;
  const date = new Date(time);
  const hours = date.getUTCHours();
  const clock = `${hours % 12 || 12}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()} ${clock} ${hours < 12 ? 'AM' : 'PM'}`;
}

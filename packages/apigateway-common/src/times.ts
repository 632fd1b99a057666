const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (number: number): string => String(number).padStart(2, '0');

/**
 * Formats a time as in `$context.requestTime`, for example `12/Mar/2020:19:03:58 +0000`.
 * @param at epoch milliseconds
 */
export function requestTime(at: number): string {
  const date = new Date(at);
  const day = `${two(date.getUTCDate())}/${MONTHS[date.getUTCMonth()]}/${date.getUTCFullYear()}`;
  return `${day}:${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} +0000`;
}

/**
 * Returns a new X-Ray trace header.
 * @param at epoch milliseconds
 */
export const newTrace = (ids: { hex(length: number): string }, at: number): string =>
  `Root=1-${Math.floor(at / 1000)
    .toString(16)
    .padStart(8, '0')}-${ids.hex(24)}`;

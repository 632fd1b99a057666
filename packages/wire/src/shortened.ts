/** Index before which a text can be cut without splitting a character. */
const cutAt = (text: string, index: number): number =>
  /[\uD800-\uDBFF]/.test(text.charAt(index - 1)) ? index - 1 : index;

/** Shortens a text to a number of characters, with dots at the end. */
export const startOf = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, cutAt(text, length))}...`;

/** Shortens a text to about a number of characters, with dots in the middle: both ends of a message matter. */
export function endsOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = Math.floor(length / 2);
  return `${text.slice(0, cutAt(text, half))}...${text.slice(cutAt(text, text.length - half))}`;
}

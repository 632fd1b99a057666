/** Maximum number of wildcard characters of one value; a rule with more is too complex. */
const MAX_WILDCARDS = 5;

/**
 * Parses a wildcard pattern: `*` matches any characters; `\*` and `\\` are the characters themselves.
 * @returns the literal parts between the wildcards
 * @throws Error with AWS's reason; positions count UTF-8 bytes, from one, as the quote before the value counts
 */
export function parseWildcard(text: string): readonly string[] {
  const parts = [''];
  for (let index = 0; index < text.length; index++) {
    let character = text[index]!;
    if (character === '*') {
      if (text[index + 1] === '*') throw new Error(`Consecutive wildcard characters at pos ${position(text, index)}`);
      parts.push('');
      continue;
    }
    if (character === '\\') {
      const escaped = text[index + 1];
      if (escaped !== '*' && escaped !== '\\')
        throw new Error(`Invalid escape character at pos ${position(text, index)}`);
      character = escaped;
      index++;
    }
    parts[parts.length - 1] += character;
  }
  return parts;
}

const position = (text: string, index: number): number => Buffer.byteLength(text.slice(0, index)) + 1;

/** Whether a wildcard pattern exceeds AWS's limit. */
export const isTooComplex = (parts: readonly string[]): boolean => parts.length - 1 > MAX_WILDCARDS;

/** Whether a value matches the parts of a wildcard pattern, in time linear in its length. */
export function matchesWildcard(parts: readonly string[], value: string): boolean {
  const first = parts[0]!;
  if (parts.length === 1) return value === first;
  const last = parts[parts.length - 1]!;
  if (value.length < first.length + last.length || !value.startsWith(first) || !value.endsWith(last)) return false;
  const end = value.length - last.length;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = value.indexOf(part, from);
    if (found < 0 || found + part.length > end) return false;
    from = found + part.length;
  }
  return true;
}

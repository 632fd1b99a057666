/** Returns the index of the closing quote of the string that begins at `start`. */
export function stringEnd(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === '"') return index;
  }
  return text.length;
}

/**
 * Returns the first duplicate key of an object in a text; undefined for none. JSON parsers keep the last value.
 * @param text valid JSON
 */
export function duplicateKey(text: string): string | undefined {
  /** Keys of the open objects; undefined for lists. */
  const open: (Set<string> | undefined)[] = [];
  let expectsKey = false;
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!;
    if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : undefined);
      expectsKey = char === '{';
    } else if (char === '}' || char === ']') {
      open.pop();
      expectsKey = false;
    } else if (char === ',') expectsKey = open.at(-1) !== undefined;
    else if (char === ':') expectsKey = false;
    else if (char === '"') {
      const end = stringEnd(text, index);
      if (expectsKey) {
        const key = JSON.parse(text.slice(index, end + 1)) as string;
        const keys = open.at(-1)!;
        if (keys.has(key)) return key;
        keys.add(key);
      }
      index = end;
    }
  }
  return undefined;
}

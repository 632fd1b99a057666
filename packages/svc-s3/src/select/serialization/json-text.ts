/** Scans JSON text without parsing values, so that numbers keep their notation. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Returns the index after the closing quote of a string that begins at `start`; -1 if it is incomplete. */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at + 1;
  }
  return -1;
}

/** Returns the comma-separated parts of a well-formed object or array, between its brackets. */
function* parts(text: string): Generator<string> {
  let depth = 0;
  let start = text.search(/[[{]/) + 1;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at) - 1;
    else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && depth-- === 0) {
      const last = text.slice(start, at).trim();
      if (last !== '') yield last;
      return;
    } else if (char === ',' && depth === 0) {
      yield text.slice(start, at).trim();
      start = at + 1;
    }
  }
}

/** Returns the members of a well-formed object: names and JSON texts. */
export function* membersOf(object: string): Generator<readonly [name: string, value: string]> {
  for (const part of parts(object)) {
    const end = endOfString(part, 0);
    yield [JSON.parse(part.slice(0, end)) as string, part.slice(part.indexOf(':', end) + 1).trim()];
  }
}

/** Returns the elements of a well-formed array as JSON texts. */
export const elementsOf = (array: string): Generator<string> => parts(array);

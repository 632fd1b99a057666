/** Walks the text of JSON values without making values of it, so that numbers stay as they are written. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The end of a string that begins at `start`: the place after its closing quote; -1 where the text ends before. */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at + 1;
  }
  return -1;
}

/** The parts of a well-formed object or array, between its outer brackets, that a comma separates. */
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

/** Members of a well-formed object: name and JSON text. */
export function* membersOf(object: string): Generator<readonly [name: string, value: string]> {
  for (const part of parts(object)) {
    const end = endOfString(part, 0);
    yield [JSON.parse(part.slice(0, end)) as string, part.slice(part.indexOf(':', end) + 1).trim()];
  }
}

/** Elements of a well-formed array, as JSON texts. */
export const elementsOf = (array: string): Generator<string> => parts(array);

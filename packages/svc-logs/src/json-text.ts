const QUOTE = '"';

/**
 * The end of the object or list that begins at a place: the place behind the bracket that closes it. What is between may be
 * no JSON.
 * @returns undefined where nothing closes it
 */
export function endOfBrackets(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at]!;
    if (character === QUOTE) at = endOfString(text, at) - 1;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}

/** The place behind the quote that closes a string, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === QUOTE) return at + 1;
  }
  return text.length;
}

/**
 * The texts of JSON values that follow each other, with commas, white space or nothing in between: of those in a list, or of
 * objects that were put together. Values may turn out to be no JSON when they are parsed.
 */
export function* jsonTexts(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const character = text[at]!;
    if (/[\s,]/.test(character)) {
      at++;
      continue;
    }
    let end: number;
    if (character === '{' || character === '[') end = endOfBrackets(text, at) ?? text.length;
    else if (character === QUOTE) end = endOfString(text, at);
    else {
      end = at + 1;
      while (end < text.length && !/[\s,{["]/.test(text[end]!)) end++;
    }
    yield text.slice(at, end);
    at = end;
  }
}

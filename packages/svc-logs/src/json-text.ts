const QUOTE = '"';

/**
 * Returns the index after the bracket that closes an object or list. The content need not be valid JSON.
 * @returns undefined if it is not closed
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

/** Returns the index after the closing quote of a string, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === QUOTE) return at + 1;
  }
  return text.length;
}

/**
 * Splits JSON values separated by commas, white space or nothing: items of a list, or concatenated objects. Values need
 * not be valid JSON.
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

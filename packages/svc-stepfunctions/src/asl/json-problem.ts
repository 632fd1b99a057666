/** Returns AWS's message for invalid JSON, as far as known. */
export function jsonProblem(text: string): string {
  const word = /^\s*([A-Za-z_]\w*)/.exec(text)?.[1];
  if (word !== undefined && !['true', 'false', 'null'].includes(word))
    return `Unrecognized token '${word}': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')`;
  const quote = /^\s*\{\s*(')/.exec(text)?.[1];
  if (quote !== undefined)
    return "Unexpected character (''' (code 39)): was expecting double-quote to start field name";
  return 'The text is not valid JSON.';
}

/** Returns the position in AWS's message for text that starts with a word; undefined for other text. */
export function sourceOf(text: string): string | undefined {
  const word = /^\s*[A-Za-z_]\w*/.exec(text)?.[0];
  if (word === undefined) return undefined;
  const lines = word.split('\n');
  return `[Source: (String)"${text}"; line: ${lines.length}, column: ${lines.at(-1)!.length + 1}]`;
}

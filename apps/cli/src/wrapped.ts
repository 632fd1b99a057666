/** Wraps a text into lines of a width. A longer word has its own line. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.length - 1;
    if (last < 0 || lines[last]!.length + 1 + word.length > width) lines.push(word);
    else lines[last] += ` ${word}`;
  }
  return lines;
}

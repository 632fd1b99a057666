/** A text's words in lines of so many columns; a longer word has a line of its own. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.length - 1;
    if (last < 0 || lines[last]!.length + 1 + word.length > width) lines.push(word);
    else lines[last] += ` ${word}`;
  }
  return lines;
}

import { stringEnd } from './duplicate-keys.ts';

/** A place in a text: lines and columns count from one. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Position of a statement: from its opening brace to after its closing one. */
export interface StatementPosition {
  readonly start: Position;
  readonly end: Position;
}

/**
 * Returns the positions of a policy's statements in its text, in order, as the policy simulator reports them.
 * @param document valid JSON; other texts are read as far as possible
 */
export function statementPositions(document: string): StatementPosition[] {
  const positions: StatementPosition[] = [];
  const open: { char: string; statement: Position | undefined }[] = [];
  let line = 1;
  let lineStart = 0;
  let key: string | undefined;
  let inStatement = false;
  for (let index = 0; index < document.length; index++) {
    const char = document[index]!;
    if (char === '\n') {
      line++;
      lineStart = index + 1;
    } else if (char === '"') {
      const end = stringEnd(document, index);
      if (open.length === 1) key = document.slice(index + 1, end);
      index = end;
    } else if (char === ':' && open.length === 1) inStatement = key === 'Statement';
    else if (char === '{' || char === '[') {
      const depth = open.length;
      const isOne = char === '{' && inStatement && (depth === 1 || (depth === 2 && open[1]!.char === '['));
      open.push({ char, statement: isOne ? { line, column: index - lineStart + 1 } : undefined });
    } else if (char === '}' || char === ']') {
      const start = open.pop()?.statement;
      if (start) positions.push({ start, end: { line, column: index - lineStart + 2 } });
    } else if (char === ',' && open.length === 1) inStatement = false;
  }
  return positions;
}

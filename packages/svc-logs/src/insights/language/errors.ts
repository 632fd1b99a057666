/** A query error with its location. */
export class QueryError extends Error {
  /**
   * @param message AWS's message
   * @param start index of the first character
   * @param end index after the last character
   */
  constructor(
    message: string,
    readonly start: number,
    readonly end: number,
  ) {
    super(message);
  }
}

/** A Logs Insights feature that emu does not support; the response has status 501. */
export class UnsupportedQuery extends Error {}

/**
 * Returns an unexpected symbol.
 * @param offset index of the symbol or of the word around it
 */
export function unexpectedSymbol(query: string, offset: number): QueryError {
  let start = Math.min(offset, query.length);
  // The grammar may stop inside a word that starts like a keyword.
  if (/[\w@$]/.test(query[start] ?? '')) while (start > 0 && /[\w@$]/.test(query[start - 1]!)) start--;
  const symbol = /^(?:[\w@$.]+|\S)/.exec(query.slice(start).trimStart())?.[0];
  if (symbol !== undefined) start += query.slice(start).length - query.slice(start).trimStart().length;
  const before = query.slice(0, start);
  const line = before.split('\n').length;
  const position = start - (before.lastIndexOf('\n') + 1);
  return new QueryError(
    `unexpected symbol found ${symbol ?? '<EOF>'} at line ${line} and position ${position}`,
    start,
    start + (symbol?.length ?? 0),
  );
}

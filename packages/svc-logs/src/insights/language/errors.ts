/** What is wrong with a query, and where. */
export class QueryError extends Error {
  /**
   * @param message AWS's sentence
   * @param start first character that it is about
   * @param end character behind the last one
   */
  constructor(
    message: string,
    readonly start: number,
    readonly end: number,
  ) {
    super(message);
  }
}

/** Something of Logs Insights that emu lacks; answered with 501. */
export class UnsupportedQuery extends Error {}

/**
 * A symbol that may not stand where it stands.
 * @param offset where the symbol, or the word around it, is
 */
export function unexpectedSymbol(query: string, offset: number): QueryError {
  let start = Math.min(offset, query.length);
  // The grammar may stop inside a word that has begun like a keyword.
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

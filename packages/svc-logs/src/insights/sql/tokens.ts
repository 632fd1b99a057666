import { QueryError } from '../language/errors.ts';

/** What a token of SQL is. `name` is a word in backticks. */
export type TokenKind = 'word' | 'name' | 'text' | 'number' | 'symbol';

/** A token of SQL. */
export interface Token {
  readonly kind: TokenKind;
  /** As it was written; of names and texts what is between the quotes. */
  readonly value: string;
  /** First character in the query, and the one behind the last. */
  readonly start: number;
  readonly end: number;
}

const PATTERNS: readonly (readonly [TokenKind | undefined, RegExp])[] = [
  [undefined, /(?:\s+|--[^\n]*|\/\*[\s\S]*?\*\/)/y],
  ['name', /`(?:[^`]|``)*`/y],
  ['text', /'(?:[^'\\]|''|\\[\s\S])*'|"(?:[^"\\]|""|\\[\s\S])*"/y],
  ['number', /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w@])/y],
  ['word', /[\p{L}_@$][\p{L}\p{N}_@$]*/uy],
  ['symbol', /<=>|<=|>=|<>|!=|==|\|\||::|[^\s`'"]/y],
];

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', 0: '\0' };

/** What is between the quotes of a text: doubled quotes and backslashes stand for what follows them. */
const unquoted = (text: string): string => {
  const quote = text[0]!;
  return text
    .slice(1, -1)
    .replaceAll(/\\([\s\S])|(['"])\2/g, (all, escaped?: string, doubled?: string) =>
      escaped !== undefined ? (ESCAPES[escaped] ?? escaped) : doubled === quote ? quote : all,
    );
};

/** The tokens of a query, without comments and white space. @throws QueryError for a quote that nothing closes */
export function tokensOf(query: string): Token[] {
  const tokens: Token[] = [];
  next: for (let at = 0; at < query.length; ) {
    for (const [kind, pattern] of PATTERNS) {
      pattern.lastIndex = at;
      const text = pattern.exec(query)?.[0];
      if (text === undefined) continue;
      const end = at + text.length;
      if (kind === 'name') tokens.push({ kind, value: text.slice(1, -1).replaceAll('``', '`'), start: at, end });
      else if (kind === 'text') tokens.push({ kind, value: unquoted(text), start: at, end });
      else if (kind) tokens.push({ kind, value: text, start: at, end });
      at = end;
      continue next;
    }
    throw new QueryError('Syntax error: a quote is not closed.', at, query.length);
  }
  return tokens;
}

import { QueryError } from '../language/errors.ts';

/** Type of an SQL token. `name` is a word in backticks. */
export type TokenKind = 'word' | 'name' | 'text' | 'number' | 'symbol';

/** An SQL token. */
export interface Token {
  readonly kind: TokenKind;
  /** Source text; for names and texts without quotes. */
  readonly value: string;
  /** Index of the first character, and index after the last. */
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

/** Unescapes a quoted text: doubled quotes and backslashes. */
const unquoted = (text: string): string => {
  const quote = text[0]!;
  return text
    .slice(1, -1)
    .replaceAll(/\\([\s\S])|(['"])\2/g, (all, escaped?: string, doubled?: string) =>
      escaped !== undefined ? (ESCAPES[escaped] ?? escaped) : doubled === quote ? quote : all,
    );
};

/**
 * Tokenizes a query without comments and white space.
 * @throws QueryError for an unclosed quote
 */
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

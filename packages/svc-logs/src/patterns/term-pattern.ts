import { compileExpression, type FilterPattern, PatternError, unquoted } from './pattern.ts';

/** `-` excludes messages with the term, `?` requires one of several. */
const TERM = /\s*([-?]?)\s*("(?:[^"\\]|\\.)*"|%(?:[^%\\]|\\.)*%|[^\s"]+)/y;
/** Characters allowed in terms without quotes. */
const PLAIN = /^[\p{L}\p{N}_.*]+$/u;
/** Text that JSON leaves unescaped. */
const UNESCAPED = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/;

interface Term {
  readonly sign: string;
  readonly text: string | undefined;
  readonly test: (message: string) => boolean;
}

/**
 * Parses a pattern of terms that must all occur, such as `ERROR -timeout "exit code"`. Terms with a question mark, of
 * which one suffices, only count if there are no others.
 * @throws PatternError
 */
export function parseTermPattern(text: string): FilterPattern {
  const terms = readTerms(text.trim());
  const wanted = terms.filter(({ sign }) => sign === '');
  const unwanted = terms.filter(({ sign }) => sign === '-');
  const optional = wanted.length || unwanted.length ? [] : terms;
  return {
    expressions: terms.filter((term) => term.text === undefined).length,
    literal: wanted.map((term) => term.text).find((term) => term !== undefined && UNESCAPED.test(term)),
    test: (message) =>
      wanted.every((term) => term.test(message)) &&
      !unwanted.some((term) => term.test(message)) &&
      (!optional.length || optional.some((term) => term.test(message))),
    extract: () => ({}),
  };
}

function readTerms(text: string): Term[] {
  const terms: Term[] = [];
  for (let at = 0; at < text.length; at = TERM.lastIndex) {
    TERM.lastIndex = at;
    const [, sign, token] = TERM.exec(text) ?? [];
    if (sign === undefined || token === undefined) throw new PatternError('Invalid metric filter pattern');
    terms.push(termOf(sign, token));
  }
  return terms;
}

function termOf(sign: string, token: string): Term {
  if (token.length > 2 && token.startsWith('%') && token.endsWith('%')) {
    const expression = compileExpression(token.slice(1, -1));
    return { sign, text: undefined, test: (message) => expression.test(message) };
  }
  const quoted = token.length > 1 && token.startsWith('"');
  if (!quoted && !PLAIN.test(token)) throw new PatternError(`Invalid character(s) in term '${token}'`);
  const text = quoted ? unquoted(token) : token;
  return { sign, text, test: (message) => message.includes(text) };
}

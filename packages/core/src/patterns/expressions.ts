import type { PatternDialect } from './dialect.ts';
import { parseCidr } from './ip.ts';
import { type JsonTokens, PatternError, type Token } from './json-tokens.ts';
import {
  anythingBut,
  type Bound,
  cidr,
  exactly,
  exists,
  ignoringCase,
  type Matcher,
  numeric,
  prefix,
  suffix,
  wildcard,
} from './matchers.ts';
import { isTooComplex, parseWildcard } from './wildcard.ts';

const ONE_KEY = 'Only one key allowed in match expression';
const TOO_MANY = 'Too many elements in numeric expression';
const TOO_COMPLEX =
  'Rule is too complex - try using fewer wildcard characters or fewer repeating character sequences after a wildcard character';

/** Reads a match expression after its opening brace, to its closing brace. */
export function readExpression(tokens: JsonTokens, dialect: PatternDialect): Matcher {
  expect(tokens, 'FIELD_NAME', 'Match expression name not found');
  const operator = tokens.fieldName;
  switch (operator) {
    case 'exactly':
      return single(tokens, exactly(stringOperand(tokens, 'exact match')));
    case 'prefix':
    case 'suffix':
      return readAffix(tokens, operator, dialect);
    case 'equals-ignore-case':
      return single(tokens, ignoringCase(stringOperand(tokens, 'equals-ignore-case match')));
    case 'numeric':
      return readNumeric(tokens, dialect);
    case 'exists':
      return readExists(tokens);
    case 'anything-but':
      return readAnythingBut(tokens, dialect);
    case 'cidr':
      // AWS's message says prefixes here.
      return single(tokens, readCidr(stringOperand(tokens, 'prefix match')));
    case 'wildcard':
      if (dialect.wildcards) return single(tokens, readWildcard(tokens, stringOperand(tokens, 'wildcard match')));
  }
  throw tokens.error(`Unrecognized match type ${operator}`);
}

function expect(tokens: JsonTokens, token: Token, reason: string): void {
  if (tokens.next() !== token) throw tokens.error(reason);
}

/** Reads the end of an expression with one operator. */
function single(tokens: JsonTokens, matcher: Matcher): Matcher {
  expect(tokens, 'END_OBJECT', ONE_KEY);
  return matcher;
}

function stringOperand(tokens: JsonTokens, kind: string): string {
  expect(tokens, 'STRING', `${kind} pattern must be a string`);
  return tokens.text();
}

function readAffix(tokens: JsonTokens, operator: 'prefix' | 'suffix', dialect: PatternDialect): Matcher {
  const make = operator === 'prefix' ? prefix : suffix;
  const token = tokens.next();
  if (token === 'START_OBJECT' && dialect.nestedOperators) {
    const title = operator === 'prefix' ? 'Prefix' : 'Suffix';
    expect(tokens, 'FIELD_NAME', `${title} expression name not found`);
    if (tokens.fieldName !== 'equals-ignore-case')
      throw tokens.error(`Unsupported ${operator} pattern: ${tokens.fieldName}`);
    const text = stringOperand(tokens, 'equals-ignore-case match');
    expect(tokens, 'END_OBJECT', ONE_KEY);
    return single(tokens, ignoringCase(text, operator === 'prefix' ? 'start' : 'end'));
  }
  if (token !== 'STRING') throw tokens.error(`${operator} match pattern must be a string`);
  return single(tokens, make(tokens.text()));
}

function readCidr(text: string): Matcher {
  try {
    return cidr(parseCidr(text));
  } catch (error) {
    throw new PatternError((error as Error).message, '');
  }
}

function readWildcard(tokens: JsonTokens, text: string): Matcher {
  let parts: readonly string[];
  try {
    parts = parseWildcard(text);
  } catch (error) {
    throw tokens.error((error as Error).message);
  }
  if (isTooComplex(parts)) throw new PatternError(TOO_COMPLEX, '');
  return wildcard(parts);
}

function readExists(tokens: JsonTokens): Matcher {
  const token = tokens.next();
  if (token !== 'TRUE' && token !== 'FALSE') throw tokens.error('exists match pattern must be either true or false.');
  return single(tokens, exists(token === 'TRUE'));
}

/** Reads `[operator, number]` or a range of `>` or `>=` and `<` or `<=`. */
function readNumeric(tokens: JsonTokens, { ranges }: PatternDialect): Matcher {
  expect(tokens, 'START_ARRAY', 'Value of numeric must be an array.');
  if (tokens.next() !== 'STRING') throw tokens.error(`Invalid member in numeric match: ${tokens.text()}`);
  const operator = tokens.text();
  const known = ['=', '<', '<=', '>', '>='].includes(operator);
  const token = tokens.next();
  if (!known) throw tokens.error(`Unrecognized numeric range operator: ${operator}`);
  if (token !== 'NUMBER') throw tokens.error(`Value of ${operator === '=' ? 'equals' : operator} must be numeric`);
  const bound = boundOf(tokens, operator, ranges);
  const matcher = operator.startsWith('>')
    ? readRange(tokens, bound, ranges)
    : endNumeric(tokens, operator, bound, ranges);
  expect(tokens, 'END_OBJECT', TOO_MANY);
  return matcher;
}

type Ranges = PatternDialect['ranges'];

/** Returns the number that was read last, as the end of a range. */
function boundOf(tokens: JsonTokens, operator: string, { scale, limits }: Ranges): Bound {
  const value = Number(tokens.text());
  if (Number.isNaN(scale(value))) throw new PatternError(`Value must be between ${limits}, inclusive`, '');
  return { value, open: operator === '>' || operator === '<' };
}

function endNumeric(tokens: JsonTokens, operator: string, bound: Bound, { scale }: Ranges): Matcher {
  expect(tokens, 'END_ARRAY', TOO_MANY);
  return numeric(operator === '=' ? bound : undefined, bound, scale);
}

function readRange(tokens: JsonTokens, low: Bound, ranges: Ranges): Matcher {
  const { scale } = ranges;
  const token = tokens.next();
  if (token === 'END_ARRAY') return numeric(low, undefined, scale);
  if (token !== 'STRING') throw tokens.error(`Bad value in numeric range: ${tokens.text()}`);
  const operator = tokens.text();
  if (operator !== '<' && operator !== '<=') throw tokens.error(`Bad numeric range operator: ${operator}`);
  expect(tokens, 'NUMBER', `Value of ${operator} must be numeric`);
  const high = boundOf(tokens, operator, ranges);
  expect(tokens, 'END_ARRAY', 'Too many terms in numeric range expression');
  if (low.value >= high.value) throw tokens.error('Bottom must be less than top');
  return numeric(low, high, scale);
}

type ButOperator = 'prefix' | 'suffix' | 'wildcard' | 'equals-ignore-case';
const BUT_OPERATORS: readonly string[] = ['prefix', 'suffix', 'wildcard', 'equals-ignore-case'];

function readAnythingBut(tokens: JsonTokens, dialect: PatternDialect): Matcher {
  const token = tokens.next();
  if (token !== 'START_OBJECT') return single(tokens, readButValues(tokens, token, dialect));
  expect(tokens, 'FIELD_NAME', 'Anything-But expression name not found');
  const operator = tokens.fieldName;
  if (!dialect.nestedOperators) {
    if (operator !== 'prefix') throw tokens.error(`Unsupported anything-but pattern: ${operator}`);
    const text = stringOperand(tokens, 'prefix match');
    expect(tokens, 'END_OBJECT', ONE_KEY);
    return single(tokens, anythingBut([prefix(text)]));
  }
  if (!BUT_OPERATORS.includes(operator)) throw tokens.error(`Unsupported anything-but pattern: ${operator}`);
  const matchers = readButOperands(tokens, operator as ButOperator);
  expect(tokens, 'END_OBJECT', TOO_MANY);
  expect(tokens, 'END_OBJECT', TOO_MANY);
  return anythingBut(matchers);
}

/** Reads the direct values of `anything-but`: one, or a list of either strings or numbers. */
function readButValues(tokens: JsonTokens, token: Token, { scale }: PatternDialect): Matcher {
  if (token === 'STRING') return anythingBut([exactly(tokens.text())]);
  if (token === 'NUMBER') return anythingBut([exactly(Number(tokens.text()), scale)]);
  if (token !== 'START_ARRAY') throw tokens.error(NO_BUT_VALUE);
  const values = inList(tokens, (item) => {
    if (item === 'STRING') return tokens.text();
    if (item === 'NUMBER') return Number(tokens.text());
    throw tokens.error('Inside anything but list, start|null|boolean is not supported.');
  });
  if (new Set(values.map((value) => typeof value)).size !== 1)
    throw tokens.error('Inside anything but list, either all values are number or string, mixed type is not supported');
  return anythingBut(values.map((value) => exactly(value, scale)));
}

const NO_BUT_VALUE = 'Value of anything-but must be an array or single string/number value.';

function readButOperands(tokens: JsonTokens, operator: ButOperator): Matcher[] {
  const token = tokens.next();
  if (token === 'START_ARRAY') return inList(tokens, (item) => readButOperand(tokens, item, operator));
  if (token !== 'STRING' && token !== 'NUMBER') throw tokens.error(NO_BUT_VALUE);
  return [readButOperand(tokens, token, operator)];
}

function readButOperand(tokens: JsonTokens, token: Token, operator: ButOperator): Matcher {
  if (operator === 'equals-ignore-case') {
    if (token === 'STRING') return ignoringCase(tokens.text());
    throw tokens.error('Inside anything-but/equals-ignore-case list, number|start|null|boolean is not supported.');
  }
  if (operator === 'wildcard') {
    if (token === 'STRING') return readWildcard(tokens, tokens.text());
    throw tokens.error('wildcard match pattern must be a string');
  }
  if (token !== 'STRING') throw tokens.error('prefix/suffix match pattern must be a string');
  const text = tokens.text();
  if (!text) throw tokens.error('Null prefix/suffix not allowed');
  return operator === 'prefix' ? prefix(text) : suffix(text);
}

/** Reads a list to its end. AWS's messages contain the place of an error in such a list twice. */
function inList<T>(tokens: JsonTokens, read: (token: Token) => T): T[] {
  const items: T[] = [];
  try {
    for (let token = tokens.next(); token !== 'END_ARRAY'; token = tokens.next()) items.push(read(token));
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    const again = tokens.error(error.message);
    throw new PatternError(error.reason, again.message.slice(error.reason.length));
  }
  return items;
}

import { exceedsBytes } from '@emu/core/service';
import { parse, SyntaxError as SelectSyntaxError } from '../generated/select.js';
import { selectError } from './errors.ts';
import type { Statement } from './syntax.ts';

/** Maximum bytes of an expression. */
const MAX_EXPRESSION = 256 * 1024;

/**
 * Parses the expression of a request.
 * @throws AwsError `ExpressionTooLong`, `LexerInvalidChar`, `Parse…`, `UnsupportedSqlStructure`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-select-sql-reference.html
 */
export function parseStatement(expression: string): Statement {
  if (exceedsBytes(expression, MAX_EXPRESSION)) throw selectError('ExpressionTooLong');
  if (expression.includes('\0')) throw selectError('LexerInvalidChar');
  try {
    return parse(expression, { startRule: 'Statement' }) as Statement;
  } catch (error) {
    // Parentheses may be nested too deeply for the parser.
    if (error instanceof RangeError) throw selectError('ParseUnsupportedSyntax');
    if (!(error instanceof SelectSyntaxError)) throw error;
    throw explain(expression, error.location.start.offset);
  }
}

/** Creates the error for the position where parsing stopped. */
function explain(expression: string, offset: number): Error {
  if (/^\s*select\s*(from\b|;?\s*$)/i.test(expression)) return selectError('ParseEmptySelect');
  if (/^\s*select\s+\*\s*,/i.test(expression)) return selectError('ParseAsteriskIsNotAloneInSelectList');
  if (/^\s*select\b/i.test(expression) && !/\bfrom\b/i.test(expression)) return selectError('ParseSelectMissingFrom');
  const before = expression.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  const token = /^(\w+|\S)/.exec(expression.slice(offset).trimStart())?.[0];
  if (token === ',' && /\bfrom\b[^']*$/i.test(before)) return selectError('MultipleDataSourcesUnsupported');
  if (token !== undefined && /^(group|order|having|join|inner|cross|union|distinct)$/i.test(token))
    return selectError('UnsupportedSqlStructure');
  const found = token === undefined ? 'the end of the expression' : token;
  return selectError('ParseUnexpectedToken', `Unexpected token found ${found} at line ${line}, column ${column}.`);
}

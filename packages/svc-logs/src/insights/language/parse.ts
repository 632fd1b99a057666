import { SyntaxError as GrammarError, parse } from '../../generated/insights.js';
import { checkQuery } from './check.ts';
import { QueryError, unexpectedSymbol } from './errors.ts';
import type { Query } from './syntax.ts';

/**
 * Parses a query and checks what the grammar does not: functions, aggregations, command order.
 * @throws QueryError for a malformed query; UnsupportedQuery for unsupported features
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax.html
 */
export function parseQuery(text: string): Query {
  const query = read(text);
  checkQuery(query, text);
  return query;
}

function read(text: string): Query {
  try {
    return parse(text, { startRule: 'Query' }) as Query;
  } catch (error) {
    // Parentheses may be nested too deeply for the parser.
    if (error instanceof RangeError) throw new QueryError('The query is nested too deeply.', 0, text.length);
    if (!(error instanceof GrammarError)) throw error;
    throw unexpectedSymbol(text, error.location.start.offset);
  }
}

import { invalidParameter } from '../errors.ts';
import { parseDelimitedPattern } from './delimited-pattern.ts';
import { parseJsonPattern } from './json-pattern.ts';
import { type FilterPattern, PatternError } from './pattern.ts';
import { parseTermPattern } from './term-pattern.ts';

/** Maximum number of regular expressions in a JSON or space-delimited pattern. */
const MAX_EXPRESSIONS = 2;

/**
 * Compiles a filter pattern for FilterLogEvents, metric filters, subscription filters and Live Tail.
 * @throws AwsError `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
 */
export function parsePattern(text: string): FilterPattern {
  const start = text.trimStart()[0];
  try {
    if (start !== '{' && start !== '[') return parseTermPattern(text);
    const pattern = start === '{' ? parseJsonPattern(text) : parseDelimitedPattern(text);
    if (pattern.expressions > MAX_EXPRESSIONS)
      throw new PatternError('Too many regular expressions in the filter pattern');
    return pattern;
  } catch (error) {
    if (error instanceof PatternError) throw invalidParameter(error.message);
    throw error;
  }
}

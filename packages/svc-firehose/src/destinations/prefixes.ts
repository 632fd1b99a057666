import { invalidArgument } from '../errors.ts';
import { checkTimePattern, formatTime } from './timestamps.ts';

/** Inputs of prefix expressions. */
export interface PrefixFacts {
  /** Time of the oldest record in epoch milliseconds. */
  time: number;
  /** Empty for UTC. */
  zone: string;
  /** Partition keys by name. */
  partition?: Readonly<Record<string, string>> | undefined;
  /** Returns 11 random characters. */
  random(): string;
}

/** An expression in a prefix. */
const EXPRESSION = /!\{([^:{}]*):([^{}]*)\}/g;
/** Time format appended to a prefix without one. */
const DEFAULT_TIME = '!{timestamp:yyyy/MM/dd/HH/}';
const ERROR_TYPE = '!{firehose:error-output-type}';

const hasExpression = (prefix: string): boolean => prefix.includes('!{');
const hasTime = (prefix: string): boolean => prefix.includes('!{timestamp:');

const constraint = (sentence: string) =>
  invalidArgument(`Ths supplied prefix(es) do not satisfy the following constraint: ${sentence}`);

function checkExpressions(prefix: string): void {
  for (const [, namespace, value] of prefix.matchAll(EXPRESSION))
    switch (namespace) {
      case 'timestamp':
        checkTimePattern(value!);
        break;
      case 'firehose':
        if (value !== 'random-string' && value !== 'error-output-type')
          throw constraint(`${value} is no value of the namespace firehose`);
        break;
      case 'partitionKeyFromLambda':
      case 'partitionKeyFromQuery':
        break;
      default:
        throw constraint(`${namespace} is no namespace of expressions`);
    }
  if (hasExpression(prefix.replaceAll(EXPRESSION, '')))
    throw constraint('The sequence !{ can only appear in !{namespace:value} expressions');
}

/** Returns the partition key names in a prefix. */
export const partitionKeysOf = (prefix: string | undefined): string[] =>
  [...(prefix ?? '').matchAll(EXPRESSION)]
    .filter(([, namespace]) => namespace?.startsWith('partitionKeyFrom'))
    .map(([, , name]) => name!);

/**
 * Validates the prefixes of a destination.
 * @param dynamic whether partitioning is dynamic
 * @throws AwsError `InvalidArgumentException` for violated rules
 * @see https://docs.aws.amazon.com/firehose/latest/dev/s3-prefixes.html#prefix-rules
 */
export function checkPrefixes(prefix = '', errorPrefix = '', dynamic = false): void {
  if (hasExpression(prefix) && errorPrefix === '')
    throw constraint('ErrorOutputPrefix cannot be null or empty when Prefix contains expressions');
  checkExpressions(prefix);
  checkExpressions(errorPrefix);
  if (prefix.includes(ERROR_TYPE)) throw constraint(`Prefix cannot contain ${ERROR_TYPE}`);
  if (hasExpression(errorPrefix) && !errorPrefix.includes(ERROR_TYPE))
    throw constraint(`ErrorOutputPrefix must contain ${ERROR_TYPE} when it contains expressions`);
  if (partitionKeysOf(errorPrefix).length > 0) throw constraint('ErrorOutputPrefix cannot contain partition keys');
  const partitioned = partitionKeysOf(prefix).length > 0;
  if (partitioned && !dynamic) throw constraint('Prefix cannot contain partition keys without dynamic partitioning');
  if (dynamic && !partitioned)
    throw constraint('Prefix must contain partition keys when dynamic partitioning is enabled');
}

const evaluate = (prefix: string, { time, zone, partition, random }: PrefixFacts, errorType: string): string =>
  prefix.replaceAll(EXPRESSION, (_text, namespace: string, value: string) => {
    if (namespace === 'timestamp') return formatTime(time, value, zone);
    if (namespace === 'firehose') return value === 'random-string' ? random() : errorType;
    return partition?.[value] ?? '';
  });

/** Returns the prefix of delivered records; like AWS, appends the time to a prefix without one. */
export const evaluatePrefix = (prefix = '', facts: PrefixFacts): string =>
  evaluate(hasTime(prefix) ? prefix : prefix + DEFAULT_TIME, facts, '');

/**
 * Returns the prefix of failed records.
 * @param errorType e.g. `processing-failed`
 */
export function evaluateErrorPrefix(
  { Prefix = '', ErrorOutputPrefix = '' }: { Prefix?: string | undefined; ErrorOutputPrefix?: string | undefined },
  errorType: string,
  facts: PrefixFacts,
): string {
  if (hasExpression(ErrorOutputPrefix)) {
    const whole = hasTime(ErrorOutputPrefix) ? ErrorOutputPrefix : ErrorOutputPrefix + DEFAULT_TIME;
    return evaluate(whole, facts, errorType);
  }
  // Only a prefix without expressions allows a missing error prefix.
  return evaluate(`${ErrorOutputPrefix || Prefix}${errorType}/${DEFAULT_TIME}`, facts, errorType);
}

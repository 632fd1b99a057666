import { invalidParameter } from '../errors.ts';
import { SEARCHABLE } from './attribute-index.ts';

const NAMES: ReadonlySet<string> = new Set([...SEARCHABLE, 'username', 'cognito:user_status', 'status']);
const FILTER = /^\s*"?([\w:]+)"?\s*(\^?=)\s*"((?:[^"\\]|\\.)*)"\s*$/;

/** Filter of ListUsers. */
export interface UserFilter {
  /** Indexed name. */
  name: string;
  value: string;
  isPrefix: boolean;
}

/**
 * Parses the filter of ListUsers: `name = "value"`, or `name ^= "beginning"`.
 * @throws AwsError `InvalidParameterException`
 */
export function readFilter(text: string): UserFilter {
  const match = FILTER.exec(text);
  if (!match) throw invalidParameter('Error while parsing filter.');
  const [, name = '', operator, quoted = ''] = match;
  if (!NAMES.has(name)) throw invalidParameter(`Invalid search attribute: ${name}`);
  const value = quoted.replace(/\\(.)/g, '$1');
  return { name, value: name === 'cognito:user_status' ? value.toLowerCase() : value, isPrefix: operator === '^=' };
}

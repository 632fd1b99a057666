import { BlockList, isIP } from 'node:net';
import { ArnPattern, arnSections, type Lookup, Pattern } from './wildcards.ts';

/** Whether a value of the request matches one of the policy. */
export interface ValueTest {
  matches(value: string, lookup: Lookup): boolean;
  /** Condition keys of its variables. */
  readonly keys: readonly string[];
}

/** Comparison of a condition operator. */
export interface Operator {
  /** Whether the operator is negated: no value of the policy may match. */
  readonly negated: boolean;
  /** @param variables whether `${…}` is replaced */
  compile(value: string, variables: boolean): ValueTest;
}

const NO_KEYS: readonly string[] = [];
const test = (matches: ValueTest['matches'], keys = NO_KEYS): ValueTest => ({ matches, keys });
const never = test(() => false);

const text =
  (options: { wildcards: boolean; ignoreCase?: boolean }): Operator['compile'] =>
  (value, variables) =>
    new Pattern(value, { ...options, variables });

const arn: Operator['compile'] = (value, variables) => {
  const pattern = new ArnPattern(value, variables);
  return test((subject, lookup) => pattern.matches(subject, arnSections(subject), lookup), pattern.keys);
};

/** Parses a number of a policy; undefined for other text. */
function numberOf(value: string): number | undefined {
  return /^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?\s*$/.test(value) ? Number(value) : undefined;
}

/** Parses a date in ISO 8601, or in seconds since 1970, to epoch milliseconds; undefined for other text. */
function dateOf(value: string): number | undefined {
  const seconds = /^\s*-?\d{5,16}(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
  if (seconds !== undefined) return seconds * 1000;
  if (!/^\s*[+-]?\d{4,6}(-\d|T|Z|\s*$)/.test(value)) return undefined;
  const time = Date.parse(value.trim());
  return Number.isNaN(time) ? undefined : time;
}

type Comparison = (value: number, limit: number) => boolean;

const compared =
  (parse: (value: string) => number | undefined, holds: Comparison): Operator['compile'] =>
  (limit) => {
    const bound = parse(limit);
    if (bound === undefined) return never;
    return test((value) => {
      const number = parse(value);
      return number !== undefined && holds(number, bound);
    });
  };

const equal: Comparison = (value, limit) => value === limit;
const less: Comparison = (value, limit) => value < limit;
const atMost: Comparison = (value, limit) => value <= limit;
const greater: Comparison = (value, limit) => value > limit;
const atLeast: Comparison = (value, limit) => value >= limit;

const bool: Operator['compile'] = (wanted) => {
  const folded = wanted.trim().toLowerCase();
  return test((value) => value.toLowerCase() === folded && (folded === 'true' || folded === 'false'));
};

const binary: Operator['compile'] = (wanted) => {
  const bytes = Buffer.from(wanted, 'base64');
  return test((value) => bytes.equals(Buffer.from(value, 'base64')));
};

/** Removes the prefix of IPv4 addresses on IPv6 sockets. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** Whether an address equals another or is in a range of CIDR notation. */
const address: Operator['compile'] = (range) => {
  const [base = '', prefix, ...rest] = range.trim().split('/');
  const family = isIP(base);
  const bits = family === 4 ? 32 : 128;
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
  if (!family || rest.length || length < 0 || length > bits) return never;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(base, length, type);
  return test((value) => {
    const plain = plainAddress(value.trim());
    return isIP(plain) === family && list.check(plain, type);
  });
};

const is = (compile: Operator['compile']): Operator => ({ negated: false, compile });
const isNot = (compile: Operator['compile']): Operator => ({ negated: true, compile });

/**
 * The condition operators by name in lower case, without `IfExists` and the qualifiers of sets; `Null` is excluded.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
 */
export const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ['stringequals', is(text({ wildcards: false }))],
  ['stringnotequals', isNot(text({ wildcards: false }))],
  ['stringequalsignorecase', is(text({ wildcards: false, ignoreCase: true }))],
  ['stringnotequalsignorecase', isNot(text({ wildcards: false, ignoreCase: true }))],
  ['stringlike', is(text({ wildcards: true }))],
  ['stringnotlike', isNot(text({ wildcards: true }))],
  ['numericequals', is(compared(numberOf, equal))],
  ['numericnotequals', isNot(compared(numberOf, equal))],
  ['numericlessthan', is(compared(numberOf, less))],
  ['numericlessthanequals', is(compared(numberOf, atMost))],
  ['numericgreaterthan', is(compared(numberOf, greater))],
  ['numericgreaterthanequals', is(compared(numberOf, atLeast))],
  ['dateequals', is(compared(dateOf, equal))],
  ['datenotequals', isNot(compared(dateOf, equal))],
  ['datelessthan', is(compared(dateOf, less))],
  ['datelessthanequals', is(compared(dateOf, atMost))],
  ['dategreaterthan', is(compared(dateOf, greater))],
  ['dategreaterthanequals', is(compared(dateOf, atLeast))],
  ['bool', is(bool)],
  ['binaryequals', is(binary)],
  ['ipaddress', is(address)],
  ['notipaddress', isNot(address)],
  ['arnequals', is(arn)],
  ['arnlike', is(arn)],
  ['arnnotequals', isNot(arn)],
  ['arnnotlike', isNot(arn)],
]);

/** The parsed name of a condition operator. */
export interface OperatorName {
  /** In lower case, without qualifier and `IfExists`, e.g. `stringlike` or `null`. */
  readonly name: string;
  readonly qualifier: 'forallvalues' | 'foranyvalue' | undefined;
  readonly ifExists: boolean;
}

/** Parses the name of a condition operator, known or unknown. */
export function operatorName(spelled: string): OperatorName {
  const [, qualifier, name = '', ifExists] =
    /^(?:(forallvalues|foranyvalue):)?(.*?)(ifexists)?$/s.exec(spelled.toLowerCase()) ?? [];
  return { name, qualifier: qualifier as OperatorName['qualifier'], ifExists: ifExists !== undefined };
}

/** Whether a condition operator exists: `Null` has no `IfExists`, as it tests existence itself. */
export const isOperator = ({ name, ifExists }: OperatorName): boolean =>
  name === 'null' ? !ifExists : OPERATORS.has(name);

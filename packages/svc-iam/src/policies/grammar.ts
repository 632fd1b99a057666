import { malformedPolicy } from '../errors.ts';

/** A JSON object. */
export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the JSON text of every policy has, and what every statement has. */
const DOCUMENT_KEYS: ReadonlySet<string> = new Set(['Version', 'Id', 'Statement']);
const STATEMENT_KEYS: ReadonlySet<string> = new Set([
  'Sid',
  'Effect',
  'Principal',
  'NotPrincipal',
  'Action',
  'NotAction',
  'Resource',
  'NotResource',
  'Condition',
]);
const OPERATORS = new Set(
  [
    'StringEquals StringNotEquals StringEqualsIgnoreCase StringNotEqualsIgnoreCase StringLike StringNotLike',
    'NumericEquals NumericNotEquals NumericLessThan NumericLessThanEquals NumericGreaterThan NumericGreaterThanEquals',
    'DateEquals DateNotEquals DateLessThan DateLessThanEquals DateGreaterThan DateGreaterThanEquals',
    'Bool BinaryEquals IpAddress NotIpAddress ArnEquals ArnLike ArnNotEquals ArnNotLike Null',
  ]
    .join(' ')
    .toLowerCase()
    .split(' '),
);

export const syntaxError = (): Error => malformedPolicy('Syntax errors in policy.');

/**
 * Checks what all policies have in common: the members of the document and its statements, and their types.
 * @returns the statements
 * @throws AwsError `MalformedPolicyDocument`
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html
 */
export function statementsOf(policy: unknown): Json[] {
  if (!isObject(policy) || !hasOnly(policy, DOCUMENT_KEYS)) throw syntaxError();
  const { Version: version, Id: id, Statement: statement } = policy;
  if (version !== undefined && version !== '2012-10-17' && version !== '2008-10-17') throw syntaxError();
  if (id !== undefined && typeof id !== 'string') throw syntaxError();
  const statements: unknown[] = Array.isArray(statement) ? statement : [statement];
  if (!statements.length || !statements.every(isStatement)) throw syntaxError();
  return statements as Json[];
}

/** Refuses two statements of one id, and ids of other characters than letters and digits. @throws AwsError `MalformedPolicyDocument` */
export function checkSids(statements: readonly Json[]): void {
  const sids = statements.map(({ Sid }) => Sid).filter((sid) => sid !== undefined && sid !== '');
  if (new Set(sids).size < sids.length) throw malformedPolicy('Statement IDs (SID) in a single policy must be unique.');
  for (const sid of sids)
    if (!/^[A-Za-z0-9]*$/.test(sid as string))
      throw malformedPolicy(
        'Statement IDs (SID) must be alpha-numeric. Check that your input satisfies the regular expression [0-9A-Za-z]*',
      );
}

/** The strings of an element that is a string or a list of them. */
export const stringsOf = (value: unknown): string[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as string[]) : [value as string];

function isStatement(statement: unknown): boolean {
  if (!isObject(statement) || !hasOnly(statement, STATEMENT_KEYS)) return false;
  const { Sid, Effect, Action, NotAction, Resource, NotResource, Principal, NotPrincipal, Condition } = statement;
  return (
    (Sid === undefined || typeof Sid === 'string') &&
    typeof Effect === 'string' &&
    /^(allow|deny)$/i.test(Effect) &&
    [Action, NotAction, Resource, NotResource].every(isStrings) &&
    !(Action !== undefined && NotAction !== undefined) &&
    !(Resource !== undefined && NotResource !== undefined) &&
    !(Principal !== undefined && NotPrincipal !== undefined) &&
    [Principal, NotPrincipal].every(isPrincipal) &&
    isCondition(Condition)
  );
}

const isStrings = (value: unknown): boolean =>
  value === undefined ||
  typeof value === 'string' ||
  (Array.isArray(value) && value.every((one) => typeof one === 'string'));

const isPrincipal = (value: unknown): boolean =>
  isStrings(value) || (isObject(value) && Object.values(value).every((one) => one !== undefined && isStrings(one)));

/** Conditions are values by key by operator; operators that are none may be there without keys. */
const isCondition = (condition: unknown): boolean =>
  condition === undefined ||
  (isObject(condition) &&
    Object.entries(condition).every(
      ([operator, keys]) =>
        isObject(keys) &&
        (isOperator(operator) || !Object.keys(keys).length) &&
        Object.values(keys).every(isConditionValue),
    ));

function isOperator(name: string): boolean {
  const plain = name.toLowerCase().replace(/^(forallvalues|foranyvalue):/, '');
  return OPERATORS.has(plain) || (plain !== 'nullifexists' && OPERATORS.has(plain.replace(/ifexists$/, '')));
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

const isConditionValue = (value: unknown): boolean => (Array.isArray(value) ? value.every(isScalar) : isScalar(value));

const hasOnly = (object: Json, known: ReadonlySet<string>): boolean =>
  Object.keys(object).every((key) => known.has(key));

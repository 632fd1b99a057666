import { awsError } from '@emu/wire';

const malformed = (message: string): Error => awsError('MalformedPolicyDocumentException', message);

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const DOCUMENT_KEYS = new Set(['Version', 'Id', 'Statement']);
const STATEMENT_KEYS = new Set(['Sid', 'Effect', 'Action', 'NotAction', 'Resource', 'NotResource', 'Condition']);
const PRINCIPAL_KEYS = ['Principal', 'NotPrincipal'];

/**
 * Checks a session policy against the grammar of IAM's policy language.
 * @param text the policy as it was passed
 * @returns the policy without white space, as its packed size is measured
 * @throws AwsError `MalformedPolicyDocument`
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html
 */
export function checkSessionPolicy(text: string): string {
  let policy: unknown;
  try {
    policy = JSON.parse(text);
  } catch {
    throw malformed('This policy contains invalid Json');
  }
  if (!isObject(policy)) throw malformed('Syntax errors in policy.');
  checkKeys(policy, DOCUMENT_KEYS);
  const { Version: version, Statement: statement } = policy;
  if (version !== undefined && version !== '2012-10-17' && version !== '2008-10-17')
    throw malformed('The policy must contain a valid version string.');
  if (statement === undefined) throw malformed('Missing required field Statement');
  const statements = Array.isArray(statement) ? statement : [statement];
  if (!statements.length) throw malformed('Missing required field Statement cannot be empty!');
  for (const one of statements) checkStatement(one);
  const sids = statements.map((one: Json) => one.Sid).filter((sid) => sid !== undefined);
  if (new Set(sids).size < sids.length) throw malformed('Statement IDs (SID) in a single policy must be unique.');
  return JSON.stringify(policy);
}

function checkStatement(statement: unknown): void {
  if (!isObject(statement)) throw malformed('Syntax errors in policy.');
  if (PRINCIPAL_KEYS.some((key) => key in statement))
    throw malformed('Policy document should not specify a principal.');
  checkKeys(statement, STATEMENT_KEYS);
  if (statement.Effect === undefined) throw malformed('Missing required field Effect');
  if (statement.Effect !== 'Allow' && statement.Effect !== 'Deny')
    throw malformed(`Invalid effect: ${String(statement.Effect)}`);
  if (statement.Sid !== undefined && (typeof statement.Sid !== 'string' || !/^[A-Za-z0-9]*$/.test(statement.Sid)))
    throw malformed(
      `Statement IDs (SID) must be alpha-numeric. Check that your input satisfies the regular expression [0-9A-Za-z]*`,
    );
  for (const action of oneOf(statement, 'Action', 'NotAction', 'Policy statement must contain actions.'))
    if (action !== '*' && !/^[A-Za-z0-9-]+:[\w*?-]+$/.test(action))
      throw malformed('Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.');
  for (const resource of oneOf(statement, 'Resource', 'NotResource', 'Policy statement must contain resources.'))
    if (resource !== '*' && !/^arn:.*:.*:.*:.*:.+/s.test(resource) && !/^[*?]/.test(resource))
      throw malformed(`Resource ${resource} must be in ARN format or "*".`);
  if (statement.Condition !== undefined && !isCondition(statement.Condition))
    throw malformed('Syntax errors in policy.');
}

/** The strings of the one of two elements that is there. */
function oneOf(statement: Json, name: string, negated: string, missing: string): string[] {
  if (statement[name] !== undefined && statement[negated] !== undefined) throw malformed('Syntax errors in policy.');
  const value = statement[name] ?? statement[negated];
  const values: unknown[] = value === undefined ? [] : Array.isArray(value) ? value : [value];
  if (!values.length) throw malformed(missing);
  if (!values.every((one) => typeof one === 'string')) throw malformed('Syntax errors in policy.');
  return values;
}

/** Conditions are values by key by operator. */
function isCondition(condition: unknown): boolean {
  return (
    isObject(condition) &&
    Object.values(condition).every((keys) => isObject(keys) && Object.values(keys).every(isConditionValue))
  );
}

function isConditionValue(value: unknown): boolean {
  return Array.isArray(value)
    ? value.every((one) => !Array.isArray(one) && isConditionValue(one))
    : ['string', 'number', 'boolean'].includes(typeof value);
}

function checkKeys(object: Json, known: ReadonlySet<string>): void {
  if (Object.keys(object).some((key) => !known.has(key))) throw malformed('Syntax errors in policy.');
}

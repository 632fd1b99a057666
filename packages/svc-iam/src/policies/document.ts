import { malformedPolicy, quotaExceeded } from '../errors.ts';
import { QUOTAS } from '../quotas.ts';
import { checkSids, type Json, statementsOf, stringsOf, syntaxError } from './grammar.ts';

const PARTITIONS = new Set([
  'aws',
  'aws-cn',
  'aws-us-gov',
  'aws-iso',
  'aws-iso-b',
  'aws-iso-e',
  'aws-iso-f',
  'aws-eusc',
]);
const IAM_RESOURCES =
  /^(\*|(user|federated-user|role|group|instance-profile|mfa|server-certificate|policy|sms-mfa|saml-provider|oidc-provider|report|access-report)\/)/;

/** Size of a policy as IAM's quotas count it: without white space. */
export const policySize = (document: string): number => document.replaceAll(/\s/g, '').length;

/**
 * Checks the document of a policy for users, groups and roles. What is wrong is found in IAM's order: the grammar, the
 * version, what IAM's older parser refuses, ids, actions, and resources.
 * @throws AwsError `MalformedPolicyDocument`
 */
export function checkIdentityPolicy(text: string): void {
  const policy = parse(text);
  const statements = statementsOf(policy);
  if ((policy as Json).Version !== '2012-10-17')
    throw malformedPolicy('Policy document must be version 2012-10-17 or greater.');
  for (const { Principal, NotPrincipal } of statements)
    if (Principal !== undefined || NotPrincipal !== undefined)
      throw malformedPolicy('Policy document should not specify a principal.');
  for (const statement of statements) checkLegacy(statement);
  const wrongResource = statements.map(resourceError).find((message) => message !== undefined);
  checkSids(statements);
  for (const { Action, NotAction } of statements)
    if (!stringsOf(Action ?? NotAction).length) throw malformedPolicy('Policy statement must contain actions.');
  if (wrongResource !== undefined) throw malformedPolicy(wrongResource);
  for (const { Action, NotAction } of statements) stringsOf(Action ?? NotAction).forEach(checkAction);
  for (const { Resource, NotResource } of statements)
    if (!stringsOf(Resource ?? NotResource).length) throw malformedPolicy('Policy statement must contain resources.');
}

/**
 * Checks the document of a managed policy.
 * @throws AwsError `MalformedPolicyDocument`, `LimitExceeded`
 */
export function checkManagedPolicy(text: string): void {
  checkIdentityPolicy(text);
  if (policySize(text) > QUOTAS.managedPolicySize) throw quotaExceeded('PolicySize', QUOTAS.managedPolicySize);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw syntaxError();
  }
}

const legacyError = (): Error => malformedPolicy('The policy failed legacy parsing');

/** What IAM's older parser takes: effects in their spelling, and conditions of dates with dates. */
function checkLegacy({ Effect, Condition = {} }: Json): void {
  if (Effect !== 'Allow' && Effect !== 'Deny') throw legacyError();
  for (const [operator, keys] of Object.entries(Condition as Record<string, Json>)) {
    if (!/^((forallvalues|foranyvalue):)?date/i.test(operator)) continue;
    for (const value of Object.values(keys).flat()) if (!isDate(String(value))) throw legacyError();
  }
}

const DATE =
  /^[+-]?(\d{1,9})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:t(?:(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:\.\d{1,9})?)?)?)?(?:z|[+-]\d\d(?::?\d\d)?)?)?$/i;
/** The largest month, day, hour, minute and second. */
const LARGEST = [12, 31, 23, 59, 59];
const LAST_SECOND = 9_223_372_036_854_775_807n;

/** Whether a text is a date in ISO 8601, or seconds since 1970; variables become one only in a request. */
function isDate(text: string): boolean {
  if (text.includes('${')) return true;
  if (/^\d{1,19}$/.test(text)) return BigInt(text) <= LAST_SECOND;
  const match = DATE.exec(text);
  if (!match || !/[t-]/i.test(text)) return false;
  return LARGEST.every((largest, index) => {
    const part = match[index + 2];
    return part === undefined || (Number(part) <= largest && (index > 1 || Number(part) > 0));
  });
}

function checkAction(action: string): void {
  if (action === '*') return;
  const [vendor, ...rest] = action.split(':');
  if (!rest.length || !vendor)
    throw malformedPolicy('Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.');
  if (rest.length > 1) throw malformedPolicy('Actions/Condition can contain only one colon.');
  if (!/^[a-zA-Z0-9\-.]+$/.test(vendor)) throw malformedPolicy(`Vendor ${vendor} is not valid`);
}

/**
 * What is wrong with the resources of a statement; undefined where nothing is.
 * @throws AwsError `MalformedPolicyDocument` for what IAM's older parser refuses
 */
function resourceError({ Resource, NotResource }: Json): string | undefined {
  const resources = stringsOf(Resource ?? NotResource);
  for (const resource of resources) {
    const message = formatError(resource);
    if (message !== undefined) return message;
  }
  for (const resource of resources) {
    const [, , vendor] = resource.split(':');
    const sections = resource.split(':').length;
    if (resource !== '*' && (vendor === '' || (sections < 6 && resource.includes('::')))) throw legacyError();
  }
  return undefined;
}

function formatError(resource: string): string | undefined {
  if (resource === '*') return undefined;
  const [, partition, service, region = '', account, ...path] = resource.split(':');
  if (partition === undefined) return `Resource ${resource} must be in ARN format or "*".`;
  if (!PARTITIONS.has(partition) && !/[*?]/.test(partition)) {
    const [one = '*', two = '*', three = '*'] = [service, resource.split(':')[3], account];
    const rest = path.length ? path.join(':') : '*';
    return `Partition "${partition}" is not valid for resource "arn:${partition}:${one}:${two}:${three}:${rest}".`;
  }
  if (service === undefined) return 'Resource vendor must be fully qualified and cannot contain regexes.';
  if (/[*?]/.test(partition + service)) return undefined;
  // Access points and jobs of S3 have a region and an account; buckets and objects have neither.
  if (service === 's3' && region && account === '') return `Resource ${resource} can not contain region information.`;
  if (service !== 'iam') return undefined;
  if (region) return `IAM resource ${resource} cannot contain region information.`;
  const name = path.join(':');
  if (!IAM_RESOURCES.test(name) && name !== 'root' && !/[*?]/.test(name.split('/')[0]!))
    return 'IAM resource path must either be "*" or start with user/, federated-user/, role/, group/, instance-profile/, mfa/, server-certificate/, policy/, sms-mfa/, saml-provider/, oidc-provider/, report/, access-report/.';
  return undefined;
}

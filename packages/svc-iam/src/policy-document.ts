import { malformedPolicy, quotaExceeded } from './errors.ts';
import { checkSids, type Json, statementsOf, stringsOf, syntaxError } from './policy-grammar.ts';
import { QUOTAS } from './quotas.ts';

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
 * Checks the document of a policy for users, groups and roles.
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
  for (const statement of statements) checkActions(statement);
  for (const statement of statements) checkResources(statement);
  checkSids(statements);
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

function checkActions({ Action, NotAction }: Json): void {
  const actions = stringsOf(Action ?? NotAction);
  if (!actions.length) throw malformedPolicy('Policy statement must contain actions.');
  for (const action of actions) {
    if (action === '*') continue;
    const [vendor, ...rest] = action.split(':');
    if (!rest.length || !vendor)
      throw malformedPolicy('Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.');
    if (rest.length > 1) throw malformedPolicy('Actions/Condition can contain only one colon.');
    if (!/^[a-zA-Z0-9\-.]+$/.test(vendor)) throw malformedPolicy(`Vendor ${vendor} is not valid`);
  }
}

function checkResources({ Resource, NotResource }: Json): void {
  const resources = stringsOf(Resource ?? NotResource);
  if (!resources.length) throw malformedPolicy('Policy statement must contain resources.');
  for (const resource of resources) checkResource(resource);
}

function checkResource(resource: string): void {
  if (resource === '*') return;
  const [head, partition = '', service = '', region, account, ...path] = resource.split(':');
  if (head !== 'arn') throw malformedPolicy(`Resource ${resource} must be in ARN format or "*".`);
  if (partition !== '*' && partition !== '' && !PARTITIONS.has(partition) && !/[*?]/.test(partition))
    throw malformedPolicy(`Partition "${partition}" is not valid for resource "${resource}".`);
  if (/[*?]/.test(partition + service)) return;
  if (!path.length) throw malformedPolicy(`Resource ${resource} must be in ARN format or "*".`);
  // Access points and jobs of S3 have a region and an account; buckets and objects have neither.
  if (service === 's3' && region && !account)
    throw malformedPolicy(`Resource ${resource} can not contain region information.`);
  if (service !== 'iam') return;
  if (region) throw malformedPolicy(`IAM resource ${resource} cannot contain region information.`);
  const path1 = path.join(':');
  if (!IAM_RESOURCES.test(path1) && path1 !== 'root' && !/[*?]/.test(path1.split('/')[0]!))
    throw malformedPolicy(
      'IAM resource path must either be "*" or start with user/, federated-user/, role/, group/, instance-profile/, mfa/, server-certificate/, policy/, sms-mfa/, saml-provider/, oidc-provider/, report/, access-report/.',
    );
}

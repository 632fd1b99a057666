import { type Finding, type PolicyRules, parsePolicy } from '@emu/core/service';
import { LIMITS } from '../limits.ts';
import { grammarRefusal, identityRefusal } from '../policy-problems.ts';

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

/** Grammar common to policies of all kinds. */
const GRAMMAR: PolicyRules = { principal: 'optional', action: 'optional', resource: 'optional' };

/**
 * Rules for policies of users, groups and roles. Problems are reported in IAM's order: grammar, version, restrictions
 * of IAM's older parser, ids, actions, resources.
 */
const IDENTITY: PolicyRules = {
  principal: 'refused',
  action: 'required',
  actions: actionFinding,
  resource: 'required',
  resources: resourceFinding,
  sid: /^[A-Za-z0-9]*$/,
  uniqueSids: 'given',
  dates: true,
  order: [
    ['*'],
    ['missing-version', 'old-version'],
    ['prohibited-principal', 'principal-not-object', 'empty-principal'],
    ['effect-case', 'invalid-date'],
    ['old-resource'],
    ['duplicate-sid'],
    ['invalid-sid'],
    ['missing-action'],
    ['invalid-resource'],
    ['invalid-action'],
    ['missing-resource'],
    ['too-large'],
  ],
};

/** Rules for managed policies, which must have the latest version; inline ones may omit it, as those of AWS SAM do. */
const MANAGED: PolicyRules = {
  ...IDENTITY,
  latestVersion: true,
  size: { most: LIMITS.managedPolicySize, of: 'characters without white space' },
};

function check(text: string, rules: PolicyRules): void {
  const { problem } = parsePolicy(text, rules);
  if (problem) throw identityRefusal(problem);
}

/**
 * Validates a policy for users, groups and roles, of any size.
 * @throws AwsError `MalformedPolicyDocument`
 */
export const checkIdentityPolicy = (text: string): void => check(text, IDENTITY);

/**
 * Validates a managed policy.
 * @throws AwsError `MalformedPolicyDocument`, `LimitExceeded`
 */
export const checkManagedPolicy = (text: string): void => check(text, MANAGED);

/**
 * Validates the grammar of a policy of any kind.
 * @throws AwsError `MalformedPolicyDocument`
 */
export function checkGrammar(text: string): void {
  if (parsePolicy(text, GRAMMAR).problem) throw grammarRefusal();
}

function actionFinding(actions: readonly string[]): Finding | undefined {
  for (const action of actions) {
    if (action === '*') continue;
    const [vendor, ...rest] = action.split(':');
    if (!rest.length || !vendor) return { value: action, reason: 'no vendor' };
    if (rest.length > 1) return { value: action, reason: 'two colons' };
    if (!/^[a-zA-Z0-9\-.]+$/.test(vendor)) return { value: action, reason: 'odd vendor' };
  }
  return undefined;
}

/** Returns the first problem of resources: their form, then restrictions of IAM's older parser. */
function resourceFinding(resources: readonly string[]): Finding | undefined {
  for (const value of resources) {
    const reason = wrongForm(value);
    if (reason !== undefined) return { value, reason };
  }
  const old = resources.find((resource) => {
    const sections = resource.split(':');
    return resource !== '*' && (sections[2] === '' || (sections.length < 6 && resource.includes('::')));
  });
  return old === undefined ? undefined : { code: 'old-resource', value: old };
}

/** Returns the reason why a resource has an invalid form. */
function wrongForm(resource: string): string | undefined {
  if (resource === '*') return undefined;
  const [, partition, service, region = '', account, ...path] = resource.split(':');
  if (partition === undefined) return 'no ARN';
  if (!PARTITIONS.has(partition) && !/[*?]/.test(partition)) return 'partition';
  if (service === undefined) return 'vendor';
  if (/[*?]/.test(partition + service)) return undefined;
  // S3's access points and jobs have a region and an account; buckets and objects have neither.
  if (service === 's3' && region && account === '') return 'region of S3';
  if (service !== 'iam') return undefined;
  if (region) return 'region of IAM';
  const name = path.join(':');
  const known = IAM_RESOURCES.test(name) || name === 'root' || /[*?]/.test(name.split('/')[0]!);
  return known ? undefined : 'path of IAM';
}

import { type PolicyProblem, type ProblemSentences, sentenceFor } from '@emu/core/service';
import type { AwsError } from '@emu/wire';
import { malformedPolicy, quotaExceeded } from './errors.ts';

const SYNTAX = 'Syntax errors in policy.';
const LEGACY = 'The policy failed legacy parsing';

/** IAM's messages for invalid actions by reason. */
const ACTIONS: Readonly<Record<string, (action: string) => string>> = {
  'no vendor': () => 'Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.',
  'two colons': () => 'Actions/Condition can contain only one colon.',
  'odd vendor': (action) => `Vendor ${action.split(':')[0]} is not valid`,
};

/** IAM's messages for invalid resources by reason. */
const RESOURCES: Readonly<Record<string, (resource: string) => string>> = {
  'no ARN': (resource) => `Resource ${resource} must be in ARN format or "*".`,
  partition: (resource) => {
    const [, partition, one = '*', two = '*', three = '*', ...path] = resource.split(':');
    const rest = path.length ? path.join(':') : '*';
    const whole = ['arn', partition, one, two, three, rest].join(':');
    return `Partition "${partition}" is not valid for resource "${whole}".`;
  },
  vendor: () => 'Resource vendor must be fully qualified and cannot contain regexes.',
  'region of S3': (resource) => `Resource ${resource} can not contain region information.`,
  'region of IAM': (resource) => `IAM resource ${resource} cannot contain region information.`,
  'path of IAM': () =>
    'IAM resource path must either be "*" or start with user/, federated-user/, role/, group/, instance-profile/, mfa/, server-certificate/, policy/, sms-mfa/, saml-provider/, oidc-provider/, report/, access-report/.',
};

/** IAM's messages for statement ids. */
const SIDS = {
  'duplicate-sid': 'Statement IDs (SID) in a single policy must be unique.',
  'invalid-sid':
    'Statement IDs (SID) must be alpha-numeric. Check that your input satisfies the regular expression [0-9A-Za-z]*',
} as const satisfies Partial<ProblemSentences>;

/** IAM's messages for policies of users, groups and roles, from user reports. */
const IDENTITY: ProblemSentences = {
  ...SIDS,
  'missing-version': 'Policy document must be version 2012-10-17 or greater.',
  'old-version': 'Policy document must be version 2012-10-17 or greater.',
  'prohibited-principal': 'Policy document should not specify a principal.',
  'effect-case': LEGACY,
  'invalid-date': LEGACY,
  'old-resource': LEGACY,
  'missing-action': 'Policy statement must contain actions.',
  'invalid-action': ({ value = '', reason = '' }) => ACTIONS[reason]!(value),
  'missing-resource': 'Policy statement must contain resources.',
  'invalid-resource': ({ value = '', reason = '' }) => RESOURCES[reason]!(value),
  otherwise: SYNTAX,
};

/** IAM's messages for trust policies. Missing and forbidden elements are named; other problems are syntax errors. */
const TRUST: ProblemSentences = {
  ...SIDS,
  // Recorded from AWS.
  'not-json': 'This policy contains invalid Json',
  'invalid-version': 'The policy must contain a valid version string',
  'missing-statement': 'Missing required field Statement',
  'empty-statement': 'Missing required field Statement cannot be empty!',
  'prohibited-resource': ({ element }) => `Has prohibited field ${element}`,
  'missing-effect': 'Missing required field Effect',
  'invalid-effect': ({ value }) => `Invalid effect: ${value}`,
  'effect-case': ({ value }) => `Invalid effect: ${value}`,
  'missing-action': ({ reason }) => `Missing required field Action${reason === 'empty' ? ' cannot be empty!' : ''}`,
  'missing-principal': 'Missing required field Principal',
  'empty-principal': 'Missing required field Principal cannot be empty!',
  'principal-not-object': ({ value }) => `Invalid principal in policy: "AWS":"${value}"`,
  // IAM writes services and federated identities in upper case here.
  'invalid-principal': ({ element, value }) => `Invalid principal in policy: "${element?.toUpperCase()}":"${value}"`,
  'invalid-action': 'AssumeRole policy may only specify STS AssumeRole actions.',
  'prohibited-action': 'AssumeRole policy may only specify STS AssumeRole actions.',
  otherwise: SYNTAX,
};

/** Returns the error for a problem of a policy for users, groups and roles. */
export const identityRefusal = (problem: PolicyProblem): AwsError =>
  problem.code === 'too-large'
    ? quotaExceeded('PolicySize', problem.limit!)
    : malformedPolicy(sentenceFor(problem, IDENTITY));

/** Returns the error for a problem of a trust policy. */
export const trustRefusal = (problem: PolicyProblem): AwsError =>
  problem.code === 'too-large'
    ? quotaExceeded('ACLSizePerRole', problem.limit!)
    : malformedPolicy(sentenceFor(problem, TRUST));

/** Returns the error for an invalid policy of any kind. */
export const grammarRefusal = (): AwsError => malformedPolicy(SYNTAX);

import { type AwsError, awsError } from '@emu/wire';
import { parsePolicy } from './parse.ts';
import { isAwsPrincipal, PRINCIPALS } from './principal-forms.ts';
import { type PolicyProblem, type ProblemSentences, sentenceFor } from './problems.ts';
import { each, nameMatcher, type ParsedPolicy, type PolicyRules, type StatementRule } from './rules.ts';
import { BUCKET_ACTIONS, OBJECT_ACTIONS, OTHER_ACTIONS } from './s3-actions.ts';

/** Kind of a policy's resource: a bucket or access point, the objects in it, or both with wildcards. */
export type S3ResourceKind = 'bucket' | 'object' | 'both';

/** Allowed resources of a policy of S3. */
export interface S3PolicyScope {
  /** Whether a resource is allowed. */
  covers(resource: string): boolean;
  /** Returns the kind of a resource, if actions must match it. */
  kindOf?(resource: string): S3ResourceKind;
}

/**
 * S3's messages. They are quoted from reports of S3's users, except where noted.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucket-policies.html
 */
const SENTENCES: ProblemSentences = {
  'not-json': ({ value = '' }) =>
    value.trimStart().startsWith('{')
      ? 'This policy contains invalid Json'
      : "Policies must be valid JSON and the first byte must be '{'",
  'not-object': "Policies must be valid JSON and the first byte must be '{'",
  'unknown-element': ({ element }) => `Unknown field ${element}`,
  'invalid-version': 'The policy must contain a valid version string',
  'missing-statement': 'Missing required field Statement',
  'empty-statement': 'Could not parse the policy: Statement is empty!',
  'missing-effect': 'Missing required field Effect',
  'invalid-effect': ({ value }) => `Invalid effect: ${value}`,
  'effect-case': ({ value }) => `Invalid effect: ${value}`,
  'missing-principal': 'Missing required field Principal',
  // IAM's message for trust policies, whose parser words the other missing fields like S3's.
  'empty-principal': 'Missing required field Principal cannot be empty!',
  'invalid-principal': 'Invalid principal in policy',
  'missing-action': 'Missing required field Action',
  'invalid-action': 'Policy has invalid action',
  'missing-resource': 'Missing required field Resource',
  'invalid-resource': 'Policy has invalid resource',
  'resource-mismatch': 'Action does not apply to any resource(s) in statement',
  'unknown-operator': ({ value }) => `Invalid Condition type : ${value}`,
  'invalid-condition-key': 'Policy has an invalid condition key',
  'wrong-type': ({ element }) =>
    element === 'Action'
      ? 'Policy has invalid action'
      : element === 'Resource'
        ? 'Policy has invalid resource'
        : 'Invalid policy syntax.',
  otherwise: 'Invalid policy syntax.',
};

/** The origin access identity of CloudFront's older distributions. */
const ORIGIN_ACCESS_IDENTITY = /^arn:[^:]+:iam::cloudfront:user\/CloudFront Origin Access Identity \w+$/;

const RULES: PolicyRules = {
  size: { most: 20 * 1024, of: 'bytes' },
  duplicateKeys: true,
  principal: 'required',
  principals: {
    ...PRINCIPALS,
    AWS: (name) => isAwsPrincipal(name) || ORIGIN_ACCESS_IDENTITY.test(name),
    CanonicalUser: (name) => /^[0-9a-f]{64}$/.test(name),
  },
  action: 'required',
  actions: each(isAction),
  resource: 'required',
  conditionKey: (key) => /^[\w.-]+:./.test(key),
  // Invalid JSON is rejected as such, at any length.
  order: [['not-json', 'not-object'], ['too-large'], ['*']],
};

const ACTIONS = [...OBJECT_ACTIONS, ...BUCKET_ACTIONS, ...OTHER_ACTIONS];

/** Whether an action exists; any name is accepted for S3's related services, such as `s3express`. */
function isAction(action: string): boolean {
  if (action === '*') return true;
  const [, prefix, name] = /^(s3[a-z-]*):([\w*?]+)$/i.exec(action) ?? [];
  if (prefix === undefined) return false;
  return prefix.toLowerCase() !== 's3' || ACTIONS.some(nameMatcher(name!));
}

/**
 * Rejects `Allow` with `NotPrincipal`, and actions that no resource of the statement supports.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_notprincipal.html
 */
const applies =
  (kindOf: S3PolicyScope['kindOf']): StatementRule =>
  ({ effect, exceptPrincipals, actions, exceptActions, resources, exceptResources }) => {
    if (exceptPrincipals && effect === 'Allow') return { code: 'prohibited-principal', value: 'NotPrincipal' };
    if (!kindOf || exceptActions || exceptResources) return undefined;
    const kinds = new Set(resources.map(kindOf));
    const named = [
      ...(kinds.has('bucket') || kinds.has('both') ? BUCKET_ACTIONS : []),
      ...(kinds.has('object') || kinds.has('both') ? OBJECT_ACTIONS : []),
    ];
    const other = actions.find((action) => {
      const name = /^s3:(.+)$/i.exec(action)?.[1];
      return name !== undefined && !named.some(nameMatcher(name));
    });
    return other === undefined ? undefined : { value: other };
  };

/** Returns the error for a problem of a policy. */
function refusal(problem: PolicyProblem): AwsError {
  if (problem.code === 'too-large')
    return awsError('PolicyTooLarge', 'Your policy exceeds the maximum allowed document size.', { status: 400 });
  return awsError('MalformedPolicy', sentenceFor(problem, SENTENCES), { status: 400 });
}

/** Returns the error for a policy with an unknown user or role. */
export const invalidS3Principal = (): AwsError => refusal({ code: 'invalid-principal' });

/**
 * Validates a policy of a bucket, an access point, or another resource of S3 Control.
 * @throws AwsError `MalformedPolicy`, `PolicyTooLarge`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-policy-language-overview.html
 */
export function checkS3Policy(text: string, { covers, kindOf }: S3PolicyScope): ParsedPolicy {
  const rules: PolicyRules = { ...RULES, resources: each(covers), statement: applies(kindOf) };
  const { policy, problem } = parsePolicy(text, rules);
  if (problem) throw refusal(problem);
  return policy;
}

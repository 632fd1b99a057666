import {
  actionsOf,
  type PolicyProblem,
  type PolicyRules,
  PRINCIPALS,
  type ProblemSentences,
  parsePolicy,
  sentenceFor,
} from '@emu/core/service';
import { type Api, invalidPolicy } from '../errors.ts';

const MAX_BYTES = 4096;

/**
 * Actions of identity authorization.
 * @see https://docs.aws.amazon.com/ses/latest/dg/identity-authorization-policy-examples.html
 */
const ACTIONS = [
  'BatchGetMetricData',
  'CreateDeliverabilityTestReport',
  'CreateEmailIdentityPolicy',
  'DeleteEmailIdentity',
  'DeleteEmailIdentityPolicy',
  'GetDomainStatisticsReport',
  'GetEmailIdentity',
  'GetEmailIdentityPolicies',
  'ListRecommendations',
  'PutEmailIdentityConfigurationSetAttributes',
  'PutEmailIdentityDkimAttributes',
  'PutEmailIdentityDkimSigningAttributes',
  'PutEmailIdentityFeedbackAttributes',
  'PutEmailIdentityMailFromAttributes',
  'SendBulkEmail',
  'SendBulkTemplatedEmail',
  'SendEmail',
  'SendRawEmail',
  'SendTemplatedEmail',
  'TagResource',
  'UntagResource',
  'UpdateEmailIdentityPolicy',
];

/** emu's own messages for invalid policies. */
const SENTENCES: ProblemSentences = {
  'not-json': 'Policy is not valid JSON.',
  'too-large': 'Policy is larger than 4 KB.',
  'missing-statement': 'Policy has no statement.',
  'empty-statement': 'Policy has no statement.',
  'invalid-principal': ({ value }) => `Policy has the invalid principal ${value}.`,
  'invalid-action': ({ value }) => `Policy has the invalid action ${value}.`,
  'invalid-resource': ({ value }) => `Policy has the resource ${value}, which is not its identity.`,
  otherwise: 'Policy is not valid.',
};

/**
 * Validates the policy of an identity.
 * @param arn of the identity, the only valid resource
 * @throws AwsError `InvalidPolicy`, in version 2 `BadRequestException`
 * @see https://docs.aws.amazon.com/ses/latest/dg/policy-anatomy.html
 */
export function checkPolicy(text: string, arn: string, api: Api): void {
  const rules: PolicyRules = {
    size: { most: MAX_BYTES, of: 'bytes' },
    principal: 'required',
    principals: PRINCIPALS,
    action: 'required',
    actions: actionsOf('ses', ACTIONS),
    resource: 'required',
    resources: (values) => {
      const value = values.find((one) => one !== arn && one !== '*');
      return value === undefined ? undefined : { value };
    },
  };
  const { problem } = parsePolicy(text, rules);
  if (problem) throw invalidPolicy(api, sentence(problem));
}

const sentence = (problem: PolicyProblem): string => sentenceFor(problem, SENTENCES);

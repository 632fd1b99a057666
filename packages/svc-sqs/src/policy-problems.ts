import { type PolicyProblem, type ProblemCode, type ProblemSentences, sentenceFor } from '@emu/core/service';
import { type AwsError, awsError } from '@emu/wire';

/**
 * What SQS says: one sentence for everything but what there is too much of. The sentences of the size, of statements and
 * of actions are AWS's; of principals and conditions none is known.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-policies.html
 */
const SENTENCES: ProblemSentences = {
  'too-large': 'Submitted policy is over max allowed size.',
  'too-many': ({ element = '', count, limit }) =>
    `${count} ${element.toLowerCase()}s were found in ${
      element === 'Action' ? 'a statement from ' : ''
    }the submitted policy, max allowed is ${limit}`,
  otherwise: 'Invalid value for the parameter Policy.',
};

const OVER_LIMIT: ReadonlySet<ProblemCode> = new Set<ProblemCode>(['too-large', 'too-many']);

/** The refusal of a queue's policy that has a problem. */
export const policyRefusal = (problem: PolicyProblem): AwsError =>
  awsError(OVER_LIMIT.has(problem.code) ? 'OverLimit' : 'InvalidAttributeValue', sentenceFor(problem, SENTENCES));

/** The refusal of a policy that names a user or role whom its account does not have. */
export const unknownPrincipalRefusal = (): AwsError => policyRefusal({ code: 'invalid-principal' });

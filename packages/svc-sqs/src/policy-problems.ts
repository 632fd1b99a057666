import { type PolicyProblem, type ProblemSentences, sentenceFor } from '@emu/core';
import { type AwsError, awsError } from '@emu/wire';

/**
 * What SQS says: one sentence for everything but what there is too much of.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-policies.html
 */
const SENTENCES: ProblemSentences = {
  'too-many': ({ element, count, limit }) =>
    element === 'Statement'
      ? `${count} statements were found in the submitted policy, max allowed is ${limit}`
      : // AddPermission's sentence for actions; of principals and conditions it is our own wording.
        `${count} ${element}s were found, maximum allowed is ${limit}.`,
  otherwise: 'Invalid value for the parameter Policy.',
};

/** The refusal of a queue's policy that has a problem. */
export const policyRefusal = (problem: PolicyProblem): AwsError =>
  awsError(problem.code === 'too-many' ? 'OverLimit' : 'InvalidAttributeValue', sentenceFor(problem, SENTENCES));

/** The refusal of a policy that names a user or role whom its account does not have. */
export const unknownPrincipalRefusal = (): AwsError => policyRefusal({ code: 'invalid-principal' });

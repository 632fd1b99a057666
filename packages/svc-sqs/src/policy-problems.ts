import { type PolicyProblem, type ProblemCode, type ProblemSentences, sentenceFor } from '@emu/core/service';
import type { AwsError } from '@emu/wire';
import { sqsError } from './errors.ts';

/**
 * SQS's messages: one message for everything except limits. The messages for size, statements and actions are AWS's;
 * for principals and conditions none is known.
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

/** Creates the error for a problem with a queue policy. */
export const policyRefusal = (problem: PolicyProblem): AwsError =>
  sqsError(OVER_LIMIT.has(problem.code) ? 'OverLimit' : 'InvalidAttributeValue', sentenceFor(problem, SENTENCES));

/** Creates the error for a policy that names a missing user or role of its account. */
export const unknownPrincipalRefusal = (): AwsError => policyRefusal({ code: 'invalid-principal' });

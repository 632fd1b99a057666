import { type PolicyProblem, type ProblemSentences, sentenceFor } from '@emu/core/service';
import type { AwsError } from '@emu/wire';
import { kmsError } from './errors.ts';

/**
 * Messages of KMS for invalid key policies. The message for principals is reported by users; the others are our own
 * wording.
 * @see https://docs.aws.amazon.com/kms/latest/APIReference/API_PutKeyPolicy.html
 */
const SENTENCES: ProblemSentences = {
  'too-large': ({ limit }) => `The key policy exceeds the limit of ${limit} bytes.`,
  'not-json': 'The new key policy is not valid JSON.',
  'duplicate-key': ({ element }) => `Policy contains ${element} more than once in the same object.`,
  'unknown-element': ({ element }) => `Policy contains the unknown element ${element}.`,
  'invalid-version': 'Policy contains no valid version.',
  'missing-effect': 'Policy contains a statement with no valid Effect.',
  'invalid-effect': 'Policy contains a statement with no valid Effect.',
  'effect-case': 'Policy contains a statement with no valid Effect.',
  'duplicate-sid': 'Policy contains statements with the same Sid.',
  'missing-principal': 'Policy contains a statement with no principal.',
  'empty-principal': 'Policy contains a statement with no principal.',
  'principal-not-object': 'Policy contains a statement with one or more invalid principals.',
  'invalid-principal': 'Policy contains a statement with one or more invalid principals.',
  'invalid-action': 'Policy contains a statement with one or more invalid actions.',
  'invalid-resource': 'Policy contains a statement with one or more invalid resources.',
  'invalid-condition': 'Policy contains a statement with an invalid condition.',
  'unknown-operator': 'Policy contains a statement with an invalid condition.',
  otherwise: 'Policy contains no valid statements.',
};

/** Creates the error for an invalid key policy. */
export const policyRefusal = (problem: PolicyProblem): AwsError =>
  kmsError(
    problem.code === 'too-large' ? 'LimitExceededException' : 'MalformedPolicyDocumentException',
    sentenceFor(problem, SENTENCES),
  );

/** Creates the error for a key policy that would lock the caller out. */
export const lockoutRefusal = (): AwsError =>
  kmsError(
    'MalformedPolicyDocumentException',
    'The new key policy will not allow you to update the key policy in the future.',
  );

import { type PolicyProblem, type ProblemSentences, sentenceFor } from '@emu/core/service';
import type { AwsError } from '@emu/wire';
import { eventsError, invalidParameter } from '../errors.ts';

/** Reasons for invalid policies, in the format of EventBridge's parameter message: our own wording. */
const REASONS: ProblemSentences = {
  'not-json': 'It is not valid JSON.',
  'missing-statement': 'It has no statement.',
  'empty-statement': 'It has no statement.',
  'invalid-version': 'It has an invalid version.',
  'unknown-element': ({ element }) => `It has the unknown element ${element}.`,
  'duplicate-sid': ({ value }) => `It has more than one statement with the id ${value}.`,
  'invalid-effect': 'It has a statement with an invalid effect.',
  'effect-case': 'It has a statement with an invalid effect.',
  'invalid-principal': ({ value }) => `It has the invalid principal ${value}.`,
  'principal-not-object': ({ value }) => `It has the invalid principal ${value}.`,
  'invalid-action': ({ value }) => `It has the invalid action ${value}.`,
  'invalid-resource': ({ value }) => `It has the invalid resource ${value}.`,
  'invalid-condition': 'It has an invalid condition.',
  'unknown-operator': ({ value }) => `It has the unknown condition operator ${value}.`,
  otherwise: 'It has a statement that is not complete.',
};

/** Error for a bus policy over the size limit, as a whole or with an added statement: our own wording. */
export const policyTooLong = (): AwsError =>
  eventsError('PolicyLengthExceededException', 'The policy of the event bus is too long.');

/** Error for an invalid bus policy. */
export const policyRefusal = (problem: PolicyProblem): AwsError =>
  problem.code === 'too-large' ? policyTooLong() : invalidParameter('Policy', sentenceFor(problem, REASONS));

import { type PolicyProblem, type ProblemSentences, sentenceFor } from '@emu/core/service';

/**
 * Messages of SNS for invalid topic policies, after `Invalid parameter: `. They come from recordings and from reports
 * of SNS users.
 */
const SENTENCES: ProblemSentences = {
  // Our own wording.
  'too-large': 'Policy too large',
  'invalid-action': 'Policy statement action out of service scope!',
  'invalid-principal': 'Policy Error: PrincipalNotFound',
  'duplicate-sid': 'Every policy statement must have a unique ID.',
  'too-many': 'Policy statement must apply to a single resource!',
  otherwise: 'Policy Error: null',
};

/** Returns the message of SNS for an invalid topic policy. */
export const policySentence = (problem: PolicyProblem): string => sentenceFor(problem, SENTENCES);

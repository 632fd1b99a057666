import { type PolicyProblem, type ProblemSentences, sentenceFor } from '@emu/core';

/**
 * What SNS says of a topic's policy, behind `Invalid parameter: `. Sentences are those of recordings, and those that SNS's
 * users report.
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

/** What SNS says of a problem of a topic's policy. */
export const policySentence = (problem: PolicyProblem): string => sentenceFor(problem, SENTENCES);

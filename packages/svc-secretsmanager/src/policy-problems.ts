import { type PolicyProblem, type ProblemSentences, sentenceFor } from '@emu/core/service';

/**
 * Messages of Secrets Manager for invalid secret policies. Those for principals and syntax errors are reported by
 * users; the others are our own wording.
 */
const SENTENCES: ProblemSentences = {
  'invalid-principal': 'This resource policy contains an unsupported principal.',
  'principal-not-object': 'This resource policy contains an unsupported principal.',
  'invalid-action': 'This resource policy contains an unsupported action.',
  'invalid-resource': 'This resource policy contains an unsupported resource.',
  otherwise: 'This resource policy contains a syntax error.',
};

/** Returns the message of Secrets Manager for an invalid secret policy. */
export const policySentence = (problem: PolicyProblem): string => sentenceFor(problem, SENTENCES);

/** Message of Secrets Manager for a public policy. */
export const PUBLIC =
  'You cannot enable this resource policy because it grants broad access to the secret. Limit access to the principals that need it.';

import { type PolicyProblem, type ProblemSentences, sentenceFor } from '@emu/core';

/**
 * What Secrets Manager says of the policy of a secret. Those of principals and of syntax errors are what its users report;
 * the others are our own wording.
 */
const SENTENCES: ProblemSentences = {
  'invalid-principal': 'This resource policy contains an unsupported principal.',
  'principal-not-object': 'This resource policy contains an unsupported principal.',
  'invalid-action': 'This resource policy contains an unsupported action.',
  'invalid-resource': 'This resource policy contains an unsupported resource.',
  otherwise: 'This resource policy contains a syntax error.',
};

/** What Secrets Manager says of a problem of a secret's policy. */
export const policySentence = (problem: PolicyProblem): string => sentenceFor(problem, SENTENCES);

/** What Secrets Manager says of a policy that lets everybody in. */
export const PUBLIC =
  'You cannot enable this resource policy because it grants broad access to the secret. Limit access to the principals that need it.';

import { type PolicyProblem, type ProblemSentences, sentenceFor } from '@emu/core/service';
import type { AwsError } from '@emu/wire';
import { stsError } from '../errors.ts';

/** Messages of STS for invalid session policies: those of IAM, reported by users. */
const SENTENCES: ProblemSentences = {
  'not-json': 'This policy contains invalid Json',
  'invalid-version': 'The policy must contain a valid version string.',
  'missing-statement': 'Missing required field Statement',
  'empty-statement': 'Missing required field Statement cannot be empty!',
  'prohibited-principal': 'Policy document should not specify a principal.',
  'missing-effect': 'Missing required field Effect',
  'invalid-effect': ({ value }) => `Invalid effect: ${value}`,
  'effect-case': ({ value }) => `Invalid effect: ${value}`,
  'invalid-sid':
    'Statement IDs (SID) must be alpha-numeric. Check that your input satisfies the regular expression [0-9A-Za-z]*',
  'duplicate-sid': 'Statement IDs (SID) in a single policy must be unique.',
  'missing-action': 'Policy statement must contain actions.',
  'invalid-action': 'Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.',
  'missing-resource': 'Policy statement must contain resources.',
  'invalid-resource': ({ value }) => `Resource ${value} must be in ARN format or "*".`,
  otherwise: 'Syntax errors in policy.',
};

/** Creates the error for an invalid session policy. */
export const policyRefusal = (problem: PolicyProblem): AwsError =>
  stsError('MalformedPolicyDocumentException', sentenceFor(problem, SENTENCES));

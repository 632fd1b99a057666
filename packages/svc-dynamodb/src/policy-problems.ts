import { type PolicyProblem, type ProblemSentences, sentenceFor } from '@emu/core/service';
import type { AwsError } from '@emu/wire';
import { invalid } from './errors.ts';

/**
 * DynamoDB's messages for invalid policies. Those for actions and services are from user reports; those for missing
 * members are from IAM and S3, which parse policies alike.
 */
const SENTENCES: ProblemSentences = {
  'not-json': 'This policy contains invalid Json',
  'invalid-version': 'The policy must contain a valid version string',
  'missing-statement': 'Could not parse the policy: Statement is empty!',
  'empty-statement': 'Could not parse the policy: Statement is empty!',
  'missing-effect': 'Missing required field Effect',
  'invalid-effect': ({ value }) => `Invalid effect: ${value}`,
  'effect-case': ({ value }) => `Invalid effect: ${value}`,
  'missing-principal': 'Missing required field Principal',
  'empty-principal': 'Missing required field Principal cannot be empty!',
  'missing-action': 'Missing required field Action',
  'invalid-action': ({ value }) => `The following action names are invalid: ${value}`,
  'missing-resource': 'Missing required field Resource',
  // emu's own message.
  'invalid-resource': 'Policy has invalid resource',
  otherwise: 'Invalid policy syntax.',
};

const WRONG = 'One or more parameter values were invalid:';

/** Returns the error for a problem of a resource policy. */
export function policyRefusal(problem: PolicyProblem): AwsError {
  const { code, element, limit } = problem;
  // emu's own message.
  if (code === 'too-large') return invalid(`${WRONG} Maximum policy size of ${limit} bytes exceeded`);
  if (code === 'invalid-principal' && element !== 'Service')
    return invalid(`${WRONG} Invalid principal in policy document.`);
  const sentence =
    code === 'invalid-principal' ? 'Policy contains invalid service principal' : sentenceFor(problem, SENTENCES);
  return invalid(`${WRONG} Invalid policy document: ${sentence}`);
}

import type { AwsError, ValidationFailure } from '@emu/wire';
import { invalidArgument, malformedXml } from './errors.ts';

/**
 * S3 has no common wording for broken constraints of its model: a document that does not fit its schema is malformed,
 * anything else an invalid argument. Handlers check values of enumerations and patterns themselves, for which S3 has many wordings.
 */
export function validationError(failures: readonly ValidationFailure[]): AwsError | null {
  const failure = failures.find(({ constraint }) => constraint !== 'enum' && constraint !== 'pattern');
  if (!failure) return null;
  return failure.members.length > 1 ? malformedXml() : invalidArgument(failure.message);
}

import { type AwsError, awsError, type ValidationFailure } from '@emu/wire';
import { invalidRequest, invalidUri, malformedXml } from './errors.ts';

/**
 * S3 Control has no common wording for broken constraints of its model: a document that does not fit its schema is
 * malformed, anything else an invalid request. Handlers check patterns and enumerations themselves where S3 Control
 * has words of its own for them.
 */
export function validationError(failures: readonly ValidationFailure[], operation: string): AwsError | null {
  const name = failures.find(({ members, constraint }) => members[0] === 'Name' && constraint !== 'required');
  if (name && /^\w+AccessPoint(Policy|PolicyStatus|Scope)?$/.test(operation) && !operation.includes('MultiRegion'))
    return invalidUri(`accesspoint/${String(name.value)}`);
  const missing = failures.find(({ members }) => members[0] === 'AccountId');
  if (missing?.constraint === 'required')
    return awsError('InvalidRequest', 'Missing required header for this request: x-amz-account-id', { status: 400 });
  const failure = failures.find(({ constraint }) => constraint !== 'enum' && constraint !== 'pattern');
  if (!failure) return null;
  return failure.members.length > 1 || failure.constraint === 'required'
    ? malformedXml()
    : invalidRequest(failure.message);
}

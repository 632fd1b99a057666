import type { AwsError, ValidationFailure } from '@emu/wire';
import { invalidRequest, invalidUri, malformedXml, s3controlError } from './errors.ts';

/**
 * Converts violated constraints to errors. S3 Control has no common messages for violated constraints: a document that
 * violates its schema is malformed, anything else an invalid request.
 */
export function validationError(failures: readonly ValidationFailure[], operation: string): AwsError | null {
  const name = failures.find(({ members, constraint }) => members[0] === 'Name' && constraint !== 'required');
  if (name && /^\w+AccessPoint(Policy|PolicyStatus|Scope)?$/.test(operation) && !operation.includes('MultiRegion'))
    return invalidUri(`accesspoint/${String(name.value)}`);
  const missing = failures.find(({ members }) => members[0] === 'AccountId');
  if (missing?.constraint === 'required')
    return s3controlError('InvalidRequest', 'Missing required header for this request: x-amz-account-id', {
      status: 400,
    });
  const failure = failures.find((broken) => !hasOwnMessage(broken));
  if (!failure) return null;
  const { members, constraint, message } = failure;
  const malformed = constraint === 'required' || (members.length > 1 && constraint !== 'pattern');
  return malformed ? malformedXml() : invalidRequest(message);
}

/**
 * Whether a handler validates the member: tags, with `InvalidTag`, resources that may be missing, and Multi-Region
 * Access Points, whose ARNs violate the model's pattern.
 */
function hasOwnMessage({ members, constraint }: ValidationFailure): boolean {
  if (constraint === 'required') return false;
  const [first] = members;
  return (
    first === 'AccountId' || first === 'ResourceArn' || first === 'Mrap' || first === 'Tags' || first === 'Tagging'
  );
}

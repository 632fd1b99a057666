import type { AwsError, ValidationFailure } from '@emu/wire';
import { missingParameter } from './errors.ts';

/** Members that have another name in errors: that of the query protocol, or of a permission's part. */
const PARAMETERS: Readonly<Record<string, string>> = { AWSAccountIds: 'PrincipalId', Attributes: 'Attribute.Name' };

/**
 * Members that the handlers look after: a queue URL may be in the path, a queue name has errors of its own, and a batch
 * entry fails by itself.
 */
const LEFT_TO_HANDLERS = new Set(['QueueUrl', 'QueueName', 'Entries']);

/**
 * SQS's wording for missing members: `MissingParameter` for the first. All other constraints have sentences of their
 * own, which the handlers know; only a null in the place of a value has none, and gets AWS's common one.
 */
export function validationError(failures: readonly ValidationFailure[]): AwsError | null | undefined {
  if (failures.some(({ constraint }) => constraint === 'null')) return undefined;
  for (const { constraint, members } of failures) {
    const member = String(members[0]);
    if (constraint === 'required' && members.length === 1 && !LEFT_TO_HANDLERS.has(member))
      return missingParameter(PARAMETERS[member] ?? member);
  }
  return null;
}

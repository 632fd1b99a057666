import type { AwsError, ValidationFailure } from '@emu/wire';
import { missingParameter } from './errors.ts';

/** Members with another name in errors: the query protocol's, or a part of a permission. */
const PARAMETERS: Readonly<Record<string, string>> = { AWSAccountIds: 'PrincipalId', Attributes: 'Attribute.Name' };

/**
 * Members validated by handlers: a queue URL may be in the path, queue names have their own errors, and batch entries
 * fail independently.
 */
const LEFT_TO_HANDLERS = new Set(['QueueUrl', 'QueueName', 'Entries']);

/**
 * Returns SQS's message for missing members: `MissingParameter` for the first. Handlers have messages for all other
 * constraints, except for null in place of a value, which gets AWS's common message.
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

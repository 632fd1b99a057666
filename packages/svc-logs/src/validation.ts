import { type AwsError, validationError as commonError, type ServiceModel, type ValidationFailure } from '@emu/wire';
import model from '../model/logs.json' with { type: 'json' };
import { invalidParameter } from './errors.ts';

const { operations } = model as unknown as ServiceModel;
const NAMES: readonly unknown[] = ['logGroupName', 'logStreamName'];
const MAX_NAME_LENGTH = 512;

/**
 * Returns the errors for violated constraints: `InvalidParameterException` for operations that declare it, otherwise
 * `ValidationException`; too long names have their own message.
 */
export function validationError(failures: readonly ValidationFailure[], operation: string): AwsError {
  const [first] = failures;
  if (
    failures.length === 1 &&
    first?.constraint === 'length' &&
    NAMES.includes(first.members[0]) &&
    String(first.value).length > MAX_NAME_LENGTH
  )
    return invalidParameter('Invalid LogGroup or LogStream, both must have length less than or equal to 512.');
  const errors = operations[operation]?.errors ?? [];
  const common = errors.includes('ValidationException') && !errors.includes('InvalidParameterException');
  return commonError(failures, common ? 'ValidationException' : 'InvalidParameterException');
}

import { type AwsError, validationError as modelError, type ValidationFailure } from '@emu/wire';
import { LISTABLE_RUNTIMES, RUNTIME_LIST } from './code/runtimes.ts';
import { invalidParameterValue } from './errors.ts';

/**
 * Returns Lambda's messages for violated constraints. The model has more runtimes than Lambda offers: an unknown
 * runtime is rejected by its own error, after all other checks.
 */
export function validationError(failures: readonly ValidationFailure[]): AwsError {
  const others = failures.filter(({ path, constraint }) => path !== 'runtime' || constraint !== 'enum');
  if (!others.length)
    return invalidParameterValue(
      `Value ${String(failures[0]!.value).slice(0, 2048)} at 'runtime' failed to satisfy constraint: Member must satisfy enum value set: ${RUNTIME_LIST} or be a valid ARN`,
    );
  return modelError(others.map(worded));
}

function worded(failure: ValidationFailure): ValidationFailure {
  const known = { compatibleRuntimes: RUNTIME_LIST, compatibleRuntime: LISTABLE_RUNTIMES }[failure.path];
  if (known === undefined || failure.constraint !== 'enum') return failure;
  const [start] = failure.message.split(' failed to satisfy constraint: ');
  return {
    ...failure,
    message: `${start} failed to satisfy constraint: Member must satisfy enum value set: ${known}`,
  };
}

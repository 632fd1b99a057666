import { type AwsError, type ValidationFailure, validationError } from '@emu/wire';

/**
 * Returns the error for violated constraints. SES's messages do not repeat the values.
 * @see https://github.com/floci-io/floci/pull/3119
 */
export const violations = (failures: readonly ValidationFailure[], code: string): AwsError =>
  validationError(
    failures.map((failure) => {
      const { message, path } = failure;
      return { ...failure, message: `Value ${message.slice(message.lastIndexOf(`at '${path}' failed`))}` };
    }),
    code,
  );

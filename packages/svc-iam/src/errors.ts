import type { IamErrorName } from '@emu/service-types/iam';
import {
  type AwsError,
  awsError,
  constraintText,
  type ErrorsOf,
  type ValidationFailure,
  validationError,
} from '@emu/wire';

/** Creates an error with a code that the service uses. */
export const iamError: ErrorsOf<IamErrorName | 'AccessDenied' | 'InvalidInput' | 'ValidationError'> = awsError;

/** Returns `NoSuchEntity` (404). */
export const noSuchEntity = (message: string): AwsError => iamError('NoSuchEntityException', message);
/** Returns `EntityAlreadyExists` (409). */
export const alreadyExists = (message: string): AwsError => iamError('EntityAlreadyExistsException', message);
/** Returns `DeleteConflict` (409). */
export const deleteConflict = (message: string): AwsError => iamError('DeleteConflictException', message);
/** Returns `InvalidInput` (400), for values that the model allows and IAM rejects. */
export const invalidInput = (message: string): AwsError => iamError('InvalidInputException', message);
/** Returns `MalformedPolicyDocument` (400). */
export const malformedPolicy = (message: string): AwsError => iamError('MalformedPolicyDocumentException', message);
/** Returns `LimitExceeded` (409). */
export const limitExceeded = (message: string): AwsError => iamError('LimitExceededException', message);
/** Returns `ValidationError` (400), which is missing in the model. */
export const invalid = (message: string): AwsError => iamError('ValidationError', message, { status: 400 });
/** Returns `AccessDenied` (403), which is missing in the model. */
export const accessDenied = (message: string): AwsError => iamError('AccessDenied', message, { status: 403 });

/** Returns the error for an exceeded quota, for example `quotaExceeded('AccessKeysPerUser', 2)`. */
export const quotaExceeded = (quota: string, limit: number): AwsError =>
  limitExceeded(`Cannot exceed quota for ${quota}: ${limit}`);

const NAME_MEMBERS = /(?:userName|roleName|groupName|policyName|instanceProfileName|serverCertificateName)$/i;

/**
 * Returns the error for violated model constraints in IAM's form: `ValidationError`, with messages without values and
 * enum members; names and paths have messages of their own.
 */
export function modelError(failures: readonly ValidationFailure[]): AwsError {
  const [first] = failures;
  if (failures.length === 1 && first?.constraint === 'pattern') {
    if (NAME_MEMBERS.test(first.path))
      return invalid(
        `The specified value for ${first.path} is invalid. It must contain only alphanumeric characters and/or the following: +=,.@_-`,
      );
    if (/^(new)?path$/i.test(first.path))
      return invalid(
        `The specified value for ${first.path} is invalid. It must begin and end with / and contain only alphanumeric characters and/or / characters.`,
      );
  }
  const sentences = failures.map((failure) => {
    const { path, reason, value } = failure;
    const text = failure.constraint === 'enum' ? reason.replace(/: \[.*\]$/s, '') : reason;
    return { ...failure, message: constraintText(path, text, value === undefined ? null : undefined) };
  });
  return validationError(sentences, 'ValidationError');
}

import type { IamErrorName } from '@emu/service-types/iam';
import { type AwsError, awsError, type ValidationFailure, validationError } from '@emu/wire';

/** An error that IAM's model names. */
export const iamError = (code: IamErrorName, message: string): AwsError => awsError(code, message);

/** `NoSuchEntity` (404). */
export const noSuchEntity = (message: string): AwsError => iamError('NoSuchEntityException', message);
/** `EntityAlreadyExists` (409). */
export const alreadyExists = (message: string): AwsError => iamError('EntityAlreadyExistsException', message);
/** `DeleteConflict` (409). */
export const deleteConflict = (message: string): AwsError => iamError('DeleteConflictException', message);
/** `InvalidInput` (400): the model allows it and IAM does not. */
export const invalidInput = (message: string): AwsError => iamError('InvalidInputException', message);
/** `MalformedPolicyDocument` (400). */
export const malformedPolicy = (message: string): AwsError => iamError('MalformedPolicyDocumentException', message);
/** `LimitExceeded` (409). */
export const limitExceeded = (message: string): AwsError => iamError('LimitExceededException', message);
/** `ValidationError` (400), which the model does not list. */
export const invalid = (message: string): AwsError => awsError('ValidationError', message, { status: 400 });
/** `AccessDenied` (403), which the model does not list. */
export const accessDenied = (message: string): AwsError => awsError('AccessDenied', message, { status: 403 });

/** One more of something than its quota allows, e.g. `quotaExceeded('AccessKeysPerUser', 2)`. */
export const quotaExceeded = (quota: string, limit: number): AwsError =>
  limitExceeded(`Cannot exceed quota for ${quota}: ${limit}`);

const NAME_MEMBERS = /(?:userName|roleName|groupName|policyName|instanceProfileName|serverCertificateName)$/i;

/**
 * Broken constraints of the model in IAM's spelling: `ValidationError`, whose sentences leave out the values and the
 * members of enums; names and paths have sentences of their own.
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
    const constraint = failure.message.slice(failure.message.indexOf("' failed to satisfy constraint: ") + 2);
    const text = failure.constraint === 'enum' ? constraint.replace(/: \[.*\]$/s, '') : constraint;
    return { ...failure, message: `Value${failure.value === undefined ? ' null' : ''} at '${failure.path}' ${text}` };
  });
  return validationError(sentences, 'ValidationError');
}

/** What AWS would find out and emu cannot: refused instead of an empty answer. @param what a member, maybe with its value */
export const notActedOn = (what: string): AwsError =>
  awsError('NotImplemented', `emu does not implement ${what} of iam.`, { status: 501 });

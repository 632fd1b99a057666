import { type AwsError, awsError } from '@emu/wire';

/** A document that is not there, or that the caller may not see. */
export const documentNotFound = (name: string): AwsError =>
  awsError('InvalidDocument', `Document with name ${name} does not exist.`);

/** A version that a document does not have. */
export const documentVersionNotFound = (): AwsError =>
  awsError('InvalidDocumentVersion', "The document version isn't valid or doesn't exist.");

/** Content that is no document of its type. */
export const invalidContent = (message: string): AwsError => awsError('InvalidDocumentContent', message);

/** What may not be done to a document as it is. */
export const invalidOperation = (message: string): AwsError => awsError('InvalidDocumentOperation', message);

import type { AwsError } from '@emu/wire';
import { ssmError } from '../errors.ts';

/** Error for a document that is missing or not visible to the caller. */
export const documentNotFound = (name: string): AwsError =>
  ssmError('InvalidDocument', `Document with name ${name} does not exist.`);

/** Error for an unknown version of a document. */
export const documentVersionNotFound = (): AwsError =>
  ssmError('InvalidDocumentVersion', "The document version isn't valid or doesn't exist.");

/** Error for content that is invalid for the document type. */
export const invalidContent = (message: string): AwsError => ssmError('InvalidDocumentContent', message);

/** Error for an operation that the document's state does not allow. */
export const invalidOperation = (message: string): AwsError => ssmError('InvalidDocumentOperation', message);

import type { AwsError } from '@emu/wire';
import { CHECKSUM_ALGORITHMS } from './content/checksums.ts';
import { invalidArgument, invalidRequest } from './errors.ts';

const ALGORITHMS: ReadonlySet<string> = new Set(CHECKSUM_ALGORITHMS);

/** Headers in which an Object Lambda function names a header of its answer. */
const FORWARDED = 'x-amz-fwd-header-';

const invalidValue = (header: string): AwsError => invalidRequest(`Value for ${header} header is invalid.`);

/** S3 answers so for `x-amz-object-ownership`. */
const namedArgument = (header: string, value: string): AwsError =>
  invalidArgument(`Invalid ${header} header: ${value}`, header, value);

/** Headers whose values the model enumerates and that S3 refuses alike in every operation; handlers check all others. */
const REFUSALS: Readonly<Record<string, (header: string, value: string) => AwsError | undefined>> = {
  'x-amz-bucket-namespace': namedArgument,
  'x-amz-checksum-mode': invalidValue,
  'x-amz-request-payer': namedArgument,
  // Clients write algorithms in lower case too.
  'x-amz-sdk-checksum-algorithm': (header, value) =>
    ALGORITHMS.has(value.toUpperCase()) ? undefined : invalidValue(header),
};

/**
 * What S3 answers to a value that a header's enumeration does not have.
 * @returns undefined where the value passes, or is for the handler to check
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */
export function refusedHeader(header: string, value: string): AwsError | undefined {
  return header.startsWith(FORWARDED) ? namedArgument(header, value) : REFUSALS[header]?.(header, value);
}

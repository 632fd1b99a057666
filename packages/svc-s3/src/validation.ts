import type { AwsError, MemberModel, ServiceModel, ValidationFailure } from '@emu/wire';
import model from '../model/s3.json' with { type: 'json' };
import { CHECKSUM_ALGORITHMS } from './content/checksums.ts';
import { invalidArgument, invalidRequest, malformedXml, missingHeader, s3Error } from './errors.ts';

const { operations, shapes } = model as unknown as ServiceModel;

/** Returns the location of an input member in the request. */
function bindingOf(operation: string, member: string): MemberModel | undefined {
  const input = operations[operation]?.input;
  return input && shapes[input.shape]?.members?.[member];
}

const ALGORITHMS: ReadonlySet<string> = new Set(CHECKSUM_ALGORITHMS);

/** Headers by which an Object Lambda function sets a header of its response. */
const FORWARDED = 'x-amz-fwd-header-';

const invalidValue = (header: string): AwsError => invalidRequest(`Value for ${header} header is invalid.`);

/** Returns S3's response for `x-amz-object-ownership`. */
const namedArgument = (header: string, value: string): AwsError =>
  invalidArgument(`Invalid ${header} header: ${value}`, header, value);

/** Headers with enumerations that S3 validates equally in all operations; handlers check the others. */
const REFUSALS: Readonly<Record<string, (header: string, value: string) => AwsError | undefined>> = {
  'x-amz-bucket-namespace': namedArgument,
  'x-amz-checksum-mode': invalidValue,
  'x-amz-request-payer': namedArgument,
  // Clients also write algorithms in lower case.
  'x-amz-sdk-checksum-algorithm': (header, value) =>
    ALGORITHMS.has(value.toUpperCase()) ? undefined : invalidValue(header),
};

/**
 * Returns S3's error for an invalid enumeration value in a header.
 * @returns undefined for a valid value, or if the handler checks it
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */
function refusedHeader(header: string, value: string): AwsError | undefined {
  return header.startsWith(FORWARDED) ? namedArgument(header, value) : REFUSALS[header]?.(header, value);
}

/** S3's error for a policy that is not JSON. */
const NO_JSON = "Policies must be valid JSON and the first byte must be '{'";

/** Creates the error for one violated constraint; undefined if the handler checks it. */
function refusalOf(
  { constraint, members, message, value }: ValidationFailure,
  operation: string,
): AwsError | undefined {
  const nested = members.length > 1;
  if (constraint === 'pattern' || (constraint === 'enum' && nested)) return undefined;
  // An empty tag document is a document without tags.
  if (constraint === 'required' && members.at(-1) === 'TagSet') return undefined;
  if (nested) return malformedXml();
  const { location, locationName = '' } = bindingOf(operation, String(members[0])) ?? {};
  if (constraint === 'enum') return location === 'header' ? refusedHeader(locationName, String(value)) : undefined;
  if (constraint === 'required' && location === 'header') return missingHeader(locationName);
  if (constraint === 'required' && location === 'querystring')
    return invalidArgument(`Missing required parameter: ${locationName}`, locationName);
  if (constraint === 'required' && location === undefined)
    return operation === 'PutBucketPolicy'
      ? s3Error('MalformedPolicy', NO_JSON, { status: 400 })
      : s3Error('MissingRequestBodyError', 'Request Body is empty', { status: 400 });
  return invalidArgument(message);
}

/**
 * Converts violated constraints to errors. S3 has no common messages for violated constraints: a document that violates
 * its schema is malformed, a missing header or parameter is named, anything else is an invalid argument. Handlers check
 * enumerations and patterns, for which S3's messages vary, except for common headers.
 */
export function validationError(failures: readonly ValidationFailure[], operation: string): AwsError | null {
  for (const failure of failures) {
    const error = refusalOf(failure, operation);
    if (error) return error;
  }
  return null;
}

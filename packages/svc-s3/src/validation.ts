import { type AwsError, awsError, type MemberModel, type ServiceModel, type ValidationFailure } from '@emu/wire';
import model from '../model/s3.json' with { type: 'json' };
import { CHECKSUM_ALGORITHMS } from './content/checksums.ts';
import { invalidArgument, invalidRequest, malformedXml, missingHeader } from './errors.ts';

const { operations, shapes } = model as unknown as ServiceModel;

/** How a member of an operation's input travels. */
function bindingOf(operation: string, member: string): MemberModel | undefined {
  const input = operations[operation]?.input;
  return input && shapes[input.shape]?.members?.[member];
}

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
function refusedHeader(header: string, value: string): AwsError | undefined {
  return header.startsWith(FORWARDED) ? namedArgument(header, value) : REFUSALS[header]?.(header, value);
}

/** What S3 says of a policy that is no JSON. */
const NO_JSON = "Policies must be valid JSON and the first byte must be '{'";

/** The error for one broken constraint; undefined for what the handler checks. */
function refusalOf(
  { constraint, members, message, value }: ValidationFailure,
  operation: string,
): AwsError | undefined {
  const nested = members.length > 1;
  if (constraint === 'pattern' || (constraint === 'enum' && nested)) return undefined;
  // An empty document of tags is one without tags.
  if (constraint === 'required' && members.at(-1) === 'TagSet') return undefined;
  if (nested) return malformedXml();
  const { location, locationName = '' } = bindingOf(operation, String(members[0])) ?? {};
  if (constraint === 'enum') return location === 'header' ? refusedHeader(locationName, String(value)) : undefined;
  if (constraint === 'required' && location === 'header') return missingHeader(locationName);
  if (constraint === 'required' && location === 'querystring')
    return invalidArgument(`Missing required parameter: ${locationName}`, locationName);
  if (constraint === 'required' && location === undefined)
    return operation === 'PutBucketPolicy'
      ? awsError('MalformedPolicy', NO_JSON, { status: 400 })
      : awsError('MissingRequestBodyError', 'Request Body is empty', { status: 400 });
  return invalidArgument(message);
}

/**
 * S3 has no common wording for broken constraints of its model: a document that does not fit its schema is malformed, a
 * missing header or parameter is named, anything else is an invalid argument. Handlers check values of enumerations and patterns
 * themselves, for which S3 has many wordings, except for headers that many operations have.
 */
export function validationError(failures: readonly ValidationFailure[], operation: string): AwsError | null {
  for (const failure of failures) {
    const error = refusalOf(failure, operation);
    if (error) return error;
  }
  return null;
}

import { type AwsError, awsError, type MemberModel, type ServiceModel, type ValidationFailure } from '@emu/wire';
import model from '../model/s3.json' with { type: 'json' };
import { invalidArgument, malformedXml, missingHeader } from './errors.ts';
import { refusedHeader } from './header-enums.ts';

const { operations, shapes } = model as unknown as ServiceModel;

/** How a member of an operation's input travels. */
function bindingOf(operation: string, member: string): MemberModel | undefined {
  const input = operations[operation]?.input;
  return input && shapes[input.shape]?.members?.[member];
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

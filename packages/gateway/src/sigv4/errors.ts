import { type AwsError, awsError, type Protocol } from '@emu/wire';

/** How a kind of service words what is wrong with a signature. */
export type AuthStyle = 'json' | 'rest' | 'query' | 'ec2' | 's3';

/** What is wrong with a request's authentication. */
export type AuthFailure =
  | { kind: 'missing' }
  /** The header or query lacks a part; `detail` says which, `query` what of a presigned query is wrong. */
  | { kind: 'incomplete'; detail: string; query?: 'missing' | 'credential' | 'expires' }
  | { kind: 'scheme' }
  /** A query with only a part of S3's older signature, or with an expiry that is none. */
  | { kind: 'incomplete-v2' }
  | { kind: 'bad-expiry-v2'; expires: string }
  /** A key that nobody has, or that is inactive. */
  | { kind: 'unknown-key'; accessKeyId: string }
  /** A session token that does not belong to the key. */
  | { kind: 'bad-token' }
  | { kind: 'expired-token' }
  /** Signed too long ago or ahead; times in `YYYYMMDDTHHMMSSZ`. */
  | { kind: 'skew'; signedAt: number; now: number; detail: string }
  /** A presigned URL after its time; those of S3's older signature say no seconds. */
  | { kind: 'expired-url'; expiresAt: number; now: number; seconds?: number; detail: string }
  /** Headers that have to be signed and are not. */
  | { kind: 'unsigned-headers'; headers: readonly string[] }
  | {
      kind: 'mismatch';
      accessKeyId: string;
      stringToSign: string;
      signature: string;
      /** Undefined for S3's older signature. */
      canonicalRequest: string | undefined;
      detail?: string;
    };

/** Services that sign and answer as S3 does. */
const S3_FAMILY: ReadonlySet<string> = new Set(['s3', 's3express', 's3-outposts', 's3-object-lambda']);

/** Whether a service signs its paths as S3 does. */
export const isS3Service = (signingName: string): boolean => S3_FAMILY.has(signingName);

/** The style of a service's errors. */
export function authStyle(protocol: Protocol, service: string): AuthStyle {
  if (protocol === 'ec2Query') return 'ec2';
  if (service === 's3') return 's3';
  if (protocol === 'awsQuery' || protocol === 'restXml') return 'query';
  return protocol === 'restJson1' ? 'rest' : 'json';
}

const MISMATCH =
  'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.';
const MISMATCH_S3 =
  'The request signature we calculated does not match the signature you provided. Check your key and signing method.';
const INVALID_TOKEN = 'The security token included in the request is invalid.';
const EXPIRED_TOKEN = 'The security token included in the request is expired';
const MISSING = 'Request is missing Authentication Token';

/** The error AWS answers with, in the words of the kind of service. */
export function authError(failure: AuthFailure, style: AuthStyle): AwsError {
  switch (style) {
    case 's3':
      return s3Error(failure);
    case 'ec2':
      return ec2Error(failure);
    default:
      return commonError(failure, style);
  }
}

/** Codes of the query protocol, and what the JSON protocols call them. */
const JSON_NAMES: Readonly<Record<string, string>> = {
  MissingAuthenticationToken: 'MissingAuthenticationTokenException',
  IncompleteSignature: 'IncompleteSignatureException',
  InvalidClientTokenId: 'UnrecognizedClientException',
  ExpiredToken: 'ExpiredTokenException',
  SignatureDoesNotMatch: 'InvalidSignatureException',
};

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/CommonErrors.html */
function commonError(failure: AuthFailure, style: 'json' | 'rest' | 'query'): AwsError {
  const [code, message] = commonWords(failure);
  if (style === 'query') return awsError(code, message, { status: code === 'IncompleteSignature' ? 400 : 403 });
  // Clients of services that once spoke the query protocol look for its code in the header.
  const headers = { 'x-amzn-query-error': `${code};Sender` };
  return awsError(JSON_NAMES[code]!, message, style === 'json' ? { status: 400, headers } : { status: 403 });
}

function commonWords(failure: AuthFailure): [code: string, message: string] {
  switch (failure.kind) {
    case 'missing':
      return ['MissingAuthenticationToken', MISSING];
    case 'incomplete':
      return ['IncompleteSignature', failure.detail];
    case 'scheme':
    case 'incomplete-v2':
    case 'bad-expiry-v2':
      return ['IncompleteSignature', "Unsupported AWS 'algorithm'."];
    case 'unknown-key':
    case 'bad-token':
      return ['InvalidClientTokenId', INVALID_TOKEN];
    case 'expired-token':
      return ['ExpiredToken', EXPIRED_TOKEN];
    case 'skew':
    case 'expired-url':
      return ['SignatureDoesNotMatch', failure.detail];
    case 'unsigned-headers':
      return ['SignatureDoesNotMatch', "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization."];
    case 'mismatch':
      return ['SignatureDoesNotMatch', failure.detail ?? MISMATCH];
  }
}

/** @see https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html */
function ec2Error(failure: AuthFailure): AwsError {
  switch (failure.kind) {
    case 'missing':
      return awsError('MissingParameter', 'The request must contain the parameter AWSAccessKeyId', { status: 400 });
    case 'skew':
    case 'expired-url':
    case 'expired-token':
      return awsError('RequestExpired', 'Request has expired.', { status: 400 });
    default:
      return awsError('AuthFailure', 'AWS was not able to validate the provided access credentials', { status: 401 });
  }
}

const iso = (time: number): string => new Date(time).toISOString().replace(/\.\d{3}Z$/, 'Z');
const hexBytes = (text: string): string =>
  Buffer.from(text)
    .toString('hex')
    .replace(/..(?!$)/g, '$& ');

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
/** What S3 says of presigned queries where it has words of its own. */
const S3_QUERY: Readonly<Record<string, string>> = {
  missing:
    'Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.',
  credential:
    'Error parsing the X-Amz-Credential parameter; the Credential is mal-formed; expecting "<YOUR-AKID>/YYYYMMDD/REGION/SERVICE/aws4_request".',
};

function s3Error(failure: AuthFailure): AwsError {
  switch (failure.kind) {
    case 'missing':
      return awsError('AccessDenied', 'Access Denied', { status: 403 });
    case 'incomplete':
      if (failure.query)
        return awsError('AuthorizationQueryParametersError', S3_QUERY[failure.query] ?? failure.detail, {
          status: 400,
        });
      return awsError('AuthorizationHeaderMalformed', `The authorization header is malformed; ${failure.detail}`, {
        status: 400,
      });
    case 'scheme':
      return awsError(
        'InvalidRequest',
        'The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.',
        { status: 400 },
      );
    case 'incomplete-v2':
      return awsError(
        'AccessDenied',
        'Query-string authentication requires the Signature, Expires and AWSAccessKeyId parameters',
        { status: 403 },
      );
    case 'bad-expiry-v2':
      return awsError('AccessDenied', `Invalid date (should be seconds since epoch): ${failure.expires}`, {
        status: 403,
      });
    case 'unknown-key':
      return awsError('InvalidAccessKeyId', 'The AWS Access Key Id you provided does not exist in our records.', {
        status: 403,
        members: { AWSAccessKeyId: failure.accessKeyId },
      });
    case 'bad-token':
      return awsError('InvalidToken', 'The provided token is malformed or otherwise invalid.', { status: 400 });
    case 'expired-token':
      return awsError('ExpiredToken', 'The provided token has expired.', { status: 400 });
    case 'skew':
      return awsError(
        'RequestTimeTooSkewed',
        'The difference between the request time and the current time is too large.',
        {
          status: 403,
          members: {
            RequestTime: iso(failure.signedAt),
            ServerTime: iso(failure.now),
            MaxAllowedSkewMilliseconds: '900000',
          },
        },
      );
    case 'expired-url':
      return awsError('AccessDenied', 'Request has expired', {
        status: 403,
        members: {
          ...(failure.seconds !== undefined && { 'X-Amz-Expires': String(failure.seconds) }),
          Expires: iso(failure.expiresAt),
          ServerTime: iso(failure.now),
        },
      });
    case 'unsigned-headers':
      return awsError('AccessDenied', 'There were headers present in the request which were not signed', {
        status: 403,
        members: { HeadersNotSigned: failure.headers.join(', ') },
      });
    case 'mismatch':
      return awsError('SignatureDoesNotMatch', MISMATCH_S3, {
        status: 403,
        members: {
          AWSAccessKeyId: failure.accessKeyId,
          StringToSign: failure.stringToSign,
          SignatureProvided: failure.signature,
          StringToSignBytes: hexBytes(failure.stringToSign),
          ...(failure.canonicalRequest !== undefined && {
            CanonicalRequest: failure.canonicalRequest,
            CanonicalRequestBytes: hexBytes(failure.canonicalRequest),
          }),
        },
      });
  }
}

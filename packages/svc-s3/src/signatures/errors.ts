import type { AuthFailure } from '@emu/core/service';
import type { AwsError } from '@emu/wire';
import { s3Error } from '../errors.ts';

const MISMATCH =
  'The request signature we calculated does not match the signature you provided. Check your key and signing method.';

const iso = (time: number): string => new Date(time).toISOString().replace(/\.\d{3}Z$/, 'Z');
const hexBytes = (text: string): string =>
  Buffer.from(text)
    .toString('hex')
    .replace(/..(?!$)/g, '$& ');

/** Messages about pre-signed queries that differ from those about headers. */
const QUERY_MESSAGES: Readonly<Record<string, string>> = {
  missing:
    'Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.',
  credential:
    'Error parsing the X-Amz-Credential parameter; the Credential is mal-formed; expecting "<YOUR-AKID>/YYYYMMDD/REGION/SERVICE/aws4_request".',
};

/**
 * Returns S3's error for a failed authentication.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */
export function authError(failure: AuthFailure): AwsError {
  switch (failure.kind) {
    case 'missing':
      return s3Error('AccessDenied', 'Access Denied', { status: 403 });
    case 'incomplete':
      if (failure.query)
        return s3Error('AuthorizationQueryParametersError', QUERY_MESSAGES[failure.query] ?? failure.detail, {
          status: 400,
        });
      return malformedHeader(failure.detail);
    case 'scope':
    case 'scope-date':
      return malformedHeader(failure.detail);
    case 'scheme':
      return s3Error(
        'InvalidRequest',
        'The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.',
        { status: 400 },
      );
    case 'incomplete-other':
      return s3Error(
        'AccessDenied',
        'Query-string authentication requires the Signature, Expires and AWSAccessKeyId parameters',
        { status: 403 },
      );
    case 'invalid-expiry':
      return s3Error('AccessDenied', `Invalid date (should be seconds since epoch): ${failure.expires}`, {
        status: 403,
      });
    case 'unknown-key':
      return s3Error('InvalidAccessKeyId', 'The AWS Access Key Id you provided does not exist in our records.', {
        status: 403,
        members: { AWSAccessKeyId: failure.accessKeyId },
      });
    case 'bad-token':
      return s3Error('InvalidToken', 'The provided token is malformed or otherwise invalid.', { status: 400 });
    case 'expired-token':
      return s3Error('ExpiredToken', 'The provided token has expired.', { status: 400 });
    case 'skew':
      return s3Error(
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
      return s3Error('AccessDenied', 'Request has expired', {
        status: 403,
        members: {
          ...(failure.seconds !== undefined && { 'X-Amz-Expires': String(failure.seconds) }),
          Expires: iso(failure.expiresAt),
          ServerTime: iso(failure.now),
        },
      });
    case 'unsigned-headers':
      return s3Error('AccessDenied', 'There were headers present in the request which were not signed', {
        status: 403,
        members: { HeadersNotSigned: failure.headers.join(', ') },
      });
    case 'mismatch':
      return s3Error('SignatureDoesNotMatch', MISMATCH, {
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

const malformedHeader = (detail: string): AwsError =>
  s3Error('AuthorizationHeaderMalformed', `The authorization header is malformed; ${detail}`, { status: 400 });

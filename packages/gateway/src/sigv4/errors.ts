import type { AuthFailure, SignatureRules } from '@emu/core/service';
import { type AwsError, awsError, type Protocol } from '@emu/wire';

const MISMATCH =
  'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.';
const INVALID_TOKEN = 'The security token included in the request is invalid.';
const EXPIRED_TOKEN = 'The security token included in the request is expired';
const MISSING = 'Request is missing Authentication Token';

/** Returns AWS's error for a failed authentication, by the protocol of the service. */
export function authError(failure: AuthFailure, protocol: Protocol, rules: SignatureRules): AwsError {
  if (protocol === 'ec2Query') return ec2QueryError(failure);
  const [code, message] = commonWords(failure, rules);
  if (protocol === 'awsQuery' || protocol === 'restXml')
    return awsError(code, message, { status: code === 'IncompleteSignature' ? 400 : 403 });
  // Clients of services that once used the query protocol read its code from the header.
  const headers = { 'x-amzn-query-error': `${code};Sender` };
  return awsError(JSON_NAMES[code]!, message, protocol === 'restJson1' ? { status: 403 } : { status: 400, headers });
}

/** Codes of the JSON protocols by those of the query protocol. */
const JSON_NAMES: Readonly<Record<string, string>> = {
  MissingAuthenticationToken: 'MissingAuthenticationTokenException',
  IncompleteSignature: 'IncompleteSignatureException',
  InvalidClientTokenId: 'UnrecognizedClientException',
  ExpiredToken: 'ExpiredTokenException',
  SignatureDoesNotMatch: 'InvalidSignatureException',
};

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/CommonErrors.html */
function commonWords(failure: AuthFailure, { describesMismatch }: SignatureRules): [code: string, message: string] {
  switch (failure.kind) {
    case 'missing':
      return ['MissingAuthenticationToken', MISSING];
    case 'incomplete':
      return ['IncompleteSignature', failure.detail];
    case 'scheme':
    case 'incomplete-other':
    case 'invalid-expiry':
      return ['IncompleteSignature', "Unsupported AWS 'algorithm'."];
    case 'unknown-key':
    case 'bad-token':
      return ['InvalidClientTokenId', INVALID_TOKEN];
    case 'expired-token':
      return ['ExpiredToken', EXPIRED_TOKEN];
    case 'scope':
    case 'scope-date':
    case 'skew':
    case 'expired-url':
      return ['SignatureDoesNotMatch', failure.detail];
    case 'unsigned-headers':
      return ['SignatureDoesNotMatch', "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization."];
    case 'mismatch':
      return ['SignatureDoesNotMatch', describesMismatch ? `${MISMATCH}${signedTexts(failure)}` : MISMATCH];
  }
}

/**
 * Returns the part of AWS's message with the texts that should have been signed.
 * @see https://github.com/arnemolland/sigv4/issues/17 for API Gateway, https://github.com/aws/aws-cli/issues/5341 for SQS
 */
const signedTexts = ({ canonicalRequest = '', stringToSign }: Extract<AuthFailure, { kind: 'mismatch' }>): string =>
  `\n\nThe Canonical String for this request should have been\n'${canonicalRequest}'\n\nThe String-to-Sign should have been\n'${stringToSign}'\n`;

/** @see https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html */
function ec2QueryError(failure: AuthFailure): AwsError {
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

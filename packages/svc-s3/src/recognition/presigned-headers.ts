import { decodeQueryText, type HeaderValues } from '@emu/wire';

/** Parameters of the signature itself. */
const SIGNATURE: ReadonlySet<string> = new Set(
  [
    'algorithm',
    'content-sha256',
    'credential',
    'date',
    'expires',
    's3session-token',
    'security-token',
    'signature',
    'signedheaders',
  ].map((name) => `x-amz-${name}`),
);
/** Checksums of a body, which is unknown when a URL is signed: S3 reads them from headers only. */
const CHECKSUM = /^x-amz-(sdk-checksum-algorithm|checksum-(crc|sha|md5|xxhash))/;

/**
 * Returns the headers of a pre-signed request with the parameters of its URL that count as headers. A header that was sent
 * takes precedence.
 * @param query still percent-encoded, without `?`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */
export function withPresignedHeaders(headers: HeaderValues, query: string): HeaderValues {
  let result = headers;
  for (const parameter of query.split('&')) {
    if (!/^x-amz-/i.test(parameter)) continue;
    const equals = parameter.indexOf('=');
    const name = decodeQueryText(equals < 0 ? parameter : parameter.slice(0, equals)).toLowerCase();
    if (SIGNATURE.has(name) || CHECKSUM.test(name) || headers[name] !== undefined) continue;
    if (result === headers) result = { ...headers };
    result[name] = equals < 0 ? '' : decodeQueryText(parameter.slice(equals + 1));
  }
  return result;
}

import type { HeaderValues } from '@emu/wire';
import { decodeQueryText } from '../body/query.ts';

/** Parameters that are the signature itself. */
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
/** Checksums of a body that nobody knew when the URL was signed: S3 looks for them in headers only. */
const CHECKSUM = /^x-amz-(sdk-checksum-algorithm|checksum-(crc|sha|md5|xxhash))/;

/**
 * The headers of a pre-signed request to S3, with those that its URL carries as parameters, which count as headers; one
 * that was sent as a header stays.
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

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AuthFailure, OtherSignature, SignedRequest } from '@emu/core/service';
import { headerOf, queryParameter } from '@emu/wire';

/** Query parameters that are signed with the path. */
const SIGNED_PARAMETERS: ReadonlySet<string> = new Set([
  ...['accelerate', 'acl', 'analytics', 'cors', 'defaultObjectAcl', 'delete', 'inventory', 'lifecycle', 'location'],
  ...['logging', 'metrics', 'notification', 'object-lock', 'partNumber', 'policy', 'replication', 'requestPayment'],
  ...['response-cache-control', 'response-content-disposition', 'response-content-encoding', 'response-expires'],
  ...['response-content-language', 'response-content-type', 'restore', 'select', 'select-type', 'storageClass'],
  ...['tagging', 'torrent', 'uploadId', 'uploads', 'versionId', 'versioning', 'versions', 'website'],
]);

/**
 * Reads a version 2 signature in a query.
 * @returns the signature, or the failure of an invalid one; undefined without one
 */
export function readSignatureV2(query: string): OtherSignature | AuthFailure | undefined {
  const names = ['AWSAccessKeyId', 'Signature', 'Expires'];
  const [accessKeyId, signature, expires] = names.map((name) => queryParameter(query, name));
  if (accessKeyId === undefined && signature === undefined) return undefined;
  if (!accessKeyId || !signature || !expires) return { kind: 'incomplete-other' };
  if (!/^\d{1,12}$/.test(expires)) return { kind: 'invalid-expiry', expires };
  return {
    accessKeyId,
    signature,
    sessionToken: queryParameter(query, 'x-amz-security-token'),
    expiresAt: Number(expires) * 1000,
    stringToSign: (request) => stringToSign(request, expires),
    verifies: (text, secretAccessKey) => verifies(text, signature, secretAccessKey),
  };
}

/**
 * Returns the text signed by a version 2 signature.
 * @param expires as sent, in seconds since 1970
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/RESTAuthentication.html
 */
function stringToSign(request: SignedRequest, expires: string): string {
  const { method, path, resourcePath = path, query, headers } = request;
  // A pre-signed URL contains headers as query parameters.
  const value = (name: string): string => queryParameter(query, name) ?? headerOf(headers, name)?.trim() ?? '';
  const parts = query.split('&').filter((part) => part !== '');
  const parameters = parts.map((part) => part.split('=', 1)[0]!);
  const names = [...parameters, ...Object.keys(headers)].map((name) => name.toLowerCase());
  const amazon = [...new Set(names)].filter((name) => name.startsWith('x-amz-'));
  const signed = parameters
    .filter((name) => SIGNED_PARAMETERS.has(name))
    .sort()
    .map((name) => {
      const text = queryParameter(query, name)!;
      return text === '' ? name : `${name}=${text}`;
    });
  return [
    method,
    value('content-md5'),
    value('content-type'),
    expires,
    ...amazon.sort().map((name) => `${name}:${value(name)}`),
    signed.length ? `${resourcePath}?${signed.join('&')}` : resourcePath,
  ].join('\n');
}

/**
 * Whether a signature matches a text and a secret key.
 * @param signature the base64 of an HMAC-SHA-1
 */
function verifies(text: string, signature: string, secretAccessKey: string): boolean {
  const wanted = createHmac('sha1', secretAccessKey).update(text).digest();
  const given = Buffer.from(signature, 'base64');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

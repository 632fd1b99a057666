import { createHmac, timingSafeEqual } from 'node:crypto';
import type { HeaderValues } from '@emu/wire';
import { queryParameter } from '../body/query.ts';
import { headerOf } from '../identify/identify.ts';
import type { AuthFailure } from './errors.ts';

/** S3's older signature in the query of a pre-signed URL, which clients still make where the region has it. */
export interface QuerySignatureV2 {
  accessKeyId: string;
  /** Base64 of an HMAC-SHA-1. */
  signature: string;
  /** As sent: seconds since 1970. */
  expires: string;
  sessionToken: string | undefined;
}

/** A request as its older signature covers it. */
export interface RequestV2 {
  method: string;
  /** As sent, with the bucket in front. */
  path: string;
  query: string;
  headers: HeaderValues;
}

/** Parameters of the query that are signed with the path. */
const SIGNED_PARAMETERS: ReadonlySet<string> = new Set([
  ...['accelerate', 'acl', 'analytics', 'cors', 'defaultObjectAcl', 'delete', 'inventory', 'lifecycle', 'location'],
  ...['logging', 'metrics', 'notification', 'object-lock', 'partNumber', 'policy', 'replication', 'requestPayment'],
  ...['response-cache-control', 'response-content-disposition', 'response-content-encoding', 'response-expires'],
  ...['response-content-language', 'response-content-type', 'restore', 'select', 'select-type', 'storageClass'],
  ...['tagging', 'torrent', 'uploadId', 'uploads', 'versionId', 'versioning', 'versions', 'website'],
]);

/**
 * The access key of S3's older signatures, in the `Authorization` header or the query; undefined where there is none.
 * Checks nothing.
 */
export function accessKeyOfV2(headers: HeaderValues, query: string): string | undefined {
  const authorization = headerOf(headers, 'authorization');
  if (authorization !== undefined) return /^AWS ([^:\s]+):/.exec(authorization)?.[1];
  return query.includes('AWSAccessKeyId=') ? queryParameter(query, 'AWSAccessKeyId') : undefined;
}

/** The older signature of a query, what is wrong with it, or undefined where there is none. */
export function readQueryV2(query: string): QuerySignatureV2 | AuthFailure | undefined {
  const names = ['AWSAccessKeyId', 'Signature', 'Expires'];
  const [accessKeyId, signature, expires] = names.map((name) => queryParameter(query, name));
  if (accessKeyId === undefined && signature === undefined) return undefined;
  if (!accessKeyId || !signature || !expires) return { kind: 'incomplete-v2' };
  if (!/^\d{1,12}$/.test(expires)) return { kind: 'bad-expiry-v2', expires };
  return { accessKeyId, signature, expires, sessionToken: queryParameter(query, 'x-amz-security-token') };
}

/**
 * What the older signature signs.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/RESTAuthentication.html
 */
export function stringToSignV2({ method, path, query, headers }: RequestV2, { expires }: QuerySignatureV2): string {
  // What a URL has to have of headers is in its query.
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
    signed.length ? `${path}?${signed.join('&')}` : path,
  ].join('\n');
}

/** Whether a signature is of a text and a secret key. */
export function verifiesV2(stringToSign: string, signature: string, secretAccessKey: string): boolean {
  const wanted = createHmac('sha1', secretAccessKey).update(stringToSign).digest();
  const given = Buffer.from(signature, 'base64');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

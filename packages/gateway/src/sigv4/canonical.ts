import { createHash } from 'node:crypto';
import { decodeQueryText, type HeaderValues } from '@emu/wire';

/** Returns the SHA-256 in lower-case hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** Percent-encodes all but unreserved characters, as SigV4 does. */
function uriEncode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * Returns the path as it is signed: normalised and encoded a second time.
 * @param asSent for services that sign the path encoded once and otherwise unchanged
 */
export function canonicalPath(path: string, asSent: boolean): string {
  if (asSent) return path.split('/').map(reencode).join('/');
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') segments.pop();
    else segments.push(uriEncode(segment));
  }
  const normal = `/${segments.join('/')}`;
  return segments.length && path.endsWith('/') ? `${normal}/` : normal;
}

function reencode(segment: string): string {
  try {
    return uriEncode(decodeURIComponent(segment));
  } catch {
    return uriEncode(segment);
  }
}

/** Returns the query as it is signed: sorted, without the signature of a presigned URL. */
export function canonicalQuery(query: string): string {
  const pairs: [name: string, value: string][] = [];
  for (const part of query.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = uriEncode(decodeQueryText(equals < 0 ? part : part.slice(0, equals)));
    if (name === 'X-Amz-Signature') continue;
    pairs.push([name, uriEncode(decodeQueryText(equals < 0 ? '' : part.slice(equals + 1)))]);
  }
  pairs.sort(([a, x], [b, y]) => compare(a, b) || compare(x, y));
  return pairs.map(([name, value]) => `${name}=${value}`).join('&');
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Returns the lines of the signed headers. A missing header has an empty value. */
function canonicalHeaders(headers: HeaderValues, signed: readonly string[]): string {
  let lines = '';
  for (const name of signed) {
    const value = headers[name];
    const text = (Array.isArray(value) ? value : [value ?? '']).map((one) => one.trim().replace(/ +/g, ' ')).join(',');
    lines += `${name}:${text}\n`;
  }
  return lines;
}

/** Parts of a canonical request. */
export interface CanonicalParts {
  method: string;
  /** As sent. */
  path: string;
  /** As sent, without `?`. */
  query: string;
  headers: HeaderValues;
  /** Names of the signed headers, lower-case and sorted. */
  signedHeaders: readonly string[];
  payloadHash: string;
  /** Whether the path is signed as it was sent. */
  pathAsSent: boolean;
}

/** @see https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html#create-canonical-request */
export function canonicalRequest(parts: CanonicalParts): string {
  const { method, path, query, headers, signedHeaders, payloadHash, pathAsSent } = parts;
  return [
    method,
    canonicalPath(path, pathAsSent),
    canonicalQuery(query),
    canonicalHeaders(headers, signedHeaders),
    signedHeaders.join(';'),
    payloadHash,
  ].join('\n');
}

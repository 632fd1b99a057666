import { s3Error } from '../errors.ts';
import type { SystemMetadata } from '../records.ts';
import { decodedWords } from './mail-safe.ts';

/** Maximum bytes of an object's user metadata, names and values. */
const MAX_USER_METADATA = 2048;

/** Metadata of objects without any: shared, because every object's record refers to it. */
const NO_METADATA: Readonly<Record<string, string>> = Object.freeze({});

/** Request members stored as the object's headers. */
export interface MetadataInput {
  CacheControl?: string | undefined;
  ContentDisposition?: string | undefined;
  ContentEncoding?: string | undefined;
  ContentLanguage?: string | undefined;
  ContentType?: string | undefined;
  Expires?: string | undefined;
  Metadata?: { [key: string]: string } | undefined;
}

/** Returns the headers that S3 stores with an object. `aws-chunked` belongs to the transfer and is removed. */
export function systemMetadataOf(input: MetadataInput): SystemMetadata {
  const { CacheControl, ContentDisposition, ContentEncoding, ContentLanguage, ContentType, Expires } = input;
  const system: { -readonly [Name in keyof SystemMetadata]: SystemMetadata[Name] } = {};
  // Undefined members are omitted to keep records small.
  if (CacheControl !== undefined) system.cacheControl = CacheControl;
  if (ContentDisposition !== undefined) system.contentDisposition = ContentDisposition;
  const encoding = ContentEncoding && ownEncoding(ContentEncoding);
  if (encoding) system.contentEncoding = encoding;
  if (ContentLanguage !== undefined) system.contentLanguage = ContentLanguage;
  if (ContentType !== undefined) system.contentType = ContentType;
  if (Expires !== undefined) system.expires = Expires;
  return system;
}

/** Returns the content codings of an object without the transfer's. */
const ownEncoding = (header: string): string =>
  header
    .replace(/(^|,)\s*aws-chunked\s*(?=,|$)/gi, '')
    .replace(/^\s*,/, '')
    .trim();

/**
 * Returns the user metadata by lower-case name.
 * @param headers raw request headers, one character per byte, as S3 reads them; undefined for metadata from another
 * source
 * @throws AwsError `MetadataTooLarge`
 */
export function userMetadataOf(
  input: MetadataInput,
  headers: Readonly<Record<string, string | string[] | undefined>> | undefined,
): Readonly<Record<string, string>> {
  if (!input.Metadata) return NO_METADATA;
  const out: Record<string, string> = {};
  let size = 0;
  for (const [name, given] of Object.entries(input.Metadata)) {
    const header = headers?.[`x-amz-meta-${name.toLowerCase()}`];
    const value = headers ? decodedWords(typeof header === 'string' ? header : given) : given;
    out[name.toLowerCase()] = value;
    size += Buffer.byteLength(name) + Buffer.byteLength(value);
  }
  if (size > MAX_USER_METADATA)
    throw s3Error('MetadataTooLarge', 'Your metadata headers exceed the maximum allowed metadata size', {
      status: 400,
      members: { Size: String(size), MaxSizeAllowed: String(MAX_USER_METADATA) },
    });
  return out;
}

/** Adds an object's stored headers to a response. */
export function addSystemMembers(
  output: Omit<MetadataInput, 'Metadata'>,
  { cacheControl, contentDisposition, contentEncoding, contentLanguage, contentType, expires }: SystemMetadata,
): void {
  if (cacheControl !== undefined) output.CacheControl = cacheControl;
  if (contentDisposition !== undefined) output.ContentDisposition = contentDisposition;
  if (contentEncoding !== undefined) output.ContentEncoding = contentEncoding;
  if (contentLanguage !== undefined) output.ContentLanguage = contentLanguage;
  output.ContentType = contentType ?? 'binary/octet-stream';
  if (expires !== undefined) output.Expires = expires;
}

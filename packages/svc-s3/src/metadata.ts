import type { DeepReadonly } from '@emu/core';
import { awsError } from '@emu/wire';
import { decodedWords } from './mail-safe.ts';
import type { SystemMetadata } from './records.ts';

/** Bytes of all user metadata of an object, names and values. */
const MAX_USER_METADATA = 2048;

/** The members of a request that become an object's own headers. */
export interface MetadataInput {
  CacheControl?: string | undefined;
  ContentDisposition?: string | undefined;
  ContentEncoding?: string | undefined;
  ContentLanguage?: string | undefined;
  ContentType?: string | undefined;
  Expires?: string | undefined;
  Metadata?: { [key: string]: string } | undefined;
}

/** The headers S3 keeps with an object. `aws-chunked` is of the transfer and does not stay. */
export function systemMetadataOf(input: MetadataInput): SystemMetadata {
  const encoding = input.ContentEncoding?.split(',')
    .map((part) => part.trim())
    .filter((part) => part.toLowerCase() !== 'aws-chunked' && part !== '')
    .join(',');
  return defined({
    cacheControl: input.CacheControl,
    contentDisposition: input.ContentDisposition,
    contentEncoding: encoding === '' ? undefined : encoding,
    contentLanguage: input.ContentLanguage,
    contentType: input.ContentType,
    expires: input.Expires,
  });
}

/**
 * User metadata by lower-case name.
 * @param headers of the request, as they came: each byte a character, which is how S3 reads them; undefined where the
 *   metadata is not in headers
 * @throws AwsError `MetadataTooLarge`
 */
export function userMetadataOf(
  input: MetadataInput,
  headers: Readonly<Record<string, string | string[] | undefined>> | undefined,
): Record<string, string> {
  const out: Record<string, string> = {};
  let size = 0;
  for (const [name, given] of Object.entries(input.Metadata ?? {})) {
    const header = headers?.[`x-amz-meta-${name.toLowerCase()}`];
    const value = headers ? decodedWords(typeof header === 'string' ? header : given) : given;
    out[name.toLowerCase()] = value;
    size += Buffer.byteLength(name) + Buffer.byteLength(value);
  }
  if (size > MAX_USER_METADATA)
    throw awsError('MetadataTooLarge', 'Your metadata headers exceed the maximum allowed metadata size', {
      status: 400,
      members: { Size: String(size), MaxSizeAllowed: String(MAX_USER_METADATA) },
    });
  return out;
}

/** An object's own headers, as a response has them. */
export function systemMembers(system: DeepReadonly<SystemMetadata>): Omit<MetadataInput, 'Metadata'> {
  return {
    CacheControl: system.cacheControl,
    ContentDisposition: system.contentDisposition,
    ContentEncoding: system.contentEncoding,
    ContentLanguage: system.contentLanguage,
    ContentType: system.contentType ?? 'binary/octet-stream',
    Expires: system.expires,
  };
}

/** Drops members that are undefined, so that records stay small. */
function defined<T extends object>(value: { [Name in keyof T]: T[Name] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}

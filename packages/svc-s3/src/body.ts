import { createHash } from 'node:crypto';
import type { BodyStore } from '@emu/core';
import { awsError } from '@emu/wire';
import { type ChecksumMembers, createHasher, type GivenChecksum, givenChecksum, verifyChecksum } from './checksums.ts';
import { invalidArgument } from './errors.ts';
import type { S3Context } from './lookup.ts';
import type { Segment, StoredChecksum } from './records.ts';

/** Bytes of the largest body of one request. */
export const MAX_UPLOAD = 5 * 1024 ** 3;

/** What is known of a body once it has been received and found right. */
export interface ReceivedBody {
  readonly segment: Segment;
  /** MD5 in hexadecimal. */
  readonly md5: string;
  readonly checksum: StoredChecksum;
}

/** The members of a request that describe its body. */
export type BodyInput = ChecksumMembers & {
  Body?: AsyncIterable<Uint8Array> | Uint8Array | string | undefined;
  ContentLength?: number | undefined;
  ContentMD5?: string | undefined;
};

/** The algorithm S3 adds a checksum of where the caller gives none. */
const DEFAULT_ALGORITHM = 'CRC64NVME';

const tooLarge = (size: number): Error =>
  awsError('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size', {
    status: 400,
    members: { MaxSizeAllowed: String(MAX_UPLOAD), ProposedSize: String(size) },
  });

/**
 * Receives a body into the store and compares it with every digest the caller gave. The caller of this function
 * releases the segment's body once its record is put, or when it makes none.
 * @param algorithm algorithm of the checksum to compute where the caller gives none
 * @throws AwsError `BadDigest`, `InvalidDigest`, `InvalidRequest`, `IncompleteBody`, `EntityTooLarge`; nothing is
 *   kept then
 */
export async function receiveBody(
  ctx: S3Context,
  input: BodyInput,
  algorithm: StoredChecksum['algorithm'] = DEFAULT_ALGORITHM,
): Promise<ReceivedBody> {
  const headers = ctx.http?.headers;
  const given = givenChecksum(input, headers);
  const expectedMd5 = input.ContentMD5 === undefined ? undefined : checkedMd5(input.ContentMD5);
  const expectedSize = expectedSizeOf(input, headers);
  if (expectedSize !== undefined && expectedSize > MAX_UPLOAD) throw tooLarge(expectedSize);
  const used = given?.algorithm ?? algorithm;
  const hasher = await createHasher(used);
  const md5 = createHash('md5');
  let size = 0;
  const { id } = await ctx.bodies.write(sourceOf(input.Body), (chunk) => {
    size += chunk.length;
    if (size > MAX_UPLOAD) throw tooLarge(size);
    md5.update(chunk);
    hasher.update(chunk);
  });
  try {
    if (expectedSize !== undefined && size !== expectedSize)
      throw awsError(
        'IncompleteBody',
        'You did not provide the number of bytes specified by the Content-Length HTTP header',
        {
          status: 400,
          members: { NumberBytesExpected: String(expectedSize), NumberBytesProvided: String(size) },
        },
      );
    const md5Hex = md5.digest('hex');
    if (expectedMd5 !== undefined && expectedMd5 !== md5Hex)
      throw awsError('BadDigest', 'The Content-MD5 you specified did not match what we received.', {
        status: 400,
        members: { ExpectedDigest: expectedMd5, CalculatedDigest: Buffer.from(md5Hex, 'hex').toString('base64') },
      });
    const value = await hasher.digest();
    if (given) verifyGiven(given, value, ctx);
    return { segment: { body: id, size }, md5: md5Hex, checksum: { algorithm: used, value, type: 'FULL_OBJECT' } };
  } catch (error) {
    ctx.bodies.release(id);
    throw error;
  }
}

function verifyGiven(given: GivenChecksum, value: string, ctx: S3Context): void {
  // The gateway adds the trailers to the headers when it has read the body.
  verifyChecksum(given, value, ctx.http?.headers);
}

/** `Content-MD5` in hexadecimal. @throws AwsError `InvalidDigest` */
export function checkedMd5(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length !== 16 || bytes.toString('base64') !== base64)
    throw awsError('InvalidDigest', 'The Content-MD5 you specified was invalid.', {
      status: 400,
      members: { 'Content-MD5': base64 },
    });
  return bytes.toString('hex');
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Bytes that the caller says it sends. @throws AwsError `MissingContentLength`, `InvalidArgument` */
function expectedSizeOf(input: BodyInput, headers: Headers | undefined): number | undefined {
  const decoded = headers?.['x-amz-decoded-content-length'];
  if (decoded !== undefined) {
    const size = Number(decoded);
    if (!Number.isSafeInteger(size) || size < 0)
      throw invalidArgument(
        'The value for x-amz-decoded-content-length is invalid.',
        'x-amz-decoded-content-length',
        String(decoded),
      );
    return size;
  }
  return input.ContentLength;
}

function sourceOf(body: BodyInput['Body']): AsyncIterable<Uint8Array> | Uint8Array {
  if (body === undefined) return new Uint8Array(0);
  return typeof body === 'string' ? Buffer.from(body) : body;
}

/**
 * Streams the content of an object, or a part of it.
 * @param start first byte; `end` is excluded
 */
export function readContent(
  bodies: BodyStore,
  content: readonly Segment[],
  start: number,
  end: number,
): AsyncIterable<Uint8Array> {
  const pieces: { body: string; start: number; end: number }[] = [];
  let offset = 0;
  for (const { body, size } of content) {
    const from = Math.max(start - offset, 0);
    const to = Math.min(end - offset, size);
    if (from < to) pieces.push({ body, start: from, end: to });
    offset += size;
  }
  if (pieces.length === 1) {
    const [{ body, start, end }] = pieces as [{ body: string; start: number; end: number }];
    return bodies.read(body, { start, end });
  }
  return readPieces(bodies, pieces);
}

/** Reads one body after the other; all of them are kept until the reader is done. */
async function* readPieces(
  bodies: BodyStore,
  pieces: readonly { body: string; start: number; end: number }[],
): AsyncGenerator<Uint8Array> {
  for (const { body } of pieces) bodies.retain(body);
  try {
    for (const { body, start, end } of pieces) yield* bodies.read(body, { start, end });
  } finally {
    for (const { body } of pieces) bodies.release(body);
  }
}

import { hash } from 'node:crypto';
import { type BodyStore, type BodyStream, whenReady } from '@emu/core/service';
import { WholeBody } from '@emu/wire';
import type { S3Context } from '../context.ts';
import { invalidArgument, s3Error } from '../errors.ts';
import type { Segment, StoredChecksum } from '../records.ts';
import {
  type ChecksumAlgorithm,
  type ChecksumMembers,
  checksumOf,
  createHasher,
  type GivenChecksum,
  givenChecksum,
  verifyChecksum,
} from './checksums.ts';
import { LazyHash } from './lazy-hash.ts';

/** Maximum bytes of a request body. */
const MAX_UPLOAD = 5 * 1024 ** 3;

/** Properties of a received and verified body. */
export interface ReceivedBody {
  readonly segment: Segment;
  /** MD5 in hexadecimal. */
  readonly md5: string;
  readonly checksum: StoredChecksum;
  /** Verified checksum of the caller, if its algorithm differs from `checksum`. */
  readonly given: { readonly algorithm: ChecksumAlgorithm; readonly value: string } | undefined;
}

/** Members that describe a request's body. */
export type BodyInput = ChecksumMembers & {
  Body?: AsyncIterable<Uint8Array> | Uint8Array | string | undefined;
  ContentLength?: number | undefined;
  ContentMD5?: string | undefined;
};

/** Options for receiving a body. */
export interface ReceiveOptions {
  /** Algorithm to compute; by default the caller's, otherwise CRC-64/NVME. */
  algorithm?: ChecksumAlgorithm | undefined;
  /** Whether the bytes come from the store instead of a request. */
  internal?: boolean;
  /** Whether they are part of a larger object. */
  isPart?: boolean;
}

/** Algorithm that S3 uses if the caller gives none. */
const DEFAULT_ALGORITHM = 'CRC64NVME';

const tooLarge = (size: number): Error =>
  s3Error('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size', {
    status: 400,
    members: { MaxSizeAllowed: String(MAX_UPLOAD), ProposedSize: String(size) },
  });

/**
 * Stores a body and verifies all digests of the caller. The caller of this function releases the segment's body after
 * storing its record, or on failure.
 * @throws AwsError `BadDigest`, `InvalidDigest`, `InvalidRequest`, `IncompleteBody`, `EntityTooLarge`; nothing is
 * stored then
 */
export function receiveBody(
  ctx: S3Context,
  input: BodyInput,
  { algorithm, internal = false, isPart = false }: ReceiveOptions = {},
): ReceivedBody | Promise<ReceivedBody> {
  const headers = internal ? undefined : ctx.http?.headers;
  const given = internal ? undefined : givenChecksum(input, headers);
  const expectedMd5 = input.ContentMD5 === undefined ? undefined : checkedMd5(input.ContentMD5);
  const expectedSize = expectedSizeOf(input, headers);
  if (expectedSize !== undefined && expectedSize > MAX_UPLOAD) throw tooLarge(expectedSize);
  const wanted: Wanted = {
    expectedSize,
    expectedMd5,
    given,
    kept: algorithm ?? given?.algorithm ?? DEFAULT_ALGORITHM,
  };
  const source = sourceOf(input.Body);
  if (source instanceof Uint8Array || source instanceof WholeBody)
    return receiveWhole(ctx, source instanceof Uint8Array ? source : source.bytes, wanted);
  return receiveStream(ctx, source, wanted, isPart);
}

/** Expected properties of a body. */
interface Wanted {
  readonly expectedSize: number | undefined;
  /** In hexadecimal. */
  readonly expectedMd5: string | undefined;
  readonly given: GivenChecksum | undefined;
  /** Of the stored checksum. */
  readonly kept: ChecksumAlgorithm;
}

/**
 * Receives a small body that is already in memory: processing it as a whole is cheaper, and synchronous unless its
 * checksums or the store require waiting.
 */
function receiveWhole(ctx: S3Context, bytes: Uint8Array, wanted: Wanted): ReceivedBody | Promise<ReceivedBody> {
  if (bytes.length > MAX_UPLOAD) throw tooLarge(bytes.length);
  const { kept, given } = wanted;
  const md5 = hash('md5', bytes);
  const value = checksumOf(kept, bytes);
  const check = given && given.algorithm !== kept ? checksumOf(given.algorithm, bytes) : value;
  if (typeof value === 'string' && typeof check === 'string') return storeWhole(ctx, bytes, wanted, md5, value, check);
  return Promise.all([value, check]).then(([value, check]) => storeWhole(ctx, bytes, wanted, md5, value, check));
}

/**
 * Stores a body if it matches its sender's digests.
 * @param check checksum in the given algorithm, in base64
 */
function storeWhole(
  ctx: S3Context,
  bytes: Uint8Array,
  wanted: Wanted,
  md5: string,
  value: string,
  check: string,
): ReceivedBody | Promise<ReceivedBody> {
  const given = verified(ctx, wanted, bytes.length, md5, check);
  return whenReady(
    ctx.bodies.write(bytes),
    ({ id }): ReceivedBody => ({
      segment: { body: id, size: bytes.length },
      md5,
      checksum: { algorithm: wanted.kept, value, type: 'FULL_OBJECT' },
      given,
    }),
  );
}

async function receiveStream(
  ctx: S3Context,
  source: AsyncIterable<Uint8Array>,
  wanted: Wanted,
  part: boolean,
): Promise<ReceivedBody> {
  const { kept, given } = wanted;
  const hasher = await createHasher(kept);
  const check = given && given.algorithm !== kept ? await createHasher(given.algorithm) : undefined;
  const md5 = new LazyHash('md5');
  let size = 0;
  const { id } = await ctx.bodies.write(
    source,
    (chunk) => {
      size += chunk.length;
      if (size > MAX_UPLOAD) throw tooLarge(size);
      md5.update(chunk);
      hasher.update(chunk);
      check?.update(chunk);
    },
    { size: wanted.expectedSize, part },
  );
  try {
    const md5Hex = md5.digest('hex');
    const value = await hasher.digest();
    const checked = verified(ctx, wanted, size, md5Hex, check ? await check.digest() : value);
    return {
      segment: { body: id, size },
      md5: md5Hex,
      checksum: { algorithm: kept, value, type: 'FULL_OBJECT' },
      given: checked,
    };
  } catch (error) {
    ctx.bodies.release(id);
    throw error;
  }
}

/**
 * Verifies a body against its sender's digests.
 * @param md5 in hexadecimal
 * @param checksum in the given algorithm, in base64
 * @throws AwsError `IncompleteBody`, `BadDigest`, `InvalidRequest`
 */
function verified(
  ctx: S3Context,
  { expectedSize, expectedMd5, given }: Wanted,
  size: number,
  md5: string,
  checksum: string,
): ReceivedBody['given'] {
  if (expectedSize !== undefined && size !== expectedSize) throw incomplete(expectedSize, size);
  if (expectedMd5 !== undefined && expectedMd5 !== md5) throw wrongMd5(expectedMd5, md5);
  if (!given) return undefined;
  // The gateway has already merged the trailers into the headers.
  verifyChecksum(given, checksum, ctx.http?.headers);
  return { algorithm: given.algorithm, value: checksum };
}

const incomplete = (expected: number, size: number): Error =>
  s3Error('IncompleteBody', 'You did not provide the number of bytes specified by the Content-Length HTTP header', {
    status: 400,
    members: { NumberBytesExpected: String(expected), NumberBytesProvided: String(size) },
  });

/** Creates the error for a wrong MD5, with both digests in hexadecimal. */
export const wrongMd5 = (expected: string, computed: string): Error =>
  s3Error('BadDigest', 'The Content-MD5 you specified did not match what we received.', {
    status: 400,
    members: { ExpectedDigest: expected, CalculatedDigest: Buffer.from(computed, 'hex').toString('base64') },
  });

/**
 * Returns `Content-MD5` in hexadecimal.
 * @throws AwsError `InvalidDigest`
 */
export function checkedMd5(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length !== 16 || bytes.toString('base64') !== base64)
    throw s3Error('InvalidDigest', 'The Content-MD5 you specified was invalid.', {
      status: 400,
      members: { 'Content-MD5': base64 },
    });
  return bytes.toString('hex');
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Returns the declared length in bytes.
 * @throws AwsError `MissingContentLength`, `InvalidArgument`
 */
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
  if (headers) checkLength(headers);
  return input.ContentLength;
}

/**
 * Checks the declared length. S3 requires the length in advance: chunked bodies must declare it in a separate header.
 * @throws AwsError `MissingContentLength`, `NotImplemented`
 */
function checkLength(headers: Headers): void {
  if (headers['content-length'] !== undefined) return;
  if (headers['transfer-encoding'] !== undefined)
    throw s3Error('NotImplemented', 'A header you provided implies functionality that is not implemented', {
      status: 501,
      members: { Header: 'Transfer-Encoding' },
    });
  throw s3Error('MissingContentLength', 'You must provide the Content-Length HTTP header.', { status: 411 });
}

function sourceOf(body: BodyInput['Body']): AsyncIterable<Uint8Array> | Uint8Array {
  if (body === undefined) return new Uint8Array(0);
  return typeof body === 'string' ? Buffer.from(body) : body;
}

/**
 * Verifies that an object's stored content is intact, for responses that do not read it.
 * @throws AwsError `InternalError` (500) if it is damaged
 */
export async function checkContent(bodies: BodyStore, content: readonly Pick<Segment, 'body'>[]): Promise<void> {
  for (const { body } of content) bodies.retain(body);
  try {
    for (const { body } of content) await bodies.check(body);
  } finally {
    for (const { body } of content) bodies.release(body);
  }
}

/**
 * Streams the content of an object or a part of it.
 * @param start first byte; `end` is exclusive
 */
export function readContent(bodies: BodyStore, content: readonly Segment[], start: number, end: number): BodyStream {
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
  const stream: BodyStream = readPieces(bodies, pieces);
  stream.ready = () => checkContent(bodies, pieces);
  return stream;
}

/** Reads bodies in sequence; all are retained until the reader is done. */
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

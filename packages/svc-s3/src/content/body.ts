import { hash } from 'node:crypto';
import { type BodyStore, type BodyStream, whenReady } from '@emu/core/service';
import { awsError, WholeBody } from '@emu/wire';
import type { S3Context } from '../context.ts';
import { invalidArgument } from '../errors.ts';
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

/** Bytes of the largest body of one request. */
const MAX_UPLOAD = 5 * 1024 ** 3;

/** What is known of a body once it has been received and found right. */
export interface ReceivedBody {
  readonly segment: Segment;
  /** MD5 in hexadecimal. */
  readonly md5: string;
  readonly checksum: StoredChecksum;
  /** What the caller gave and was found right, where it is of another algorithm than `checksum`. */
  readonly given: { readonly algorithm: ChecksumAlgorithm; readonly value: string } | undefined;
}

/** The members of a request that describe its body. */
export type BodyInput = ChecksumMembers & {
  Body?: AsyncIterable<Uint8Array> | Uint8Array | string | undefined;
  ContentLength?: number | undefined;
  ContentMD5?: string | undefined;
};

/** What a body is received for. */
export interface ReceiveOptions {
  /** Of the checksum to compute; by default the one the caller gives, else CRC-64/NVME. */
  algorithm?: ChecksumAlgorithm | undefined;
  /** Whether the bytes come from the store itself, and not from the request. */
  internal?: boolean;
  /** Whether they are a part of a larger object. */
  isPart?: boolean;
}

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
 * @throws AwsError `BadDigest`, `InvalidDigest`, `InvalidRequest`, `IncompleteBody`, `EntityTooLarge`; nothing is
 *   kept then
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

/** What a body must come up to. */
interface Wanted {
  readonly expectedSize: number | undefined;
  /** In hexadecimal. */
  readonly expectedMd5: string | undefined;
  readonly given: GivenChecksum | undefined;
  /** Of the checksum that is kept. */
  readonly kept: ChecksumAlgorithm;
}

/**
 * A body that is in memory already, as small ones are: it costs much less to look at it as a whole, and at once where
 * neither its checksums nor the store have to be waited for.
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

/** Stores a body if it is what its sender said of it. @param check checksum of the algorithm that was given, in base64 */
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
 * Compares a body with what its sender said of it.
 * @param md5 in hexadecimal
 * @param checksum of the algorithm that was given, in base64
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
  // The gateway has added the trailers to the headers by now.
  verifyChecksum(given, checksum, ctx.http?.headers);
  return { algorithm: given.algorithm, value: checksum };
}

const incomplete = (expected: number, size: number): Error =>
  awsError('IncompleteBody', 'You did not provide the number of bytes specified by the Content-Length HTTP header', {
    status: 400,
    members: { NumberBytesExpected: String(expected), NumberBytesProvided: String(size) },
  });

/** Both digests in hexadecimal. */
export const wrongMd5 = (expected: string, computed: string): Error =>
  awsError('BadDigest', 'The Content-MD5 you specified did not match what we received.', {
    status: 400,
    members: { ExpectedDigest: expected, CalculatedDigest: Buffer.from(computed, 'hex').toString('base64') },
  });

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
  if (headers) checkLength(headers);
  return input.ContentLength;
}

/**
 * S3 takes bodies whose length it knows before: one in chunks has to say it in a header of its own.
 * @throws AwsError `MissingContentLength`, `NotImplemented`
 */
function checkLength(headers: Headers): void {
  if (headers['content-length'] !== undefined) return;
  if (headers['transfer-encoding'] !== undefined)
    throw awsError('NotImplemented', 'A header you provided implies functionality that is not implemented', {
      status: 501,
      members: { Header: 'Transfer-Encoding' },
    });
  throw awsError('MissingContentLength', 'You must provide the Content-Length HTTP header.', { status: 411 });
}

function sourceOf(body: BodyInput['Body']): AsyncIterable<Uint8Array> | Uint8Array {
  if (body === undefined) return new Uint8Array(0);
  return typeof body === 'string' ? Buffer.from(body) : body;
}

/**
 * Makes sure that what is stored of an object is what was written, for answers that do not read it.
 * @throws AwsError `InternalError` (500) where it is not
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
 * Streams the content of an object, or a part of it.
 * @param start first byte; `end` is excluded
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

import { crc32 } from 'node:zlib';
import { whenReady } from '@emu/core/service';
import type { AwsError } from '@emu/wire';
import { createXXHash3, createXXHash64, createXXHash128 } from 'hash-wasm';
import { invalidRequest, s3Error } from '../errors.ts';
import { LazyHash } from './lazy-hash.ts';
import { wasmChecksum } from './wasm-checksums.ts';

/**
 * Checksum algorithms of S3. @see
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html
 */
export type ChecksumAlgorithm =
  | 'CRC32'
  | 'CRC32C'
  | 'CRC64NVME'
  | 'SHA1'
  | 'SHA256'
  | 'SHA512'
  | 'MD5'
  | 'XXHASH64'
  | 'XXHASH3'
  | 'XXHASH128';
/** Whether a checksum covers the whole object or its parts' checksums. */
export type ChecksumType = 'FULL_OBJECT' | 'COMPOSITE';

/** All algorithms in S3's order. */
export const CHECKSUM_ALGORITHMS: readonly ChecksumAlgorithm[] = [
  'CRC32',
  'CRC32C',
  'CRC64NVME',
  'SHA1',
  'SHA256',
  'SHA512',
  'MD5',
  'XXHASH64',
  'XXHASH3',
  'XXHASH128',
];

/** Checksum lengths in bytes before base64. */
const LENGTHS: Record<ChecksumAlgorithm, number> = {
  CRC32: 4,
  CRC32C: 4,
  CRC64NVME: 8,
  SHA1: 20,
  SHA256: 32,
  SHA512: 64,
  MD5: 16,
  XXHASH64: 8,
  XXHASH3: 8,
  XXHASH128: 16,
};

/** Checksum members of inputs and outputs, e.g. `ChecksumCRC32`. */
export type ChecksumMember = `Checksum${ChecksumAlgorithm}`;
/** The algorithm of each member. */
const MEMBERS: ReadonlyMap<string, ChecksumAlgorithm> = new Map(
  CHECKSUM_ALGORITHMS.map((algorithm) => [`Checksum${algorithm}`, algorithm]),
);
/** Checksum members. */
export type ChecksumMembers = { [Member in ChecksumMember]?: string | undefined };

/** A running checksum. */
export interface Hasher {
  update(chunk: Uint8Array): void;
  /** Returns the checksum in base64; called once. */
  digest(): string | Promise<string>;
}

function nodeHasher(name: string): Hasher {
  const hash = new LazyHash(name);
  return { update: (chunk) => hash.update(chunk), digest: () => hash.digest('base64') };
}

/** Buffer for encoding a CRC-32 in base64. */
const CRC32 = Buffer.alloc(4);

function crc32Hasher(): Hasher {
  let value = 0;
  return {
    update: (chunk) => {
      value = crc32(chunk, value);
    },
    digest: () => {
      CRC32.writeUInt32BE(value >>> 0);
      return CRC32.toString('base64');
    },
  };
}

async function wasmHasher(make: typeof createXXHash3): Promise<Hasher> {
  const hash = (await make()).init();
  return {
    update: (chunk) => void hash.update(chunk),
    digest: () => Buffer.from(hash.digest('hex'), 'hex').toString('base64'),
  };
}

/** Starts a checksum. */
export function createHasher(algorithm: ChecksumAlgorithm): Hasher | Promise<Hasher> {
  switch (algorithm) {
    case 'CRC32':
      return crc32Hasher();
    case 'CRC32C':
    case 'CRC64NVME':
      return wasmChecksum(algorithm);
    case 'SHA1':
    case 'SHA256':
    case 'SHA512':
    case 'MD5':
      return nodeHasher(algorithm.toLowerCase());
    case 'XXHASH64':
      return wasmHasher(createXXHash64);
    case 'XXHASH3':
      return wasmHasher(createXXHash3);
    case 'XXHASH128':
      return wasmHasher(createXXHash128);
  }
}

/** Returns the base64 checksum of bytes. */
export function checksumOf(algorithm: ChecksumAlgorithm, bytes: Uint8Array): string | Promise<string> {
  return whenReady(createHasher(algorithm), (hasher) => {
    hasher.update(bytes);
    return hasher.digest();
  });
}

/** A checksum given by the caller. */
export interface GivenChecksum {
  readonly algorithm: ChecksumAlgorithm;
  /** Base64; undefined if it follows in a trailer. */
  value: string | undefined;
}

const headerOf = (algorithm: ChecksumAlgorithm): string => `x-amz-checksum-${algorithm.toLowerCase()}`;

/** Members by checksum header. */
export const MEMBER_OF_HEADER: ReadonlyMap<string, ChecksumMember> = new Map(
  CHECKSUM_ALGORITHMS.map((algorithm) => [headerOf(algorithm), `Checksum${algorithm}` as const]),
);

/** Whether a text is a valid base64 checksum of an algorithm. */
function isWellFormed(algorithm: ChecksumAlgorithm, value: string): boolean {
  if (value.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value)) return false;
  const padding = value.endsWith('==') ? 2 : value.endsWith('=') ? 1 : 0;
  return (value.length / 4) * 3 - padding === LENGTHS[algorithm];
}

const invalidHeader = (algorithm: ChecksumAlgorithm): AwsError =>
  invalidRequest(`Value for ${headerOf(algorithm)} header is invalid.`);

/**
 * Returns a well-formed checksum.
 * @throws AwsError `InvalidRequest`
 */
export function checkedValue(algorithm: ChecksumAlgorithm, value: string): string {
  if (!isWellFormed(algorithm, value)) throw invalidHeader(algorithm);
  return value;
}

/**
 * Parses an algorithm name.
 * @throws AwsError `InvalidRequest`
 */
export function algorithmNamed(name: string): ChecksumAlgorithm {
  const upper = name.toUpperCase() as ChecksumAlgorithm;
  if (!CHECKSUM_ALGORITHMS.includes(upper))
    throw invalidRequest(
      'Checksum algorithm provided is unsupported. Please try again with any of the valid types: [CRC32, CRC32C, CRC64NVME, SHA1, SHA256]',
    );
  return upper;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Returns the checksum of a request: in a header, or announced for its trailer.
 * @throws AwsError `InvalidRequest`
 */
export function givenChecksum(input: ChecksumMembers, headers: Headers | undefined): GivenChecksum | undefined {
  const given = givenAlgorithms(input);
  const trailer = trailerOf(headers);
  if (given.length > 1 || (given.length === 1 && trailer))
    throw invalidRequest('Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.');
  const [algorithm] = given;
  if (algorithm) {
    const value = checkedValue(algorithm, input[`Checksum${algorithm}`]!);
    return { algorithm, value };
  }
  return trailer && { algorithm: trailer, value: undefined };
}

/** Algorithms named by input members. */
function givenAlgorithms(input: ChecksumMembers): ChecksumAlgorithm[] {
  const given: ChecksumAlgorithm[] = [];
  for (const member in input) if (MEMBERS.has(member)) given.push(MEMBERS.get(member)!);
  return given;
}

function trailerOf(headers: Headers | undefined): ChecksumAlgorithm | undefined {
  const announced = headers?.['x-amz-trailer'];
  if (announced === undefined) return undefined;
  for (const name of String(announced).split(',')) {
    const trimmed = name.trim().toLowerCase();
    if (!trimmed.startsWith('x-amz-checksum-')) continue;
    return algorithmNamed(trimmed.slice('x-amz-checksum-'.length));
  }
  return undefined;
}

/**
 * Compares a computed checksum with the given one from header or trailer.
 * @throws AwsError `BadDigest`; `InvalidRequest` for a missing or invalid trailer
 */
export function verifyChecksum(given: GivenChecksum, computed: string, headers: Headers | undefined): void {
  let { value } = given;
  if (value === undefined) {
    const trailer = headers?.[headerOf(given.algorithm)];
    if (trailer === undefined)
      throw s3Error(
        'MalformedTrailerError',
        'The request contained trailing data that was not well-formed or did not conform to our published schema.',
        { status: 400 },
      );
    value = checkedValue(given.algorithm, String(trailer));
  }
  if (value !== computed)
    throw s3Error('BadDigest', `The ${given.algorithm} you specified did not match the calculated checksum.`, {
      status: 400,
    });
}

const MEMBER_OF = Object.fromEntries(
  CHECKSUM_ALGORITHMS.map((algorithm) => [algorithm, `Checksum${algorithm}`]),
) as Record<ChecksumAlgorithm, ChecksumMember>;

/** Returns the output member of a checksum. */
export const checksumMember = (algorithm: ChecksumAlgorithm): ChecksumMember => MEMBER_OF[algorithm];

/** Returns a checksum as output members. */
export function checksumMembers(algorithm: ChecksumAlgorithm, value: string): ChecksumMembers {
  return { [`Checksum${algorithm}`]: value } as ChecksumMembers;
}

import type { S3InternalOperations } from '@emu/service-types/internal/s3';
import { readContent } from '../content/body.ts';
import { type ChecksumAlgorithm, createHasher, type Hasher } from '../content/checksums.ts';
import type { S3Context } from '../context.ts';
import { invalidRequest } from '../errors.ts';
import { requireReadable } from '../lifecycle/restore.ts';
import type { ObjectVersion } from '../listing/object-index.ts';
import { requireBucket, requireVersion } from '../lookup.ts';
import { replicateExisting } from '../objects/replication.ts';

type Operations = S3InternalOperations;

/**
 * Replicates a version by its bucket's rules.
 * @throws AwsError see `replicateExisting`
 */
export function ReplicateObject(
  input: Operations['ReplicateObject']['input'],
  ctx: S3Context,
): Operations['ReplicateObject']['output'] {
  const bucket = requireBucket(ctx, input);
  replicateExisting(ctx, bucket, requireVersion(ctx, bucket, input.Key, input.VersionId));
  return {};
}

/**
 * Computes a checksum of a version without changing the object.
 * @throws AwsError `NoSuchKey`, `InvalidRequest`, `InvalidObjectState` for an archived object
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/batch-ops-compute-checksums.html
 */
export async function ComputeObjectChecksum(
  input: Operations['ComputeObjectChecksum']['input'],
  ctx: S3Context,
): Promise<Operations['ComputeObjectChecksum']['output']> {
  const { algorithm = 'CRC64NVME', type = 'FULL_OBJECT' } = input;
  const bucket = requireBucket(ctx, input);
  const version = requireVersion(ctx, bucket, input.Key, input.VersionId);
  requireReadable(ctx, bucket, version);
  if (version.encryption.algorithm === 'customer')
    throw invalidRequest(
      'The checksum of an object that is encrypted with a customer-provided key cannot be computed.',
    );
  const value = type === 'COMPOSITE' ? await composite(ctx, version, algorithm) : await whole(ctx, version, algorithm);
  const [base64 = '', count] = value.split('-');
  return {
    checksum_base64: value,
    etag: version.etag,
    checksumAlgorithm: algorithm,
    checksumType: type,
    checksum_hex: `${Buffer.from(base64, 'base64').toString('hex').toUpperCase()}${count === undefined ? '' : `-${count}`}`,
  };
}

async function whole(ctx: S3Context, version: ObjectVersion, algorithm: ChecksumAlgorithm): Promise<string> {
  return hashOf(ctx, version, 0, version.size, await createHasher(algorithm));
}

/** Returns the checksum of an object's part checksums. */
async function composite(ctx: S3Context, version: ObjectVersion, algorithm: ChecksumAlgorithm): Promise<string> {
  const { parts } = version;
  if (!parts) throw invalidRequest('A composite checksum can be computed of objects that were uploaded in parts only.');
  const hasher = await createHasher(algorithm);
  let start = 0;
  for (const { size } of parts) {
    const part = await hashOf(ctx, version, start, start + size, await createHasher(algorithm));
    hasher.update(Buffer.from(part, 'base64'));
    start += size;
  }
  return `${await hasher.digest()}-${parts.length}`;
}

async function hashOf(
  ctx: S3Context,
  { content }: ObjectVersion,
  start: number,
  end: number,
  hasher: Hasher,
): Promise<string> {
  for await (const chunk of readContent(ctx.bodies, content, start, end)) hasher.update(chunk);
  return hasher.digest();
}

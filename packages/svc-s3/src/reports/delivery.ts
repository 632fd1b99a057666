import { createHash } from 'node:crypto';
import type { DeepReadonly } from '@emu/core/service';
import type { InventoryEncryption, PutObjectRequest } from '@emu/service-types/s3';
import type { Bucket } from '../buckets/bucket.ts';
import type { Actor } from '../events/actor.ts';
import { asS3, sourceOf } from '../events/source.ts';

/** Destination of reports. */
export interface ReportDestination {
  /** ARN of the bucket. */
  readonly Bucket: string;
  readonly Prefix?: string | undefined;
  readonly Encryption?: DeepReadonly<InventoryEncryption> | undefined;
}

/** A file that was written. */
export interface WrittenFile {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** In hexadecimal. */
  readonly md5: string;
}

/** Returns the bucket name of an ARN. */
export const targetOf = ({ Bucket: arn }: ReportDestination): string => arn.slice(arn.lastIndexOf(':') + 1);

/** Returns the folder in a destination: the prefix, if any, and the source bucket's name, which separates sources. */
export const folderOf = ({ Prefix: prefix }: ReportDestination, source: Bucket): string =>
  prefix === undefined || prefix === '' ? source.name : `${prefix.replace(/\/$/, '')}/${source.name}`;

/** Returns the encryption of a report according to its configuration. */
function encryptionOf(
  encryption: ReportDestination['Encryption'],
): Pick<PutObjectRequest, 'ServerSideEncryption' | 'SSEKMSKeyId'> {
  if (encryption?.SSEKMS) return { ServerSideEncryption: 'aws:kms', SSEKMSKeyId: encryption.SSEKMS.KeyId };
  return encryption?.SSES3 ? { ServerSideEncryption: 'AES256' } : {};
}

/**
 * Writes a report file as S3's service principal for the source bucket; the destination's owner gets full control,
 * which destination policies require.
 * @throws AwsError if the bucket is missing or denies access
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/example-bucket-policies.html#example-bucket-policies-s3-inventory
 */
export async function writeReport(
  actor: Actor,
  source: Bucket,
  destination: ReportDestination,
  key: string,
  body: string | AsyncIterable<Uint8Array>,
  contentType: string,
): Promise<WrittenFile> {
  const md5 = createHash('md5');
  let size = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of typeof body === 'string' ? [Buffer.from(body)] : body) {
      md5.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  }
  await actor.call(
    's3',
    'PutObject',
    {
      Bucket: targetOf(destination),
      Key: key,
      Body: counted(),
      ContentType: contentType,
      ACL: 'bucket-owner-full-control',
      ...encryptionOf(destination.Encryption),
    },
    asS3(sourceOf(source), source.accountId, source.region),
  );
  return { key, size, md5: md5.digest('hex') };
}

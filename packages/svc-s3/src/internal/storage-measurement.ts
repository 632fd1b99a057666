import { setImmediate } from 'node:timers/promises';
import type { MeasuredObject, StorageSums } from '@emu/service-types/internal/s3';
import type { Bucket } from '../buckets/bucket.ts';
import { entries } from '../buckets/object-pages.ts';
import type { ObjectVersion } from '../listing/object-index.ts';
import type { Upload } from '../listing/upload-index.ts';

const WEEK = 7 * 86_400_000;
/** Number of keys between yields to other tasks. */
const TURN = 5000;

/** Returns the metrics of stored bytes and objects, all zero. */
const nothing = (): Record<string, number> => ({
  StorageBytes: 0,
  ObjectCount: 0,
  CurrentVersionStorageBytes: 0,
  CurrentVersionObjectCount: 0,
  NonCurrentVersionStorageBytes: 0,
  NonCurrentVersionObjectCount: 0,
  DeleteMarkerStorageBytes: 0,
  DeleteMarkerObjectCount: 0,
  IncompleteMultipartUploadStorageBytes: 0,
  IncompleteMultipartUploadObjectCount: 0,
  IncompleteMPUStorageBytesOlderThan7Days: 0,
  IncompleteMPUObjectCountOlderThan7Days: 0,
  EncryptedStorageBytes: 0,
  EncryptedObjectCount: 0,
  ReplicatedStorageBytesSource: 0,
  ReplicatedObjectCountSource: 0,
  ReplicatedStorageBytes: 0,
  ReplicatedObjectCount: 0,
  ObjectLockEnabledStorageBytes: 0,
  ObjectLockEnabledObjectCount: 0,
});

/** Metrics of bytes and object count. */
type Pair = readonly [bytes: string, objects: string];

/** Yields the metrics of a version besides the totals. */
function* pairsOf(version: ObjectVersion, latest: boolean): Generator<Pair> {
  if (version.deleteMarker) {
    yield ['DeleteMarkerStorageBytes', 'DeleteMarkerObjectCount'];
    return;
  }
  yield latest
    ? ['CurrentVersionStorageBytes', 'CurrentVersionObjectCount']
    : ['NonCurrentVersionStorageBytes', 'NonCurrentVersionObjectCount'];
  // S3 encrypts all objects.
  yield ['EncryptedStorageBytes', 'EncryptedObjectCount'];
  const { replicationStatus, retention, legalHold } = version;
  if (replicationStatus === 'COMPLETED') yield ['ReplicatedStorageBytesSource', 'ReplicatedObjectCountSource'];
  if (replicationStatus === 'REPLICA') yield ['ReplicatedStorageBytes', 'ReplicatedObjectCount'];
  if (retention || legalHold === 'ON') yield ['ObjectLockEnabledStorageBytes', 'ObjectLockEnabledObjectCount'];
}

function* pairsOfUpload({ record }: Upload, now: number): Generator<Pair> {
  yield ['IncompleteMultipartUploadStorageBytes', 'IncompleteMultipartUploadObjectCount'];
  if (now - record.initiatedAt > WEEK)
    yield ['IncompleteMPUStorageBytesOlderThan7Days', 'IncompleteMPUObjectCountOlderThan7Days'];
}

/**
 * Sums up the storage of a bucket: versions, delete markers (bytes of their keys) and incomplete uploads.
 * @param labelsOf groups of an object; it counts for each of them
 * @param now epoch milliseconds
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage_lens_metrics_glossary.html
 */
export async function measure(
  bucket: Bucket,
  labelsOf: (object: MeasuredObject) => Iterable<string>,
  now: number,
): Promise<StorageSums[]> {
  const sums = new Map<string, StorageSums & { metrics: Record<string, number> }>();
  const add = (object: MeasuredObject, storageClass: string, pairs: Iterable<Pair>): void => {
    const all: Pair[] = [['StorageBytes', 'ObjectCount'], ...pairs];
    for (const label of labelsOf(object)) {
      const key = `${storageClass}/${label}`;
      const found = sums.get(key) ?? { label, storageClass, metrics: nothing() };
      sums.set(key, found);
      for (const [bytes, objects] of all) {
        found.metrics[bytes]! += object.size;
        found.metrics[objects]!++;
      }
    }
  };
  let count = 0;
  for (const { key, versions } of entries(bucket, '')) {
    for (const [index, version] of versions.entries()) {
      const size = version.deleteMarker ? Buffer.byteLength(key) : version.size;
      const { lastModified, tags = [], storageClass } = version;
      add({ key, size, lastModified, tags }, storageClass, pairsOf(version, index === 0));
    }
    if (++count % TURN === 0) await setImmediate();
  }
  for (const upload of bucket.uploads.sorted()) {
    const { key, initiatedAt, settings } = upload.record;
    const size = upload.parts().reduce((sum, { segment }) => sum + segment.size, 0);
    const object = { key, size, lastModified: initiatedAt, tags: settings.tags ?? [] };
    add(object, settings.storageClass, pairsOfUpload(upload, now));
  }
  return [...sums.values()];
}

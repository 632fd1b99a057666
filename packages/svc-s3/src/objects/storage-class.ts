import type { StorageClass } from '@emu/service-types/s3';
import { s3Error } from '../errors.ts';

/** Storage classes for writing objects. */
const CLASSES: ReadonlySet<string> = new Set<StorageClass>([
  'STANDARD',
  'REDUCED_REDUNDANCY',
  'STANDARD_IA',
  'ONEZONE_IA',
  'INTELLIGENT_TIERING',
  'GLACIER',
  'DEEP_ARCHIVE',
  'GLACIER_IR',
]);

/** Archive classes, whose objects must be restored before reading. */
export const ARCHIVED: ReadonlySet<string> = new Set<StorageClass>(['GLACIER', 'DEEP_ARCHIVE']);

/** Whether general purpose buckets support a class. */
export const isStorageClass = (name: string): boolean => CLASSES.has(name);

/**
 * Returns the class of a write.
 * @throws AwsError `InvalidStorageClass`
 */
export function checkStorageClass(storageClass: string | undefined): string {
  if (storageClass === undefined) return 'STANDARD';
  if (!isStorageClass(storageClass))
    throw s3Error('InvalidStorageClass', 'The storage class you specified is not valid', {
      status: 400,
      members: { StorageClassRequested: storageClass },
    });
  return storageClass;
}

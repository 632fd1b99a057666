import type { AnyResourceProvider } from '@emu/core/service';
import { accessGrant, accessGrantsInstance, accessGrantsLocation } from './access-grants.ts';
import { accessPoint, directoryAccessPoint } from './access-points.ts';
import { multiRegionAccessPoint, multiRegionPolicy } from './multi-region.ts';
import { objectLambdaAccessPoint, objectLambdaPolicy } from './object-lambda.ts';
import { outpostsBucket, outpostsBucketPolicy } from './outposts.ts';
import { storageLens, storageLensGroup } from './storage-lens.ts';

/** Providers of S3 Control's resource types. */
export const providers: readonly AnyResourceProvider[] = [
  accessGrant,
  accessGrantsInstance,
  accessGrantsLocation,
  accessPoint,
  directoryAccessPoint,
  multiRegionAccessPoint,
  multiRegionPolicy,
  objectLambdaAccessPoint,
  objectLambdaPolicy,
  outpostsBucket,
  outpostsBucketPolicy,
  storageLens,
  storageLensGroup,
];

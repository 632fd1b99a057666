import { definePlugin } from '@emu/core/service';
import type { S3Operations } from '@emu/service-types/s3';
import type { ServiceModel } from '@emu/wire';
import model from '../model/s3.json' with { type: 'json' };
import { prepare } from './access-control/access-points.ts';
import { authorization } from './authorization.ts';
import { verifyingDigests } from './content/digests.ts';
import { control } from './control.ts';
import { admitsPage, ownsHost, serve } from './endpoints/data-plane.ts';
import { ComputeObjectChecksum, ReplicateObject } from './internal/batch-operations.ts';
import { MeasureStorage, ReadParquet, WriteParquet } from './internal/reports.ts';
import { observe } from './monitoring/observation.ts';
import * as access from './operations/access.ts';
import * as acls from './operations/acls.ts';
import * as attributes from './operations/attributes.ts';
import * as bucketEncryption from './operations/bucket-encryption.ts';
import * as bucketSettings from './operations/bucket-settings.ts';
import * as buckets from './operations/buckets.ts';
import * as copy from './operations/copy.ts';
import * as cors from './operations/cors.ts';
import * as deletes from './operations/deletes.ts';
import * as directoryBuckets from './operations/directory-buckets.ts';
import * as lifecycle from './operations/lifecycle.ts';
import * as listing from './operations/listing.ts';
import * as multipart from './operations/multipart.ts';
import * as multipartLists from './operations/multipart-lists.ts';
import * as notification from './operations/notification.ts';
import * as numberedSettings from './operations/numbered-settings.ts';
import * as objectEncryption from './operations/object-encryption.ts';
import * as objectLambda from './operations/object-lambda.ts';
import * as objectLambdaResults from './operations/object-lambda-results.ts';
import * as objectLock from './operations/object-lock.ts';
import * as objects from './operations/objects.ts';
import * as replication from './operations/replication.ts';
import * as restore from './operations/restore.ts';
import * as select from './operations/select.ts';
import * as tagging from './operations/tagging.ts';
import * as versioning from './operations/versioning.ts';
import * as website from './operations/website.ts';
import { paging } from './paging.ts';
import { createState } from './processors.ts';
import { collections } from './records.ts';
import { bucketType, directoryBucketType, objectType } from './resources.ts';
import type { S3State } from './state.ts';
import { validationError } from './validation.ts';

/** Operations with a document body, for which requests may contain a digest. */
const ON_DOCUMENTS = [
  'DeleteObjects',
  'PutBucketAbac',
  'PutBucketAccelerateConfiguration',
  'PutBucketAcl',
  'PutBucketCors',
  'PutBucketEncryption',
  'PutBucketLifecycle',
  'PutBucketLifecycleConfiguration',
  'PutBucketLogging',
  'PutBucketNotification',
  'PutBucketOwnershipControls',
  'PutBucketPolicy',
  'PutBucketReplication',
  'PutBucketRequestPayment',
  'PutBucketTagging',
  'PutBucketVersioning',
  'PutBucketWebsite',
  'PutObjectAcl',
  'PutObjectLegalHold',
  'PutObjectLockConfiguration',
  'PutObjectRetention',
  'PutObjectTagging',
  'PutPublicAccessBlock',
  'RestoreObject',
  'UpdateObjectEncryption',
] as const;

/** Amazon Simple Storage Service. */
export const plugin = definePlugin<S3Operations, S3State>({
  name: 's3',
  model: model as unknown as ServiceModel,
  stateScope: 'account',
  collections,
  createState,
  validationError,
  prepare,
  authorization,
  paging,
  resources: [objectType, directoryBucketType, bucketType],
  control,
  serve,
  ownsHost,
  admitsPage,
  observe,
  internal: {
    ComputeObjectChecksum,
    MeasureStorage,
    ReadParquet,
    ReplicateObject,
    WriteParquet,
  },
  operations: verifyingDigests(ON_DOCUMENTS, [
    access,
    acls,
    attributes,
    bucketEncryption,
    bucketSettings,
    buckets,
    copy,
    cors,
    deletes,
    directoryBuckets,
    lifecycle,
    listing,
    multipart,
    multipartLists,
    notification,
    numberedSettings,
    objectEncryption,
    objectLambda,
    objectLambdaResults,
    objectLock,
    objects,
    replication,
    restore,
    select,
    tagging,
    versioning,
    website,
  ]),
});

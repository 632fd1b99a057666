import { definePlugin } from '@emu/core';
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
import {
  DeleteBucketOwnershipControls,
  DeleteBucketPolicy,
  DeletePublicAccessBlock,
  GetBucketOwnershipControls,
  GetBucketPolicy,
  GetBucketPolicyStatus,
  GetPublicAccessBlock,
  PutBucketOwnershipControls,
  PutBucketPolicy,
  PutPublicAccessBlock,
} from './operations/access.ts';
import { GetBucketAcl, GetObjectAcl, PutBucketAcl, PutObjectAcl } from './operations/acls.ts';
import { GetObjectAttributes } from './operations/attributes.ts';
import { DeleteBucketEncryption, GetBucketEncryption, PutBucketEncryption } from './operations/bucket-encryption.ts';
import {
  GetBucketAbac,
  GetBucketAccelerateConfiguration,
  GetBucketLogging,
  GetBucketRequestPayment,
  PutBucketAbac,
  PutBucketAccelerateConfiguration,
  PutBucketLogging,
  PutBucketRequestPayment,
} from './operations/bucket-settings.ts';
import { CreateBucket, DeleteBucket, GetBucketLocation, HeadBucket, ListBuckets } from './operations/buckets.ts';
import { CopyObject } from './operations/copy.ts';
import { DeleteBucketCors, GetBucketCors, PutBucketCors } from './operations/cors.ts';
import { DeleteObject, DeleteObjects } from './operations/deletes.ts';
import { CreateSession, ListDirectoryBuckets, RenameObject } from './operations/directory-buckets.ts';
import {
  DeleteBucketLifecycle,
  GetBucketLifecycle,
  GetBucketLifecycleConfiguration,
  PutBucketLifecycle,
  PutBucketLifecycleConfiguration,
} from './operations/lifecycle.ts';
import { ListObjectVersions } from './operations/listing.ts';
import {
  AbortMultipartUpload,
  CompleteMultipartUpload,
  CreateMultipartUpload,
  UploadPart,
  UploadPartCopy,
} from './operations/multipart.ts';
import { ListMultipartUploads, ListParts } from './operations/multipart-lists.ts';
import {
  GetBucketNotification,
  GetBucketNotificationConfiguration,
  PutBucketNotification,
  PutBucketNotificationConfiguration,
} from './operations/notification.ts';
import {
  DeleteBucketAnalyticsConfiguration,
  DeleteBucketInventoryConfiguration,
  DeleteBucketMetricsConfiguration,
  GetBucketAnalyticsConfiguration,
  GetBucketInventoryConfiguration,
  GetBucketMetricsConfiguration,
  ListBucketAnalyticsConfigurations,
  ListBucketInventoryConfigurations,
  ListBucketMetricsConfigurations,
  PutBucketAnalyticsConfiguration,
  PutBucketInventoryConfiguration,
  PutBucketMetricsConfiguration,
} from './operations/numbered-settings.ts';
import { GetObjectTorrent, UpdateObjectEncryption } from './operations/object-encryption.ts';
import { GetObject, WriteGetObjectResponse } from './operations/object-lambda.ts';
import { HeadObject, ListObjects, ListObjectsV2 } from './operations/object-lambda-results.ts';
import {
  GetObjectLegalHold,
  GetObjectLockConfiguration,
  GetObjectRetention,
  PutObjectLegalHold,
  PutObjectLockConfiguration,
  PutObjectRetention,
} from './operations/object-lock.ts';
import { PutObject } from './operations/objects.ts';
import { DeleteBucketReplication, GetBucketReplication, PutBucketReplication } from './operations/replication.ts';
import { RestoreObject } from './operations/restore.ts';
import { SelectObjectContent } from './operations/select.ts';
import {
  DeleteBucketTagging,
  DeleteObjectTagging,
  GetBucketTagging,
  GetObjectTagging,
  PutBucketTagging,
  PutObjectTagging,
} from './operations/tagging.ts';
import { GetBucketVersioning, PutBucketVersioning } from './operations/versioning.ts';
import { DeleteBucketWebsite, GetBucketWebsite, PutBucketWebsite } from './operations/website.ts';
import { paging } from './paging.ts';
import { createState } from './processors.ts';
import { collections } from './records.ts';
import { bucketType, directoryBucketType, objectType } from './resources.ts';
import type { S3State } from './state.ts';
import { validationError } from './validation.ts';

/** Operations whose requests have a document in their body, of which they may give a digest. */
const onDocuments = verifyingDigests({
  DeleteObjects,
  PutBucketAbac,
  PutBucketAccelerateConfiguration,
  PutBucketAcl,
  PutBucketCors,
  PutBucketEncryption,
  PutBucketLifecycle,
  PutBucketLifecycleConfiguration,
  PutBucketLogging,
  PutBucketNotification,
  PutBucketOwnershipControls,
  PutBucketPolicy,
  PutBucketReplication,
  PutBucketRequestPayment,
  PutBucketTagging,
  PutBucketVersioning,
  PutBucketWebsite,
  PutObjectAcl,
  PutObjectLegalHold,
  PutObjectLockConfiguration,
  PutObjectRetention,
  PutObjectTagging,
  PutPublicAccessBlock,
  RestoreObject,
  UpdateObjectEncryption,
});

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
  operations: {
    AbortMultipartUpload,
    CompleteMultipartUpload,
    CopyObject,
    CreateBucket,
    CreateMultipartUpload,
    CreateSession,
    DeleteBucket,
    DeleteBucketAnalyticsConfiguration,
    DeleteBucketCors,
    DeleteBucketEncryption,
    DeleteBucketInventoryConfiguration,
    DeleteBucketMetricsConfiguration,
    DeleteBucketLifecycle,
    DeleteBucketOwnershipControls,
    DeleteBucketPolicy,
    DeleteBucketReplication,
    DeleteBucketTagging,
    DeleteBucketWebsite,
    DeleteObject,
    DeleteObjectTagging,
    DeletePublicAccessBlock,
    GetBucketAbac,
    GetBucketAccelerateConfiguration,
    GetBucketAcl,
    GetBucketAnalyticsConfiguration,
    GetBucketCors,
    GetBucketEncryption,
    GetBucketInventoryConfiguration,
    GetBucketMetricsConfiguration,
    GetBucketLifecycle,
    GetBucketLifecycleConfiguration,
    GetBucketLocation,
    GetBucketLogging,
    GetBucketNotification,
    GetBucketNotificationConfiguration,
    GetBucketOwnershipControls,
    GetBucketPolicy,
    GetBucketPolicyStatus,
    GetBucketReplication,
    GetBucketRequestPayment,
    GetBucketTagging,
    GetBucketVersioning,
    GetBucketWebsite,
    GetObject,
    GetObjectAcl,
    GetObjectAttributes,
    GetObjectLegalHold,
    GetObjectLockConfiguration,
    GetObjectRetention,
    GetObjectTagging,
    GetObjectTorrent,
    GetPublicAccessBlock,
    HeadBucket,
    HeadObject,
    ListBucketAnalyticsConfigurations,
    ListBucketInventoryConfigurations,
    ListBucketMetricsConfigurations,
    ListBuckets,
    ListDirectoryBuckets,
    ListMultipartUploads,
    ListObjectVersions,
    ListObjects,
    ListObjectsV2,
    ListParts,
    PutBucketAnalyticsConfiguration,
    PutBucketInventoryConfiguration,
    PutBucketMetricsConfiguration,
    PutBucketNotificationConfiguration,
    PutObject,
    RenameObject,
    SelectObjectContent,
    UploadPart,
    UploadPartCopy,
    WriteGetObjectResponse,
    DeleteObjects: onDocuments.DeleteObjects,
    PutBucketAbac: onDocuments.PutBucketAbac,
    PutBucketAccelerateConfiguration: onDocuments.PutBucketAccelerateConfiguration,
    PutBucketAcl: onDocuments.PutBucketAcl,
    PutBucketCors: onDocuments.PutBucketCors,
    PutBucketEncryption: onDocuments.PutBucketEncryption,
    PutBucketLifecycle: onDocuments.PutBucketLifecycle,
    PutBucketLifecycleConfiguration: onDocuments.PutBucketLifecycleConfiguration,
    PutBucketLogging: onDocuments.PutBucketLogging,
    PutBucketNotification: onDocuments.PutBucketNotification,
    PutBucketOwnershipControls: onDocuments.PutBucketOwnershipControls,
    PutBucketPolicy: onDocuments.PutBucketPolicy,
    PutBucketReplication: onDocuments.PutBucketReplication,
    PutBucketRequestPayment: onDocuments.PutBucketRequestPayment,
    PutBucketTagging: onDocuments.PutBucketTagging,
    PutBucketVersioning: onDocuments.PutBucketVersioning,
    PutBucketWebsite: onDocuments.PutBucketWebsite,
    PutObjectAcl: onDocuments.PutObjectAcl,
    PutObjectLegalHold: onDocuments.PutObjectLegalHold,
    PutObjectLockConfiguration: onDocuments.PutObjectLockConfiguration,
    PutObjectRetention: onDocuments.PutObjectRetention,
    PutObjectTagging: onDocuments.PutObjectTagging,
    PutPublicAccessBlock: onDocuments.PutPublicAccessBlock,
    RestoreObject: onDocuments.RestoreObject,
    UpdateObjectEncryption: onDocuments.UpdateObjectEncryption,
  },
});

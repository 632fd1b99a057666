import { definePlugin } from '@emu/core';
import type { ServiceModel } from '@emu/wire';
import model from '../model/s3.json' with { type: 'json' };
import { prepare } from './access-control/access-points.ts';
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { admitsPage, ownsHost, serve } from './endpoints/data-plane.ts';
import type { S3Operations } from './generated/s3.ts';
import * as batch from './internal/batch-operations.ts';
import * as internalReports from './internal/reports.ts';
import { observe } from './monitoring/observation.ts';
import * as access from './operations/access.ts';
import * as acls from './operations/acls.ts';
import { GetObjectAttributes } from './operations/attributes.ts';
import * as bucketEncryption from './operations/bucket-encryption.ts';
import * as bucketSettings from './operations/bucket-settings.ts';
import * as buckets from './operations/buckets.ts';
import { CopyObject } from './operations/copy.ts';
import * as cors from './operations/cors.ts';
import * as deletes from './operations/deletes.ts';
import * as directoryBuckets from './operations/directory-buckets.ts';
import * as lifecycle from './operations/lifecycle.ts';
import { ListObjectVersions } from './operations/listing.ts';
import * as metadataTables from './operations/metadata-tables.ts';
import * as multipart from './operations/multipart.ts';
import * as multipartLists from './operations/multipart-lists.ts';
import * as notification from './operations/notification.ts';
import * as numberedSettings from './operations/numbered-settings.ts';
import * as objectEncryption from './operations/object-encryption.ts';
import * as objectLambda from './operations/object-lambda.ts';
import * as objectLambdaResults from './operations/object-lambda-results.ts';
import * as objectLock from './operations/object-lock.ts';
import { PutObject } from './operations/objects.ts';
import { DeleteBucketReplication, GetBucketReplication, PutBucketReplication } from './operations/replication.ts';
import { RestoreObject } from './operations/restore.ts';
import { SelectObjectContent } from './operations/select.ts';
import * as tagging from './operations/tagging.ts';
import * as versioning from './operations/versioning.ts';
import * as website from './operations/website.ts';
import { createState } from './processors.ts';
import { collections } from './records.ts';
import type { S3State } from './state.ts';
import { validationError } from './validation.ts';

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
  control,
  serve,
  ownsHost,
  admitsPage,
  observe,
  internal: { ...batch, ...internalReports },
  operations: {
    ...buckets,
    ...deletes,
    ListObjectVersions,
    ...multipart,
    ...multipartLists,
    CopyObject,
    GetObjectAttributes,
    PutObject,
    ...objectLambda,
    ...objectLambdaResults,
    ...versioning,
    ...access,
    ...acls,
    ...bucketEncryption,
    ...bucketSettings,
    ...cors,
    ...directoryBuckets,
    ...lifecycle,
    ...metadataTables,
    ...notification,
    ...numberedSettings,
    RestoreObject,
    SelectObjectContent,
    ...objectEncryption,
    ...objectLock,
    ...tagging,
    ...website,
    DeleteBucketReplication,
    GetBucketReplication,
    PutBucketReplication,
  },
});

import { accessPointDirectory, definePlugin, provide } from '@emu/core/service';
import type { S3controlOperations } from '@emu/service-types/s3control';
import type { ServiceModel } from '@emu/wire';
import model from '../model/s3control.json' with { type: 'json' };
import { openDirectory } from './access-points/lookup.ts';
import { authorization } from './authorization.ts';
import { ignoredIfEmpty } from './ignored-members.ts';
import * as accessGrants from './operations/access-grants.ts';
import * as accessGrantsInstances from './operations/access-grants-instances.ts';
import * as accessGrantsLocations from './operations/access-grants-locations.ts';
import * as accessPointPolicies from './operations/access-point-policies.ts';
import * as accessPoints from './operations/access-points.ts';
import * as dataAccess from './operations/data-access.ts';
import * as jobs from './operations/jobs.ts';
import * as multiRegion from './operations/multi-region.ts';
import * as multiRegionPolicies from './operations/multi-region-policies.ts';
import * as objectLambda from './operations/object-lambda.ts';
import * as outpostsBuckets from './operations/outposts-buckets.ts';
import * as outpostsSettings from './operations/outposts-settings.ts';
import * as publicAccessBlock from './operations/public-access-block.ts';
import * as storageLens from './operations/storage-lens.ts';
import * as storageLensGroups from './operations/storage-lens-groups.ts';
import { tags } from './operations/tags.ts';
import { serve } from './outposts/data-plane.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { resources } from './resources.ts';
import { createState, type S3ControlState } from './state.ts';
import { validationError } from './validation.ts';

/** Amazon S3 Control. */
export const plugin = definePlugin<S3controlOperations, S3ControlState>({
  name: 's3control',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  validationError,
  serve,
  authorization,
  paging,
  resources,
  provides: [provide(accessPointDirectory, openDirectory)],
  ignoredIfEmpty,
  operations: [
    accessGrants,
    accessGrantsInstances,
    accessGrantsLocations,
    accessPointPolicies,
    accessPoints,
    dataAccess,
    jobs,
    multiRegion,
    multiRegionPolicies,
    objectLambda,
    outpostsBuckets,
    outpostsSettings,
    publicAccessBlock,
    storageLens,
    storageLensGroups,
    tags,
  ],
});

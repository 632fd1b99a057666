import { definePlugin } from '@emu/core';
import type { ResourcegroupstaggingapiOperations } from '@emu/service-types/resourcegroupstaggingapi';
import type { ServiceModel } from '@emu/wire';
import model from '../model/resourcegroupstaggingapi.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { modelError } from './errors.ts';
import { GetComplianceSummary, ListRequiredTags } from './operations/compliance.ts';
import { DescribeReportCreation, StartReportCreation } from './operations/reports.ts';
import { GetResources } from './operations/resources.ts';
import { GetTagKeys, GetTagValues, TagResources, UntagResources } from './operations/tags.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { createState, type TaggingState } from './state.ts';

/** AWS Resource Groups Tagging API. */
export const plugin = definePlugin<ResourcegroupstaggingapiOperations, TaggingState>({
  name: 'resourcegroupstaggingapi',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  authorization,
  paging,
  resources: [],
  validationError: modelError,
  operations: {
    DescribeReportCreation,
    GetComplianceSummary,
    GetResources,
    GetTagKeys,
    GetTagValues,
    ListRequiredTags,
    StartReportCreation,
    TagResources,
    UntagResources,
  },
});

import { definePlugin } from '@emu/core/service';
import type { ResourcegroupstaggingapiOperations } from '@emu/service-types/resourcegroupstaggingapi';
import type { ServiceModel } from '@emu/wire';
import model from '../model/resourcegroupstaggingapi.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { modelError } from './errors.ts';
import * as compliance from './operations/compliance.ts';
import * as reports from './operations/reports.ts';
import * as resources from './operations/resources.ts';
import * as tags from './operations/tags.ts';
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
  operations: [compliance, reports, resources, tags],
});

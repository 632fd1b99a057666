import { definePlugin } from '@emu/core';
import type { CloudcontrolOperations } from '@emu/service-types/cloudcontrol';
import type { ServiceModel } from '@emu/wire';
import model from '../model/cloudcontrol.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { CreateResource, DeleteResource, UpdateResource } from './operations/changes.ts';
import { CancelResourceRequest, GetResourceRequestStatus, ListResourceRequests } from './operations/requests.ts';
import { GetResource, ListResources } from './operations/resources.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { type CloudControlState, createState } from './state.ts';

/** AWS Cloud Control API. */
export const plugin = definePlugin<CloudcontrolOperations, CloudControlState>({
  name: 'cloudcontrol',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  authorization,
  paging,
  resources: [],
  operations: {
    CancelResourceRequest,
    CreateResource,
    DeleteResource,
    GetResource,
    GetResourceRequestStatus,
    ListResourceRequests,
    ListResources,
    UpdateResource,
  },
});

import { definePlugin } from '@emu/core/service';
import type { CloudcontrolOperations } from '@emu/service-types/cloudcontrol';
import type { ServiceModel } from '@emu/wire';
import model from '../model/cloudcontrol.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import * as changes from './operations/changes.ts';
import * as requests from './operations/requests.ts';
import * as resources from './operations/resources.ts';
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
  operations: [changes, requests, resources],
});

import { definePlugin } from '@emu/core/service';
import type { StepfunctionsOperations } from '@emu/service-types/stepfunctions';
import type { ServiceModel } from '@emu/wire';
import model from '../model/stepfunctions.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { ignoredIfEmpty } from './ignored-members.ts';
import * as activities from './operations/activities.ts';
import * as executions from './operations/executions.ts';
import * as mapRuns from './operations/map-runs.ts';
import * as stateMachines from './operations/state-machines.ts';
import { tags } from './operations/tags.ts';
import * as testState from './operations/test-state.ts';
import * as versions from './operations/versions.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { resources } from './resources.ts';
import { createState, type StepfunctionsState } from './state.ts';

/** AWS Step Functions. */
export const plugin = definePlugin<StepfunctionsOperations, StepfunctionsState>({
  name: 'stepfunctions',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  authorization,
  control,
  paging,
  resources,
  ignoredIfEmpty,
  operations: [activities, executions, mapRuns, stateMachines, tags, testState, versions],
});

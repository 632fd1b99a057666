import { definePlugin } from '@emu/core';
import type { StepfunctionsOperations } from '@emu/service-types/stepfunctions';
import type { ServiceModel } from '@emu/wire';
import model from '../model/stepfunctions.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import {
  CreateActivity,
  DeleteActivity,
  DescribeActivity,
  GetActivityTask,
  ListActivities,
  SendTaskFailure,
  SendTaskHeartbeat,
  SendTaskSuccess,
} from './operations/activities.ts';
import {
  DescribeExecution,
  GetExecutionHistory,
  ListExecutions,
  RedriveExecution,
  StartExecution,
  StartSyncExecution,
  StopExecution,
} from './operations/executions.ts';
import { DescribeMapRun, ListMapRuns, UpdateMapRun } from './operations/map-runs.ts';
import {
  CreateStateMachine,
  DeleteStateMachine,
  DescribeStateMachine,
  DescribeStateMachineForExecution,
  ListStateMachines,
  UpdateStateMachine,
  ValidateStateMachineDefinition,
} from './operations/state-machines.ts';
import { ListTagsForResource, TagResource, UntagResource } from './operations/tags.ts';
import { TestState } from './operations/test-state.ts';
import {
  CreateStateMachineAlias,
  DeleteStateMachineAlias,
  DeleteStateMachineVersion,
  DescribeStateMachineAlias,
  ListStateMachineAliases,
  ListStateMachineVersions,
  PublishStateMachineVersion,
  UpdateStateMachineAlias,
} from './operations/versions.ts';
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
  operations: {
    CreateActivity,
    CreateStateMachine,
    CreateStateMachineAlias,
    DeleteActivity,
    DeleteStateMachine,
    DeleteStateMachineAlias,
    DeleteStateMachineVersion,
    DescribeActivity,
    DescribeExecution,
    DescribeMapRun,
    DescribeStateMachine,
    DescribeStateMachineAlias,
    DescribeStateMachineForExecution,
    GetActivityTask,
    GetExecutionHistory,
    ListActivities,
    ListExecutions,
    ListMapRuns,
    ListStateMachineAliases,
    ListStateMachineVersions,
    ListStateMachines,
    ListTagsForResource,
    PublishStateMachineVersion,
    RedriveExecution,
    SendTaskFailure,
    SendTaskHeartbeat,
    SendTaskSuccess,
    StartExecution,
    StartSyncExecution,
    StopExecution,
    TagResource,
    TestState,
    UntagResource,
    UpdateMapRun,
    UpdateStateMachine,
    UpdateStateMachineAlias,
    ValidateStateMachineDefinition,
  },
});

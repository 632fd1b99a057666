import { definePlugin } from '@emu/core';
import type { CloudformationOperations } from '@emu/service-types/cloudformation';
import type { ServiceModel } from '@emu/wire';
import model from '../model/cloudformation.json' with { type: 'json' };
import {
  CreateChangeSet,
  DeleteChangeSet,
  DescribeChangeSet,
  ExecuteChangeSet,
  ListChangeSets,
} from './operations/change-sets.ts';
import {
  DescribeStackEvents,
  DescribeStackResource,
  DescribeStackResources,
  DescribeStacks,
  ListExports,
  ListImports,
  ListStackResources,
  ListStacks,
} from './operations/describe.ts';
import {
  DescribeStackDriftDetectionStatus,
  DescribeStackResourceDrifts,
  DetectStackDrift,
  DetectStackResourceDrift,
} from './operations/drift.ts';
import { DescribeEvents } from './operations/events.ts';
import {
  CancelUpdateStack,
  ContinueUpdateRollback,
  CreateStack,
  DeleteStack,
  RollbackStack,
  UpdateStack,
  UpdateTerminationProtection,
} from './operations/stacks.ts';
import {
  DescribeAccountLimits,
  EstimateTemplateCost,
  GetStackPolicy,
  GetTemplate,
  GetTemplateSummary,
  SetStackPolicy,
  SignalResource,
  ValidateTemplate,
} from './operations/templates.ts';
import { paging } from './paging.ts';
import { serveResponse } from './resource-types/response-url.ts';
import { resources } from './resources.ts';
import { collections } from './stacks/records.ts';
import { type CloudformationState, createState } from './state.ts';

/** AWS CloudFormation. */
export const plugin = definePlugin<CloudformationOperations, CloudformationState>({
  name: 'cloudformation',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  paging,
  resources,
  serve: serveResponse,
  operations: {
    CancelUpdateStack,
    ContinueUpdateRollback,
    CreateChangeSet,
    CreateStack,
    DeleteChangeSet,
    DeleteStack,
    DescribeAccountLimits,
    DescribeChangeSet,
    DescribeEvents,
    DescribeStackDriftDetectionStatus,
    DescribeStackEvents,
    DescribeStackResource,
    DescribeStackResourceDrifts,
    DescribeStackResources,
    DescribeStacks,
    DetectStackDrift,
    DetectStackResourceDrift,
    EstimateTemplateCost,
    ExecuteChangeSet,
    GetStackPolicy,
    GetTemplate,
    GetTemplateSummary,
    ListChangeSets,
    ListExports,
    ListImports,
    ListStackResources,
    ListStacks,
    RollbackStack,
    SetStackPolicy,
    SignalResource,
    UpdateStack,
    UpdateTerminationProtection,
    ValidateTemplate,
  },
});

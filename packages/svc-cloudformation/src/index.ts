import { definePlugin, provide, resourceHooks } from '@emu/core';
import type { CloudformationOperations } from '@emu/service-types/cloudformation';
import type { ServiceModel } from '@emu/wire';
import model from '../model/cloudformation.json' with { type: 'json' };
import { collections } from './collections.ts';
import { hooksOf } from './hooks/resources.ts';
import { ActivateType, DeactivateType } from './operations/activation.ts';
import { DescribeChangeSet, ListChangeSets } from './operations/change-set-descriptions.ts';
import { CreateChangeSet, DeleteChangeSet, ExecuteChangeSet } from './operations/change-sets.ts';
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
  CreateGeneratedTemplate,
  DeleteGeneratedTemplate,
  DescribeGeneratedTemplate,
  GetGeneratedTemplate,
  ListGeneratedTemplates,
  UpdateGeneratedTemplate,
} from './operations/generated-templates.ts';
import { DescribeChangeSetHooks, GetHookResult, ListHookResults } from './operations/hooks.ts';
import {
  DeregisterType,
  DescribeTypeRegistration,
  ListTypeRegistrations,
  RegisterType,
  SetTypeDefaultVersion,
} from './operations/modules.ts';
import {
  ActivateOrganizationsAccess,
  DeactivateOrganizationsAccess,
  DescribeOrganizationsAccess,
} from './operations/organizations.ts';
import { DescribePublisher, PublishType, RegisterPublisher, TestType } from './operations/publishing.ts';
import {
  DescribeResourceScan,
  ListResourceScanRelatedResources,
  ListResourceScanResources,
  ListResourceScans,
  StartResourceScan,
} from './operations/resource-scans.ts';
import {
  CreateStackInstances,
  DeleteStackInstances,
  DescribeStackInstance,
  ImportStacksToStackSet,
  ListStackInstanceResourceDrifts,
  ListStackInstances,
  UpdateStackInstances,
} from './operations/stack-instances.ts';
import {
  CreateStackRefactor,
  DescribeStackRefactor,
  ExecuteStackRefactor,
  ListStackRefactorActions,
  ListStackRefactors,
} from './operations/stack-refactors.ts';
import {
  DescribeStackSetOperation,
  DetectStackSetDrift,
  ListStackSetOperationResults,
  ListStackSetOperations,
  StopStackSetOperation,
} from './operations/stack-set-operations.ts';
import {
  CreateStackSet,
  DeleteStackSet,
  DescribeStackSet,
  ListStackSetAutoDeploymentTargets,
  ListStackSets,
  UpdateStackSet,
} from './operations/stack-sets.ts';
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
import { BatchDescribeTypeConfigurations, SetTypeConfiguration } from './operations/type-configurations.ts';
import { DescribeType, ListTypes, ListTypeVersions } from './operations/types.ts';
import { paging } from './paging.ts';
import { serveResponse } from './resource-types/response-url.ts';
import { resources } from './resources.ts';
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
  provides: [provide(resourceHooks, hooksOf)],
  operations: {
    ActivateOrganizationsAccess,
    ActivateType,
    BatchDescribeTypeConfigurations,
    CancelUpdateStack,
    ContinueUpdateRollback,
    CreateChangeSet,
    CreateGeneratedTemplate,
    CreateStack,
    CreateStackInstances,
    CreateStackRefactor,
    CreateStackSet,
    DeactivateOrganizationsAccess,
    DeactivateType,
    DeleteChangeSet,
    DeleteGeneratedTemplate,
    DeleteStack,
    DeleteStackInstances,
    DeleteStackSet,
    DeregisterType,
    DescribeAccountLimits,
    DescribeChangeSet,
    DescribeChangeSetHooks,
    DescribeEvents,
    DescribeGeneratedTemplate,
    DescribeOrganizationsAccess,
    DescribePublisher,
    DescribeResourceScan,
    DescribeStackDriftDetectionStatus,
    DescribeStackEvents,
    DescribeStackInstance,
    DescribeStackRefactor,
    DescribeStackResource,
    DescribeStackResourceDrifts,
    DescribeStackResources,
    DescribeStackSet,
    DescribeStackSetOperation,
    DescribeStacks,
    DescribeType,
    DescribeTypeRegistration,
    DetectStackDrift,
    DetectStackResourceDrift,
    DetectStackSetDrift,
    EstimateTemplateCost,
    ExecuteChangeSet,
    ExecuteStackRefactor,
    GetGeneratedTemplate,
    GetHookResult,
    GetStackPolicy,
    GetTemplate,
    GetTemplateSummary,
    ImportStacksToStackSet,
    ListChangeSets,
    ListExports,
    ListGeneratedTemplates,
    ListHookResults,
    ListImports,
    ListResourceScanRelatedResources,
    ListResourceScanResources,
    ListResourceScans,
    ListStackInstanceResourceDrifts,
    ListStackInstances,
    ListStackRefactorActions,
    ListStackRefactors,
    ListStackResources,
    ListStackSetAutoDeploymentTargets,
    ListStackSetOperationResults,
    ListStackSetOperations,
    ListStackSets,
    ListStacks,
    ListTypeRegistrations,
    ListTypeVersions,
    ListTypes,
    PublishType,
    RegisterPublisher,
    RegisterType,
    RollbackStack,
    SetStackPolicy,
    SetTypeConfiguration,
    SetTypeDefaultVersion,
    SignalResource,
    StartResourceScan,
    StopStackSetOperation,
    TestType,
    UpdateGeneratedTemplate,
    UpdateStack,
    UpdateStackInstances,
    UpdateStackSet,
    UpdateTerminationProtection,
    ValidateTemplate,
  },
});

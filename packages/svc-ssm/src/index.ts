import { countCall, definePlugin } from '@emu/core';
import type { SsmOperations } from '@emu/service-types/ssm';
import type { ServiceModel } from '@emu/wire';
import model from '../model/ssm.json' with { type: 'json' };
import { GetAccessToken, StartAccessRequest } from './access/operations/requests.ts';
import {
  CreateAssociation,
  CreateAssociationBatch,
  DeleteAssociation,
  DescribeAssociation,
  ListAssociations,
  ListAssociationVersions,
  StartAssociationsOnce,
  UpdateAssociation,
  UpdateAssociationStatus,
} from './associations/operations/associations.ts';
import {
  DescribeAssociationExecutions,
  DescribeAssociationExecutionTargets,
  DescribeEffectiveInstanceAssociations,
  DescribeInstanceAssociationsStatus,
} from './associations/operations/executions.ts';
import { authorization } from './authorization.ts';
import { StartChangeRequestExecution } from './automation/operations/change-requests.ts';
import {
  DescribeAutomationExecutions,
  DescribeAutomationStepExecutions,
  GetAutomationExecution,
  StartAutomationExecution,
} from './automation/operations/executions.ts';
import { GetExecutionPreview, StartExecutionPreview } from './automation/operations/previews.ts';
import { SendAutomationSignal, StopAutomationExecution } from './automation/operations/signals.ts';
import { GetCalendarState } from './calendars/operations.ts';
import {
  CancelCommand,
  GetCommandInvocation,
  ListCommandInvocations,
  ListCommands,
  SendCommand,
} from './commands/operations/commands.ts';
import {
  ListComplianceItems,
  ListComplianceSummaries,
  ListResourceComplianceSummaries,
  PutComplianceItems,
} from './compliance/operations/compliance.ts';
import { control } from './control.ts';
import { serveAttachment } from './documents/downloads.ts';
import { CreateDocument, DeleteDocument, DescribeDocument, GetDocument } from './documents/operations/documents.ts';
import { ListDocuments } from './documents/operations/listing.ts';
import { ListDocumentMetadataHistory, UpdateDocumentMetadata } from './documents/operations/reviews.ts';
import { DescribeDocumentPermission, ModifyDocumentPermission } from './documents/operations/sharing.ts';
import { ListDocumentVersions, UpdateDocument, UpdateDocumentDefaultVersion } from './documents/operations/versions.ts';
import {
  DeleteInventory,
  DescribeInventoryDeletions,
  GetInventory,
  GetInventorySchema,
  ListInventoryEntries,
  PutInventory,
} from './inventory/operations/inventory.ts';
import { RegisterManagedInstance } from './nodes/internal.ts';
import { CreateActivation, DeleteActivation, DescribeActivations } from './nodes/operations/activations.ts';
import {
  DeregisterManagedInstance,
  DescribeInstanceInformation,
  DescribeInstanceProperties,
  UpdateManagedInstanceRole,
} from './nodes/operations/instances.ts';
import { ListNodes, ListNodesSummary } from './nodes/operations/summaries.ts';
import { LabelParameterVersion, UnlabelParameterVersion } from './operations/labels.ts';
import { DescribeParameters } from './operations/listing.ts';
import { GetParameter, GetParameterHistory, GetParameters, GetParametersByPath } from './operations/reads.ts';
import { GetServiceSetting, ResetServiceSetting, UpdateServiceSetting } from './operations/settings.ts';
import { AddTagsToResource, ListTagsForResource, RemoveTagsFromResource } from './operations/tags.ts';
import { DeleteParameter, DeleteParameters, PutParameter } from './operations/writes.ts';
import {
  CreateOpsItem,
  DeleteOpsItem,
  DescribeOpsItems,
  GetOpsItem,
  ListOpsItemEvents,
  UpdateOpsItem,
} from './ops/operations/items.ts';
import {
  CreateOpsMetadata,
  DeleteOpsMetadata,
  GetOpsMetadata,
  ListOpsMetadata,
  UpdateOpsMetadata,
} from './ops/operations/metadata.ts';
import {
  AssociateOpsItemRelatedItem,
  DisassociateOpsItemRelatedItem,
  ListOpsItemRelatedItems,
} from './ops/operations/related-items.ts';
import { DeleteResourcePolicy, GetResourcePolicies, PutResourcePolicy } from './ops/operations/resource-policies.ts';
import { GetOpsSummary } from './ops/operations/summary.ts';
import { paging } from './paging.ts';
import {
  CreatePatchBaseline,
  DeletePatchBaseline,
  DescribePatchBaselines,
  DescribePatchProperties,
  GetDefaultPatchBaseline,
  GetPatchBaseline,
  RegisterDefaultPatchBaseline,
  UpdatePatchBaseline,
} from './patches/operations/baselines.ts';
import { DescribeAvailablePatches, DescribeEffectivePatchesForPatchBaseline } from './patches/operations/catalogue.ts';
import {
  DeregisterPatchBaselineForPatchGroup,
  DescribePatchGroups,
  GetPatchBaselineForPatchGroup,
  RegisterPatchBaselineForPatchGroup,
} from './patches/operations/groups.ts';
import { GetDeployablePatchSnapshotForInstance } from './patches/operations/snapshots.ts';
import {
  DescribeInstancePatches,
  DescribeInstancePatchStates,
  DescribeInstancePatchStatesForPatchGroup,
  DescribePatchGroupState,
} from './patches/operations/states.ts';
import { serveSnapshot } from './patches/snapshots.ts';
import { collections } from './records.ts';
import { resources } from './resources.ts';
import { openDataChannel } from './sessions/channel.ts';
import {
  DescribeSessions,
  GetConnectionStatus,
  ResumeSession,
  StartSession,
  TerminateSession,
} from './sessions/operations/sessions.ts';
import { createState, type SsmState } from './state.ts';
import {
  CreateResourceDataSync,
  DeleteResourceDataSync,
  ListResourceDataSync,
  UpdateResourceDataSync,
} from './sync/operations/syncs.ts';
import {
  CancelMaintenanceWindowExecution,
  DescribeMaintenanceWindowExecutions,
  DescribeMaintenanceWindowExecutionTaskInvocations,
  DescribeMaintenanceWindowExecutionTasks,
  GetMaintenanceWindowExecution,
  GetMaintenanceWindowExecutionTask,
  GetMaintenanceWindowExecutionTaskInvocation,
} from './windows/operations/executions.ts';
import {
  DeregisterTargetFromMaintenanceWindow,
  DescribeMaintenanceWindowTargets,
  RegisterTargetWithMaintenanceWindow,
  UpdateMaintenanceWindowTarget,
} from './windows/operations/targets.ts';
import {
  DeregisterTaskFromMaintenanceWindow,
  DescribeMaintenanceWindowTasks,
  GetMaintenanceWindowTask,
  RegisterTaskWithMaintenanceWindow,
  UpdateMaintenanceWindowTask,
} from './windows/operations/tasks.ts';
import {
  CreateMaintenanceWindow,
  DeleteMaintenanceWindow,
  DescribeMaintenanceWindowSchedule,
  DescribeMaintenanceWindows,
  DescribeMaintenanceWindowsForTarget,
  GetMaintenanceWindow,
  UpdateMaintenanceWindow,
} from './windows/operations/windows.ts';

/** AWS Systems Manager: Parameter Store, documents, Automation, Run Command and Session Manager. */
export const plugin = definePlugin<SsmOperations, SsmState>({
  name: 'ssm',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  authorization,
  control,
  paging,
  resources,
  prepare(operation, _input, { http, state, clock }) {
    if (http) countCall(state.reported, { service: 'SSM', resource: operation }, clock.now());
    return undefined;
  },
  serve: (request, handle) => serveAttachment(request, handle) ?? serveSnapshot(request, handle),
  upgrade: openDataChannel,
  internal: { RegisterManagedInstance },
  operations: {
    AddTagsToResource,
    AssociateOpsItemRelatedItem,
    CancelCommand,
    CancelMaintenanceWindowExecution,
    CreateActivation,
    CreateAssociation,
    CreateAssociationBatch,
    CreateDocument,
    CreateMaintenanceWindow,
    CreateOpsItem,
    CreateOpsMetadata,
    CreatePatchBaseline,
    CreateResourceDataSync,
    DeleteActivation,
    DeleteAssociation,
    DeleteDocument,
    DeleteInventory,
    DeleteMaintenanceWindow,
    DeleteOpsItem,
    DeleteOpsMetadata,
    DeleteParameter,
    DeleteParameters,
    DeletePatchBaseline,
    DeleteResourceDataSync,
    DeleteResourcePolicy,
    DeregisterManagedInstance,
    DeregisterPatchBaselineForPatchGroup,
    DeregisterTargetFromMaintenanceWindow,
    DeregisterTaskFromMaintenanceWindow,
    DescribeActivations,
    DescribeAssociation,
    DescribeAssociationExecutionTargets,
    DescribeAssociationExecutions,
    DescribeAutomationExecutions,
    DescribeAutomationStepExecutions,
    DescribeAvailablePatches,
    DescribeDocument,
    DescribeDocumentPermission,
    DescribeEffectiveInstanceAssociations,
    DescribeEffectivePatchesForPatchBaseline,
    DescribeInstanceAssociationsStatus,
    DescribeInstanceInformation,
    DescribeInstancePatchStates,
    DescribeInstancePatchStatesForPatchGroup,
    DescribeInstancePatches,
    DescribeInstanceProperties,
    DescribeInventoryDeletions,
    DescribeMaintenanceWindowExecutionTaskInvocations,
    DescribeMaintenanceWindowExecutionTasks,
    DescribeMaintenanceWindowExecutions,
    DescribeMaintenanceWindowSchedule,
    DescribeMaintenanceWindowTargets,
    DescribeMaintenanceWindowTasks,
    DescribeMaintenanceWindows,
    DescribeMaintenanceWindowsForTarget,
    DescribeOpsItems,
    DescribeParameters,
    DescribePatchBaselines,
    DescribePatchGroupState,
    DescribePatchGroups,
    DescribePatchProperties,
    DescribeSessions,
    DisassociateOpsItemRelatedItem,
    GetAccessToken,
    GetAutomationExecution,
    GetCalendarState,
    GetCommandInvocation,
    GetConnectionStatus,
    GetDefaultPatchBaseline,
    GetDeployablePatchSnapshotForInstance,
    GetDocument,
    GetExecutionPreview,
    GetInventory,
    GetInventorySchema,
    GetMaintenanceWindow,
    GetMaintenanceWindowExecution,
    GetMaintenanceWindowExecutionTask,
    GetMaintenanceWindowExecutionTaskInvocation,
    GetMaintenanceWindowTask,
    GetOpsItem,
    GetOpsMetadata,
    GetOpsSummary,
    GetParameter,
    GetParameterHistory,
    GetParameters,
    GetParametersByPath,
    GetPatchBaseline,
    GetPatchBaselineForPatchGroup,
    GetResourcePolicies,
    GetServiceSetting,
    LabelParameterVersion,
    ListAssociationVersions,
    ListAssociations,
    ListCommandInvocations,
    ListCommands,
    ListComplianceItems,
    ListComplianceSummaries,
    ListDocumentMetadataHistory,
    ListDocumentVersions,
    ListDocuments,
    ListInventoryEntries,
    ListNodes,
    ListNodesSummary,
    ListOpsItemEvents,
    ListOpsItemRelatedItems,
    ListOpsMetadata,
    ListResourceComplianceSummaries,
    ListResourceDataSync,
    ListTagsForResource,
    ModifyDocumentPermission,
    PutComplianceItems,
    PutInventory,
    PutParameter,
    PutResourcePolicy,
    RegisterDefaultPatchBaseline,
    RegisterPatchBaselineForPatchGroup,
    RegisterTargetWithMaintenanceWindow,
    RegisterTaskWithMaintenanceWindow,
    RemoveTagsFromResource,
    ResetServiceSetting,
    ResumeSession,
    SendAutomationSignal,
    SendCommand,
    StartAccessRequest,
    StartAssociationsOnce,
    StartAutomationExecution,
    StartChangeRequestExecution,
    StartExecutionPreview,
    StartSession,
    StopAutomationExecution,
    TerminateSession,
    UnlabelParameterVersion,
    UpdateAssociation,
    UpdateAssociationStatus,
    UpdateDocument,
    UpdateDocumentDefaultVersion,
    UpdateDocumentMetadata,
    UpdateMaintenanceWindow,
    UpdateMaintenanceWindowTarget,
    UpdateMaintenanceWindowTask,
    UpdateManagedInstanceRole,
    UpdateOpsItem,
    UpdateOpsMetadata,
    UpdatePatchBaseline,
    UpdateResourceDataSync,
    UpdateServiceSetting,
  },
});

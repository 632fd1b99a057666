import { definePlugin } from '@emu/core';
import type { SsmOperations } from '@emu/service-types/ssm';
import type { ServiceModel } from '@emu/wire';
import model from '../model/ssm.json' with { type: 'json' };
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
import { control } from './control.ts';
import { serveAttachment } from './documents/downloads.ts';
import { CreateDocument, DeleteDocument, DescribeDocument, GetDocument } from './documents/operations/documents.ts';
import { ListDocuments } from './documents/operations/listing.ts';
import { ListDocumentMetadataHistory, UpdateDocumentMetadata } from './documents/operations/reviews.ts';
import { DescribeDocumentPermission, ModifyDocumentPermission } from './documents/operations/sharing.ts';
import { ListDocumentVersions, UpdateDocument, UpdateDocumentDefaultVersion } from './documents/operations/versions.ts';
import { CreateActivation, DeleteActivation, DescribeActivations } from './nodes/operations/activations.ts';
import {
  DeregisterManagedInstance,
  DescribeInstanceInformation,
  DescribeInstanceProperties,
  RegisterManagedInstance,
  UpdateManagedInstanceRole,
} from './nodes/operations/instances.ts';
import { LabelParameterVersion, UnlabelParameterVersion } from './operations/labels.ts';
import { DescribeParameters } from './operations/listing.ts';
import { GetParameter, GetParameterHistory, GetParameters, GetParametersByPath } from './operations/reads.ts';
import { GetServiceSetting, ResetServiceSetting, UpdateServiceSetting } from './operations/settings.ts';
import { AddTagsToResource, ListTagsForResource, RemoveTagsFromResource } from './operations/tags.ts';
import { DeleteParameter, DeleteParameters, PutParameter } from './operations/writes.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { resources } from './resources.ts';
import {
  DescribeSessions,
  GetConnectionStatus,
  ResumeSession,
  StartSession,
  TerminateSession,
} from './sessions/operations/sessions.ts';
import { createState, type SsmState } from './state.ts';

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
  serve: serveAttachment,
  internal: { RegisterManagedInstance },
  operations: {
    AddTagsToResource,
    CancelCommand,
    CreateActivation,
    CreateDocument,
    DeleteActivation,
    DeleteDocument,
    DeleteParameter,
    DeleteParameters,
    DeregisterManagedInstance,
    DescribeActivations,
    DescribeAutomationExecutions,
    DescribeAutomationStepExecutions,
    DescribeDocument,
    DescribeDocumentPermission,
    DescribeInstanceInformation,
    DescribeInstanceProperties,
    DescribeParameters,
    DescribeSessions,
    GetAutomationExecution,
    GetCalendarState,
    GetCommandInvocation,
    GetConnectionStatus,
    GetDocument,
    GetExecutionPreview,
    GetParameter,
    GetParameterHistory,
    GetParameters,
    GetParametersByPath,
    GetServiceSetting,
    LabelParameterVersion,
    ListCommandInvocations,
    ListCommands,
    ListDocumentMetadataHistory,
    ListDocumentVersions,
    ListDocuments,
    ListTagsForResource,
    ModifyDocumentPermission,
    PutParameter,
    RemoveTagsFromResource,
    ResetServiceSetting,
    ResumeSession,
    SendAutomationSignal,
    SendCommand,
    StartAutomationExecution,
    StartChangeRequestExecution,
    StartExecutionPreview,
    StartSession,
    StopAutomationExecution,
    TerminateSession,
    UnlabelParameterVersion,
    UpdateDocument,
    UpdateDocumentDefaultVersion,
    UpdateDocumentMetadata,
    UpdateManagedInstanceRole,
    UpdateServiceSetting,
  },
});

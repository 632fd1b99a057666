import { definePlugin } from '@emu/core';
import type { SsmOperations } from '@emu/service-types/ssm';
import type { ServiceModel } from '@emu/wire';
import model from '../model/ssm.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { serveAttachment } from './documents/downloads.ts';
import { CreateDocument, DeleteDocument, DescribeDocument, GetDocument } from './documents/operations/documents.ts';
import { ListDocuments } from './documents/operations/listing.ts';
import { ListDocumentMetadataHistory, UpdateDocumentMetadata } from './documents/operations/reviews.ts';
import { DescribeDocumentPermission, ModifyDocumentPermission } from './documents/operations/sharing.ts';
import { ListDocumentVersions, UpdateDocument, UpdateDocumentDefaultVersion } from './documents/operations/versions.ts';
import { LabelParameterVersion, UnlabelParameterVersion } from './operations/labels.ts';
import { DescribeParameters } from './operations/listing.ts';
import { GetParameter, GetParameterHistory, GetParameters, GetParametersByPath } from './operations/reads.ts';
import { GetServiceSetting, ResetServiceSetting, UpdateServiceSetting } from './operations/settings.ts';
import { AddTagsToResource, ListTagsForResource, RemoveTagsFromResource } from './operations/tags.ts';
import { DeleteParameter, DeleteParameters, PutParameter } from './operations/writes.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { resources } from './resources.ts';
import { createState, type SsmState } from './state.ts';

/** AWS Systems Manager: Parameter Store and documents. */
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
  operations: {
    AddTagsToResource,
    CreateDocument,
    DeleteDocument,
    DeleteParameter,
    DeleteParameters,
    DescribeDocument,
    DescribeDocumentPermission,
    DescribeParameters,
    GetDocument,
    GetParameter,
    GetParameterHistory,
    GetParameters,
    GetParametersByPath,
    GetServiceSetting,
    LabelParameterVersion,
    ListDocumentMetadataHistory,
    ListDocumentVersions,
    ListDocuments,
    ListTagsForResource,
    ModifyDocumentPermission,
    PutParameter,
    RemoveTagsFromResource,
    ResetServiceSetting,
    UnlabelParameterVersion,
    UpdateDocument,
    UpdateDocumentDefaultVersion,
    UpdateDocumentMetadata,
    UpdateServiceSetting,
  },
});

import { definePlugin } from '@emu/core';
import type { SsmOperations } from '@emu/service-types/ssm';
import type { ServiceModel } from '@emu/wire';
import model from '../model/ssm.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
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

/** AWS Systems Manager: Parameter Store. */
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
  operations: {
    AddTagsToResource,
    DeleteParameter,
    DeleteParameters,
    DescribeParameters,
    GetParameter,
    GetParameterHistory,
    GetParameters,
    GetParametersByPath,
    GetServiceSetting,
    LabelParameterVersion,
    ListTagsForResource,
    PutParameter,
    RemoveTagsFromResource,
    ResetServiceSetting,
    UnlabelParameterVersion,
    UpdateServiceSetting,
  },
});

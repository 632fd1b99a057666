import { definePlugin } from '@emu/core';
import type { EcrOperations } from '@emu/service-types/ecr';
import type { ServiceModel } from '@emu/wire';
import model from '../model/ecr.json' with { type: 'json' };
import { control } from './control.ts';
import {
  DeleteLifecyclePolicy,
  DeleteRepositoryPolicy,
  GetLifecyclePolicy,
  GetRepositoryPolicy,
  PutLifecyclePolicy,
  SetRepositoryPolicy,
} from './operations/policies.ts';
import {
  CreateRepository,
  DeleteRepository,
  DescribeRepositories,
  PutImageScanningConfiguration,
  PutImageTagMutability,
} from './operations/repositories.ts';
import { ListTagsForResource, TagResource, UntagResource } from './operations/tags.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { repositoryType } from './resources.ts';
import { createState, type EcrState } from './state.ts';

/** Amazon Elastic Container Registry. */
export const plugin = definePlugin<EcrOperations, EcrState>({
  name: 'ecr',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  paging,
  resources: [repositoryType],
  control,
  operations: {
    CreateRepository,
    DeleteLifecyclePolicy,
    DeleteRepository,
    DeleteRepositoryPolicy,
    DescribeRepositories,
    GetLifecyclePolicy,
    GetRepositoryPolicy,
    ListTagsForResource,
    PutImageScanningConfiguration,
    PutImageTagMutability,
    PutLifecyclePolicy,
    SetRepositoryPolicy,
    TagResource,
    UntagResource,
  },
});

import { definePlugin } from '@emu/core/service';
import type { EcrOperations } from '@emu/service-types/ecr';
import type { ServiceModel } from '@emu/wire';
import model from '../model/ecr.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import * as policies from './operations/policies.ts';
import * as repositories from './operations/repositories.ts';
import { tags } from './operations/tags.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { repositoryType } from './resources.ts';
import { createState, type EcrState } from './state.ts';

/** Amazon Elastic Container Registry. */
export const plugin = definePlugin<EcrOperations, EcrState>({
  name: 'ecr',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  authorization,
  collections,
  createState,
  paging,
  resources: [repositoryType],
  control,
  operations: [policies, repositories, tags],
});

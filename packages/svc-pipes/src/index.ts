import { definePlugin } from '@emu/core/service';
import type { PipesOperations } from '@emu/service-types/pipes';
import type { ServiceModel } from '@emu/wire';
import model from '../model/pipes.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { ignoredIfEmpty } from './ignored-members.ts';
import * as pipes from './operations/pipes.ts';
import { tags } from './operations/tags.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { resources } from './resources.ts';
import { createState, type PipesState } from './state.ts';

/** Amazon EventBridge Pipes. */
export const plugin = definePlugin<PipesOperations, PipesState>({
  name: 'pipes',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  authorization,
  paging,
  resources,
  ignoredIfEmpty,
  operations: [pipes, tags],
});

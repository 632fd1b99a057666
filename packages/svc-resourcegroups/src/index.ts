import { definePlugin } from '@emu/core/service';
import type { ResourcegroupsOperations } from '@emu/service-types/resourcegroups';
import type { ServiceModel } from '@emu/wire';
import model from '../model/resourcegroups.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { modelError } from './errors.ts';
import { ignoredIfEmpty } from './ignored-members.ts';
import * as groups from './operations/groups.ts';
import * as membership from './operations/membership.ts';
import * as queries from './operations/queries.ts';
import * as settings from './operations/settings.ts';
import * as tagSync from './operations/tag-sync.ts';
import { tags } from './operations/tags.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { resources } from './resources.ts';
import { GroupsState } from './state.ts';
import { TagSync } from './tag-sync.ts';

/** AWS Resource Groups. */
export const plugin = definePlugin<ResourcegroupsOperations, GroupsState>({
  name: 'resourcegroups',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState: (scope) => new GroupsState(scope, (keep) => new TagSync(scope, keep)),
  authorization,
  paging,
  resources,
  validationError: modelError,
  ignoredIfEmpty,
  operations: [groups, membership, queries, settings, tagSync, tags],
});

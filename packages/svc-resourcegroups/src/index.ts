import { definePlugin } from '@emu/core';
import type { ResourcegroupsOperations } from '@emu/service-types/resourcegroups';
import type { ServiceModel } from '@emu/wire';
import model from '../model/resourcegroups.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { modelError } from './errors.ts';
import { CreateGroup, DeleteGroup, GetGroup, ListGroups, UpdateGroup } from './operations/groups.ts';
import { GroupResources, ListGroupingStatuses, UngroupResources } from './operations/membership.ts';
import { GetGroupQuery, ListGroupResources, SearchResources, UpdateGroupQuery } from './operations/queries.ts';
import {
  GetAccountSettings,
  GetGroupConfiguration,
  PutGroupConfiguration,
  UpdateAccountSettings,
} from './operations/settings.ts';
import { CancelTagSyncTask, GetTagSyncTask, ListTagSyncTasks, StartTagSyncTask } from './operations/tag-sync.ts';
import { GetTags, Tag, Untag } from './operations/tags.ts';
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
  operations: {
    CancelTagSyncTask,
    CreateGroup,
    DeleteGroup,
    GetAccountSettings,
    GetGroup,
    GetGroupConfiguration,
    GetGroupQuery,
    GetTagSyncTask,
    GetTags,
    GroupResources,
    ListGroupingStatuses,
    ListGroupResources,
    ListGroups,
    ListTagSyncTasks,
    PutGroupConfiguration,
    SearchResources,
    StartTagSyncTask,
    Tag,
    UngroupResources,
    Untag,
    UpdateAccountSettings,
    UpdateGroup,
    UpdateGroupQuery,
  },
});

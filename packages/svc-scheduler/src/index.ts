import { countCall, definePlugin } from '@emu/core/service';
import type { SchedulerOperations } from '@emu/service-types/scheduler';
import type { ServiceModel } from '@emu/wire';
import model from '../model/scheduler.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { ignoredIfEmpty } from './ignored-members.ts';
import * as groups from './operations/groups.ts';
import * as schedules from './operations/schedules.ts';
import { tags } from './operations/tags.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { resources } from './resources.ts';
import { createState, type SchedulerState } from './state.ts';

/** Amazon EventBridge Scheduler. */
export const plugin = definePlugin<SchedulerOperations, SchedulerState>({
  name: 'scheduler',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState,
  authorization,
  control,
  paging,
  resources,
  prepare(operation, _input, { http, state, clock }) {
    if (http) countCall(state.reported, { service: 'Scheduler', resource: operation }, clock.now());
    return undefined;
  },
  ignoredIfEmpty,
  operations: [groups, schedules, tags],
});

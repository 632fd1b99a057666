import { definePlugin } from '@emu/core';
import type { ServiceModel } from '@emu/wire';
import model from '../model/events.json' with { type: 'json' };
import { control } from './control.ts';
import { runRule } from './delivery/deliver.ts';
import type { EventsOperations } from './generated/events.ts';
import * as buses from './operations/buses.ts';
import * as events from './operations/events.ts';
import * as rules from './operations/rules.ts';
import * as tags from './operations/tags.ts';
import * as targets from './operations/targets.ts';
import { collections } from './records.ts';
import { EventsState } from './state.ts';

/** Amazon EventBridge. */
export const plugin = definePlugin<EventsOperations, EventsState>({
  name: 'events',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState: (scope) => new EventsState(scope, runRule),
  control,
  operations: { ...buses, ...rules, ...targets, ...events, ...tags },
});

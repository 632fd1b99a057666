import { definePlugin } from '@emu/core/service';
import type { EventsOperations } from '@emu/service-types/events';
import type { ServiceModel } from '@emu/wire';
import model from '../model/events.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { runRule } from './delivery/deliver.ts';
import { SendConnectionRequest, SendHttpRequest } from './delivery/internal.ts';
import { ignoredIfEmpty } from './ignored-members.ts';
import * as apiDestinations from './operations/api-destinations.ts';
import * as archives from './operations/archives.ts';
import * as buses from './operations/buses.ts';
import * as connections from './operations/connections.ts';
import * as endpoints from './operations/endpoints.ts';
import * as eventSources from './operations/event-sources.ts';
import * as events from './operations/events.ts';
import * as partnerSources from './operations/partner-sources.ts';
import * as replays from './operations/replays.ts';
import * as rules from './operations/rules.ts';
import { tags } from './operations/tags.ts';
import * as targets from './operations/targets.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { resources } from './resources.ts';
import { interrupted } from './resume.ts';
import { EventsState } from './state.ts';

/** Amazon EventBridge. */
export const plugin = definePlugin<EventsOperations, EventsState>({
  name: 'events',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState: (scope) => new EventsState(scope, { runRule, interrupted }),
  control,
  internal: { SendConnectionRequest, SendHttpRequest },
  paging,
  resources,
  ignoredIfEmpty,
  operations: [
    apiDestinations,
    archives,
    buses,
    connections,
    endpoints,
    eventSources,
    events,
    partnerSources,
    replays,
    rules,
    tags,
    targets,
  ],
  authorization,
});

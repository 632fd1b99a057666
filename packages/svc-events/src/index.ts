import { definePlugin } from '@emu/core';
import type { EventsOperations } from '@emu/service-types/events';
import type { ServiceModel } from '@emu/wire';
import model from '../model/events.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { runRule } from './delivery/deliver.ts';
import { SendConnectionRequest, SendHttpRequest } from './delivery/internal.ts';
import {
  CreateApiDestination,
  DeleteApiDestination,
  DescribeApiDestination,
  ListApiDestinations,
  UpdateApiDestination,
} from './operations/api-destinations.ts';
import { CreateArchive, DeleteArchive, DescribeArchive, ListArchives, UpdateArchive } from './operations/archives.ts';
import {
  CreateEventBus,
  DeleteEventBus,
  DescribeEventBus,
  ListEventBuses,
  PutPermission,
  RemovePermission,
  UpdateEventBus,
} from './operations/buses.ts';
import {
  CreateConnection,
  DeauthorizeConnection,
  DeleteConnection,
  DescribeConnection,
  ListConnections,
  UpdateConnection,
} from './operations/connections.ts';
import {
  CreateEndpoint,
  DeleteEndpoint,
  DescribeEndpoint,
  ListEndpoints,
  UpdateEndpoint,
} from './operations/endpoints.ts';
import {
  ActivateEventSource,
  DeactivateEventSource,
  DescribeEventSource,
  ListEventSources,
} from './operations/event-sources.ts';
import { PutEvents, TestEventPattern } from './operations/events.ts';
import {
  CreatePartnerEventSource,
  DeletePartnerEventSource,
  DescribePartnerEventSource,
  ListPartnerEventSourceAccounts,
  ListPartnerEventSources,
  PutPartnerEvents,
} from './operations/partner-sources.ts';
import { CancelReplay, DescribeReplay, ListReplays, StartReplay } from './operations/replays.ts';
import {
  DeleteRule,
  DescribeRule,
  DisableRule,
  EnableRule,
  ListRuleNamesByTarget,
  ListRules,
  PutRule,
} from './operations/rules.ts';
import { ListTagsForResource, TagResource, UntagResource } from './operations/tags.ts';
import { ListTargetsByRule, PutTargets, RemoveTargets } from './operations/targets.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { resources } from './resources.ts';
import { resume } from './resume.ts';
import { EventsState } from './state.ts';

/** Amazon EventBridge. */
export const plugin = definePlugin<EventsOperations, EventsState>({
  name: 'events',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  createState: (scope) => new EventsState(scope, { runRule, resume }),
  control,
  internal: { SendConnectionRequest, SendHttpRequest },
  paging,
  resources,
  operations: {
    ActivateEventSource,
    CancelReplay,
    CreateApiDestination,
    CreateArchive,
    CreateConnection,
    CreateEndpoint,
    CreateEventBus,
    CreatePartnerEventSource,
    DeactivateEventSource,
    DeauthorizeConnection,
    DeleteApiDestination,
    DeleteArchive,
    DeleteConnection,
    DeleteEndpoint,
    DeleteEventBus,
    DeletePartnerEventSource,
    DeleteRule,
    DescribeApiDestination,
    DescribeArchive,
    DescribeConnection,
    DescribeEndpoint,
    DescribeEventBus,
    DescribeEventSource,
    DescribePartnerEventSource,
    DescribeReplay,
    DescribeRule,
    DisableRule,
    EnableRule,
    ListApiDestinations,
    ListArchives,
    ListConnections,
    ListEndpoints,
    ListEventBuses,
    ListEventSources,
    ListPartnerEventSourceAccounts,
    ListPartnerEventSources,
    ListReplays,
    ListRuleNamesByTarget,
    ListRules,
    ListTagsForResource,
    ListTargetsByRule,
    PutEvents,
    PutPartnerEvents,
    PutPermission,
    PutRule,
    PutTargets,
    RemovePermission,
    RemoveTargets,
    StartReplay,
    TagResource,
    TestEventPattern,
    UntagResource,
    UpdateApiDestination,
    UpdateArchive,
    UpdateConnection,
    UpdateEndpoint,
    UpdateEventBus,
  },
  authorization,
});

import { countCall, definePlugin, logWriter, provide, vendedLogs } from '@emu/core/service';
import type { LogsInternalOperations } from '@emu/service-types/internal/logs';
import type { LogsOperations } from '@emu/service-types/logs';
import type { ServiceModel } from '@emu/wire';
import model from '../model/logs.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { serve } from './http/serve.ts';
import { ignoredIfEmpty } from './ignored-members.ts';
import { carrierOf, writerOf } from './ingestion/writer.ts';
import { lookupTableType, scheduledQueryType } from './insights/resources.ts';
import { ReadTransformedEvents } from './internal/transformed-events.ts';
import * as accountPolicies from './operations/account-policies.ts';
import * as anomalyDetectors from './operations/anomaly-detectors.ts';
import * as bearerTokens from './operations/bearer-tokens.ts';
import * as configurationTemplates from './operations/configuration-templates.ts';
import * as dataProtection from './operations/data-protection.ts';
import * as dataSources from './operations/data-sources.ts';
import * as deliveries from './operations/deliveries.ts';
import * as deliveryDestinations from './operations/delivery-destinations.ts';
import * as deliverySources from './operations/delivery-sources.ts';
import * as destinations from './operations/destinations.ts';
import * as exportTasks from './operations/export-tasks.ts';
import * as filterEvents from './operations/filter-events.ts';
import * as getEvents from './operations/get-events.ts';
import * as groups from './operations/groups.ts';
import * as importTasks from './operations/import-tasks.ts';
import * as indexPolicies from './operations/index-policies.ts';
import * as integrations from './operations/integrations.ts';
import * as kms from './operations/kms.ts';
import * as liveTail from './operations/live-tail.ts';
import * as logObjects from './operations/log-objects.ts';
import * as lookupTables from './operations/lookup-tables.ts';
import * as metricFilters from './operations/metric-filters.ts';
import * as putEvents from './operations/put-events.ts';
import * as queries from './operations/queries.ts';
import * as queryDefinitions from './operations/query-definitions.ts';
import * as resourcePolicies from './operations/resource-policies.ts';
import * as retention from './operations/retention.ts';
import * as s3Tables from './operations/s3-tables.ts';
import * as scheduledQueries from './operations/scheduled-queries.ts';
import * as streams from './operations/streams.ts';
import * as subscriptionFilters from './operations/subscription-filters.ts';
import { tags } from './operations/tags.ts';
import * as transformers from './operations/transformers.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { resourceTypes } from './resources.ts';
import { createState, type LogsState } from './state.ts';
import { EventStore } from './store/event-store.ts';
import { inspectEvents } from './store/inspection.ts';
import { validationError } from './validation.ts';

/** Amazon CloudWatch Logs. */
export const plugin = definePlugin<LogsOperations, LogsState>({
  name: 'logs',
  model: model as unknown as ServiceModel,
  stateScope: 'region',
  collections,
  openData: (place) => EventStore.open(place),
  inspectData: inspectEvents,
  createState,
  validationError,
  paging,
  serve,
  internal: {
    // Only used to check permissions.
    IngestLogs: (_input: LogsInternalOperations['IngestLogs']['input']) => ({}),
    ReadTransformedEvents,
  },
  provides: [provide(logWriter, writerOf), provide(vendedLogs, carrierOf)],
  control,
  authorization,
  resources: [lookupTableType, scheduledQueryType, ...resourceTypes],
  prepare(operation, _input, { http, state, clock }) {
    if (http) countCall(state.reported, { service: 'Logs', resource: operation }, clock.now());
    return undefined;
  },
  ignoredIfEmpty,
  operations: [
    accountPolicies,
    anomalyDetectors,
    bearerTokens,
    configurationTemplates,
    dataProtection,
    dataSources,
    deliveries,
    deliveryDestinations,
    deliverySources,
    destinations,
    exportTasks,
    filterEvents,
    getEvents,
    groups,
    importTasks,
    indexPolicies,
    integrations,
    kms,
    liveTail,
    logObjects,
    lookupTables,
    metricFilters,
    putEvents,
    queries,
    queryDefinitions,
    resourcePolicies,
    retention,
    s3Tables,
    scheduledQueries,
    streams,
    subscriptionFilters,
    tags,
    transformers,
  ],
});

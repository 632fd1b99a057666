import { countCall, definePlugin, logWriter, provide, vendedLogs } from '@emu/core';
import type { LogsInternalOperations } from '@emu/service-types/internal/logs';
import type { LogsOperations } from '@emu/service-types/logs';
import type { ServiceModel } from '@emu/wire';
import model from '../model/logs.json' with { type: 'json' };
import { authorization } from './authorization.ts';
import { control } from './control.ts';
import { serve } from './http/serve.ts';
import { lookupTableType, scheduledQueryType } from './insights/resources.ts';
import { ReadTransformedEvents } from './internal/transformed-events.ts';
import { DeleteAccountPolicy, DescribeAccountPolicies, PutAccountPolicy } from './operations/account-policies.ts';
import {
  CreateLogAnomalyDetector,
  DeleteLogAnomalyDetector,
  GetLogAnomalyDetector,
  ListAnomalies,
  ListLogAnomalyDetectors,
  UpdateAnomaly,
  UpdateLogAnomalyDetector,
} from './operations/anomaly-detectors.ts';
import { PutBearerTokenAuthentication } from './operations/bearer-tokens.ts';
import { DescribeConfigurationTemplates } from './operations/configuration-templates.ts';
import {
  DeleteDataProtectionPolicy,
  GetDataProtectionPolicy,
  PutDataProtectionPolicy,
} from './operations/data-protection.ts';
import { GetLogFields, ListAggregateLogGroupSummaries } from './operations/data-sources.ts';
import {
  CreateDelivery,
  DeleteDelivery,
  DescribeDeliveries,
  GetDelivery,
  UpdateDeliveryConfiguration,
} from './operations/deliveries.ts';
import {
  DeleteDeliveryDestination,
  DeleteDeliveryDestinationPolicy,
  DescribeDeliveryDestinations,
  GetDeliveryDestination,
  GetDeliveryDestinationPolicy,
  PutDeliveryDestination,
  PutDeliveryDestinationPolicy,
} from './operations/delivery-destinations.ts';
import {
  DeleteDeliverySource,
  DescribeDeliverySources,
  GetDeliverySource,
  PutDeliverySource,
} from './operations/delivery-sources.ts';
import {
  DeleteDestination,
  DescribeDestinations,
  PutDestination,
  PutDestinationPolicy,
} from './operations/destinations.ts';
import { CancelExportTask, CreateExportTask, DescribeExportTasks } from './operations/export-tasks.ts';
import { FilterLogEvents } from './operations/filter-events.ts';
import { GetLogEvents } from './operations/get-events.ts';
import {
  CreateLogGroup,
  DeleteLogGroup,
  DescribeLogGroups,
  ListLogGroups,
  PutLogGroupDeletionProtection,
} from './operations/groups.ts';
import {
  CancelImportTask,
  CreateImportTask,
  DescribeImportTaskBatches,
  DescribeImportTasks,
} from './operations/import-tasks.ts';
import {
  DeleteIndexPolicy,
  DescribeFieldIndexes,
  DescribeIndexPolicies,
  PutIndexPolicy,
} from './operations/index-policies.ts';
import { DeleteIntegration, GetIntegration, ListIntegrations, PutIntegration } from './operations/integrations.ts';
import { AssociateKmsKey, DisassociateKmsKey } from './operations/kms.ts';
import { StartLiveTail } from './operations/live-tail.ts';
import { GetLogObject } from './operations/log-objects.ts';
import {
  CreateLookupTable,
  DeleteLookupTable,
  DescribeLookupTables,
  GetLookupTable,
  UpdateLookupTable,
} from './operations/lookup-tables.ts';
import {
  DeleteMetricFilter,
  DescribeMetricFilters,
  PutMetricFilter,
  TestMetricFilter,
} from './operations/metric-filters.ts';
import { PutLogEvents } from './operations/put-events.ts';
import {
  DescribeQueries,
  GetLogGroupFields,
  GetLogRecord,
  GetQueryResults,
  ListLogGroupsForQuery,
  StartQuery,
  StopQuery,
} from './operations/queries.ts';
import { DeleteQueryDefinition, DescribeQueryDefinitions, PutQueryDefinition } from './operations/query-definitions.ts';
import { DeleteResourcePolicy, DescribeResourcePolicies, PutResourcePolicy } from './operations/resource-policies.ts';
import { DeleteRetentionPolicy, PutRetentionPolicy } from './operations/retention.ts';
import {
  AssociateSourceToS3TableIntegration,
  DisassociateSourceFromS3TableIntegration,
  ListSourcesForS3TableIntegration,
} from './operations/s3-tables.ts';
import {
  CreateScheduledQuery,
  DeleteScheduledQuery,
  GetScheduledQuery,
  GetScheduledQueryHistory,
  ListScheduledQueries,
  UpdateScheduledQuery,
} from './operations/scheduled-queries.ts';
import { CreateLogStream, DeleteLogStream, DescribeLogStreams } from './operations/streams.ts';
import {
  DeleteSubscriptionFilter,
  DescribeSubscriptionFilters,
  PutSubscriptionFilter,
} from './operations/subscription-filters.ts';
import {
  ListTagsForResource,
  ListTagsLogGroup,
  TagLogGroup,
  TagResource,
  UntagLogGroup,
  UntagResource,
} from './operations/tags.ts';
import { DeleteTransformer, GetTransformer, PutTransformer, TestTransformer } from './operations/transformers.ts';
import { paging } from './paging.ts';
import { collections } from './records.ts';
import { resourceTypes } from './resources.ts';
import { createState, type LogsState } from './state.ts';
import { EventStore } from './store/event-store.ts';
import { inspectEvents } from './store/inspection.ts';
import { validationError } from './validation.ts';
import { carrierOf, writerOf } from './writer.ts';

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
    // Its permissions are all that it has.
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
  operations: {
    AssociateKmsKey,
    AssociateSourceToS3TableIntegration,
    CancelExportTask,
    CancelImportTask,
    CreateDelivery,
    CreateExportTask,
    CreateImportTask,
    CreateLogAnomalyDetector,
    CreateLogGroup,
    CreateLogStream,
    CreateLookupTable,
    CreateScheduledQuery,
    DeleteAccountPolicy,
    DeleteDataProtectionPolicy,
    DeleteDelivery,
    DeleteDeliveryDestination,
    DeleteDeliveryDestinationPolicy,
    DeleteDeliverySource,
    DeleteDestination,
    DeleteIndexPolicy,
    DeleteIntegration,
    DeleteLogAnomalyDetector,
    DeleteLogGroup,
    DeleteLogStream,
    DeleteLookupTable,
    DeleteMetricFilter,
    DeleteQueryDefinition,
    DeleteResourcePolicy,
    DeleteRetentionPolicy,
    DeleteScheduledQuery,
    DeleteSubscriptionFilter,
    DeleteTransformer,
    DescribeAccountPolicies,
    DescribeConfigurationTemplates,
    DescribeDeliveries,
    DescribeDeliveryDestinations,
    DescribeDeliverySources,
    DescribeDestinations,
    DescribeExportTasks,
    DescribeFieldIndexes,
    DescribeImportTaskBatches,
    DescribeImportTasks,
    DescribeIndexPolicies,
    DescribeLogGroups,
    DescribeLogStreams,
    DescribeLookupTables,
    DescribeMetricFilters,
    DescribeQueries,
    DescribeQueryDefinitions,
    DescribeResourcePolicies,
    DescribeSubscriptionFilters,
    DisassociateKmsKey,
    DisassociateSourceFromS3TableIntegration,
    FilterLogEvents,
    GetDataProtectionPolicy,
    GetDelivery,
    GetDeliveryDestination,
    GetDeliveryDestinationPolicy,
    GetDeliverySource,
    GetIntegration,
    GetLogAnomalyDetector,
    GetLogEvents,
    GetLogFields,
    GetLogGroupFields,
    GetLogObject,
    GetLogRecord,
    GetLookupTable,
    GetQueryResults,
    GetScheduledQuery,
    GetScheduledQueryHistory,
    GetTransformer,
    ListAggregateLogGroupSummaries,
    ListAnomalies,
    ListIntegrations,
    ListLogAnomalyDetectors,
    ListLogGroups,
    ListLogGroupsForQuery,
    ListScheduledQueries,
    ListSourcesForS3TableIntegration,
    ListTagsForResource,
    ListTagsLogGroup,
    PutAccountPolicy,
    PutBearerTokenAuthentication,
    PutDataProtectionPolicy,
    PutDeliveryDestination,
    PutDeliveryDestinationPolicy,
    PutDeliverySource,
    PutDestination,
    PutDestinationPolicy,
    PutIndexPolicy,
    PutIntegration,
    PutLogEvents,
    PutLogGroupDeletionProtection,
    PutMetricFilter,
    PutQueryDefinition,
    PutResourcePolicy,
    PutRetentionPolicy,
    PutSubscriptionFilter,
    PutTransformer,
    StartLiveTail,
    StartQuery,
    StopQuery,
    TagLogGroup,
    TagResource,
    TestMetricFilter,
    TestTransformer,
    UntagLogGroup,
    UntagResource,
    UpdateAnomaly,
    UpdateDeliveryConfiguration,
    UpdateLogAnomalyDetector,
    UpdateLookupTable,
    UpdateScheduledQuery,
  },
});

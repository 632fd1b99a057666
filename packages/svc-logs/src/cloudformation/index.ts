import type { AnyResourceProvider } from '@emu/core/service';
import { accountPolicy, destination, integration, transformer } from './account.ts';
import { delivery, deliveryDestination, deliverySource } from './deliveries.ts';
import { metricFilter, subscriptionFilter } from './filters.ts';
import { logGroup, logStream } from './log-group.ts';
import { queryDefinition, resourcePolicy } from './policies.ts';
import { anomalyDetector, scheduledQuery } from './queries.ts';

/** Providers of CloudWatch Logs' resource types. */
export const providers: readonly AnyResourceProvider[] = [
  accountPolicy,
  anomalyDetector,
  delivery,
  deliveryDestination,
  deliverySource,
  destination,
  integration,
  logGroup,
  logStream,
  metricFilter,
  queryDefinition,
  resourcePolicy,
  scheduledQuery,
  subscriptionFilter,
  transformer,
];

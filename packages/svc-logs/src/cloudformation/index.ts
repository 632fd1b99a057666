import type { AnyResourceProvider } from '@emu/core';
import { metricFilter, subscriptionFilter } from './filters.ts';
import { logGroup, logStream } from './log-group.ts';
import { queryDefinition, resourcePolicy } from './policies.ts';

/** Providers of CloudWatch Logs' resource types. */
export const providers: readonly AnyResourceProvider[] = [
  logGroup,
  logStream,
  metricFilter,
  queryDefinition,
  resourcePolicy,
  subscriptionFilter,
];

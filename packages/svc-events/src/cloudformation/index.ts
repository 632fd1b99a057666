import type { AnyResourceProvider } from '@emu/core/service';
import { apiDestination, archive, connection } from './archive.ts';
import { endpoint } from './endpoint.ts';
import { eventBus, eventBusPolicy } from './event-bus.ts';
import { rule } from './rule.ts';

/** Providers of EventBridge's resource types. */
export const providers: readonly AnyResourceProvider[] = [
  apiDestination,
  archive,
  connection,
  endpoint,
  eventBus,
  eventBusPolicy,
  rule,
];

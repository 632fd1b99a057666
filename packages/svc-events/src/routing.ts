import type { PutEventsRequestEntry } from '@emu/service-types/events';
import { invalid, invalidParameter } from './errors.ts';
import type { EventsContext } from './lookup.ts';
import { busAddress, busType } from './resources.ts';
import type { EventsState } from './state.ts';

/** Where a global endpoint sends events to. */
export interface Route {
  state: EventsState;
  name: string;
  /** The secondary region, where the endpoint replicates. */
  replica?: EventsState;
}

/**
 * The bus that a global endpoint sends events to: the one of the primary region, which is always well here.
 * @throws AwsError `ValidationException` where there is no such endpoint, or an entry names another bus
 */
export function routeOf(endpointId: string, entries: readonly PutEventsRequestEntry[], ctx: EventsContext): Route {
  for (const { accountId, state } of ctx.handle.states()) {
    if (accountId !== ctx.accountId) continue;
    for (const endpoint of state.endpoints.values()) {
      if (endpoint.id !== endpointId) continue;
      const primary = busType.parse(endpoint.buses[0]!.EventBusArn)!;
      for (const { EventBusName: name } of entries)
        if (busAddress(name, ctx).key.name !== primary.key.name)
          throw invalid('EventBusName must be the name of the event buses of the endpoint.');
      const region = ctx.handle.state(primary.place.accountId, primary.place.region);
      if (!region.bus(primary.key.name)) throw invalid(`Event bus ${primary.key.name} does not exist.`);
      if (endpoint.replication?.State === 'DISABLED') return { state: region, name: primary.key.name };
      const secondary = busType.parse(endpoint.buses[1]!.EventBusArn)!;
      const replica = ctx.handle.state(secondary.place.accountId, secondary.place.region);
      return { state: region, name: primary.key.name, ...(replica.bus(secondary.key.name) ? { replica } : {}) };
    }
  }
  throw invalidParameter('EndpointId');
}

import type { PutEventsRequestEntry } from '@emu/service-types/events';
import type { EventsContext } from './context.ts';
import { invalid, invalidParameter } from './errors.ts';
import { busAddress, busType } from './resources.ts';
import type { EventsState } from './state.ts';

/** Destination of a global endpoint's events. */
export interface Route {
  state: EventsState;
  name: string;
  /** Other region, if the endpoint replicates. */
  replica?: EventsState;
}

/**
 * Returns the bus for a global endpoint's events: that of the primary region, or of the secondary one while the health
 * check fails. With replication the other bus receives them as well.
 * @throws AwsError `ValidationException` for an unknown endpoint, or an entry with another bus
 */
export function routeOf(endpointId: string, entries: readonly PutEventsRequestEntry[], ctx: EventsContext): Route {
  for (const { accountId, state } of ctx.handle.states()) {
    if (accountId !== ctx.accountId) continue;
    for (const endpoint of state.endpoints.values()) {
      if (endpoint.id !== endpointId) continue;
      const [primary, secondary] = endpoint.buses.map(({ EventBusArn }) => busType.parse(EventBusArn)!);
      const [taking, other] = endpoint.unhealthy ? [secondary!, primary!] : [primary!, secondary!];
      const { name } = taking.key;
      for (const { EventBusName: given } of entries)
        if (busAddress(given, ctx).key.name !== name)
          throw invalid('EventBusName must be the name of the event buses of the endpoint.');
      const region = ctx.handle.state(taking.place.accountId, taking.place.region);
      if (!region.bus(name)) throw invalid(`Event bus ${name} does not exist.`);
      if (endpoint.replication?.State === 'DISABLED') return { state: region, name };
      const replica = ctx.handle.state(other.place.accountId, other.place.region);
      return { state: region, name, ...(replica.bus(name) && { replica }) };
    }
  }
  throw invalidParameter('EndpointId');
}

import type { DataPlaneRequest, DomainRequest, HttpApis, ServiceHandle } from '@emu/core/service';
import type { ApiEntrance } from './domains/api-entrance.ts';
import { entranceBy, findDomain } from './domains/entrance.ts';
import { mappingRecordOf, ownDomains } from './domains/shared.ts';
import { serveEntrance } from './serve.ts';
import type { Apigatewayv2State } from './state.ts';
import { socketByDomain } from './websocket/address.ts';
import { connectAt } from './websocket/upgrade.ts';

/** Returns the HTTP and WebSocket API capability for the REST API service. */
export function httpApisOf(handle: ServiceHandle<Apigatewayv2State>): HttpApis {
  const entrance = (request: DataPlaneRequest, domain: DomainRequest): ApiEntrance =>
    entranceBy(request, request.ownedHost ?? domain.name, {
      state: handle.state(domain.accountId, domain.region),
      owner: domain.name,
      routing: domain.routing,
      mappings: domain.mappings.map(mappingRecordOf),
      truststore: domain.truststore,
    });
  return {
    ...ownDomains(handle),
    hasDomain: (name) => findDomain(name, handle) !== undefined,
    discardRules({ accountId, region }, name) {
      handle.existingState(accountId, region)?.routingRules.clear(name);
    },
    serveDomain: (request, domain) => serveEntrance(request, entrance(request, domain)),
    async upgradeDomain(request, connection, domain) {
      const found = socketByDomain(entrance(request, domain));
      return found && connectAt(request, connection, found);
    },
  };
}

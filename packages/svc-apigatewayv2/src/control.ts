import { localUrls } from '@emu/apigateway-common';
import type { ApiGatewayV2Connection, ApiGatewayV2StageUrl, ControlRouteOf } from '@emu/control-client';
import { ControlError, type ControlRoute, type ServiceHandle } from '@emu/core/service';
import { findDomain } from './domains/entrance.ts';
import type { Apigatewayv2State } from './state.ts';
import { DEFAULT_ROUTE } from './validation/route-key.ts';
import type { Connection } from './websocket/connections.ts';

type Handle = ServiceHandle<Apigatewayv2State>;

/** Requests that HTTP APIs received, the oldest first in each account and region. */
const requests: ControlRouteOf<'GET /_emulator/apigatewayv2/requests', Handle> = {
  method: 'GET',
  path: '/_emulator/apigatewayv2/requests',
  handle: (_request, service) => ({
    json: { requests: [...service.states()].flatMap(({ state }) => state.runtime.captured.list()) },
  }),
};

const describe = (connection: Connection, { accountId, region }: Apigatewayv2State): ApiGatewayV2Connection => ({
  accountId,
  region,
  apiId: connection.apiId,
  stage: connection.stage,
  connectionId: connection.id,
  sourceIp: connection.sourceIp,
  ...(connection.userAgent !== '' && { userAgent: connection.userAgent }),
  connectedAt: new Date(connection.connectedAt).toISOString(),
  lastActiveAt: new Date(connection.lastActiveAt).toISOString(),
});

/** Open connections of WebSocket APIs. */
const connections: ControlRouteOf<'GET /_emulator/apigatewayv2/connections', Handle> = {
  method: 'GET',
  path: '/_emulator/apigatewayv2/connections',
  handle: (_request, service) => ({
    json: {
      connections: [...service.states()].flatMap(({ state }) =>
        [...state.runtime.connections.list()].map((connection) => describe(connection, state)),
      ),
    },
  }),
};

/** What a client is told of the address of WebSockets that does not ask for one. */
const webSocket: ControlRoute<Apigatewayv2State> = {
  method: 'GET',
  path: '/_emulator/apigatewayv2/ws/{api_id}',
  handle() {
    throw new ControlError(426, 'UpgradeRequired', 'This is the address of a WebSocket: connect to it with one.');
  },
};

/** The mutual TLS of a custom domain name. */
const mtlsInfo: ControlRouteOf<'GET /_emulator/apigatewayv2/domain-names/{name}/mtls-info', Handle> = {
  method: 'GET',
  path: '/_emulator/apigatewayv2/domain-names/{name}/mtls-info',
  handle({ params }, service) {
    const found = findDomain(params.name!.toLowerCase(), service);
    if (!found) throw new ControlError(404, 'DomainNameNotFound', `There is no domain name ${params.name}.`);
    const { state, domain } = found;
    const { MutualTlsAuthentication: mutual, truststore } = domain;
    return {
      json: {
        accountId: state.accountId,
        region: state.region,
        domainName: domain.DomainName,
        ...(mutual?.TruststoreUri !== undefined && { truststoreUri: mutual.TruststoreUri }),
        ...(mutual?.TruststoreVersion !== undefined && { truststoreVersion: mutual.TruststoreVersion }),
        ...(truststore !== undefined && { clientCaBundle: truststore }),
        truststoreWarnings: [...(mutual?.TruststoreWarnings ?? [])],
      },
    };
  },
};

/** Local addresses of every stage of every API. */
const urls: ControlRouteOf<'GET /_emulator/apigatewayv2/urls', Handle> = {
  method: 'GET',
  path: '/_emulator/apigatewayv2/urls',
  handle({ endpoint }, service) {
    const apis: ApiGatewayV2StageUrl[] = [];
    for (const { accountId, region, state } of service.states())
      for (const { ApiId: apiId, Name: name, ProtocolType: protocolType } of state.apis.values())
        for (const { StageName: stage } of state.stages.list(apiId)) {
          const place = { apiId, region, stage: stage === DEFAULT_ROUTE ? undefined : stage };
          const addresses = localUrls(endpoint, place, protocolType === 'WEBSOCKET');
          apis.push({ apiId, name, protocolType, stage, accountId, region, ...addresses });
        }
    return { json: { apis } };
  },
};

/** Routes for tests of HTTP and WebSocket APIs. */
export const control: readonly ControlRoute<Apigatewayv2State>[] = [requests, connections, urls, webSocket, mtlsInfo];

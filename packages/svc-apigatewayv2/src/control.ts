import { localUrls } from '@emu/apigateway-common';
import type { ApiGatewayV2Connection, ApiGatewayV2StageUrl, DeclareRoute } from '@emu/control-client';
import { ControlError, type ControlRoute, controlRoute, type ServiceHandle } from '@emu/core/service';
import { findDomain } from './domains/entrance.ts';
import { DEFAULT_ROUTE } from './runtime/route-key.ts';
import type { Apigatewayv2State } from './state.ts';
import type { Connection } from './websocket/connections.ts';

type Handle = ServiceHandle<Apigatewayv2State>;

const route: DeclareRoute<Handle, ControlRoute<Apigatewayv2State>> = controlRoute;

/** Lists the requests received by HTTP APIs, oldest first within an account and region. */
const requests = route('GET /_emulator/apigatewayv2/requests', (_request, service) => ({
  json: { requests: [...service.states()].flatMap(({ state }) => state.runtime.captured.list()) },
}));

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

/** Lists the open connections of WebSocket APIs. */
const connections = route('GET /_emulator/apigatewayv2/connections', (_request, service) => ({
  json: {
    connections: [...service.states()].flatMap(({ state }) =>
      [...state.runtime.connections.list()].map((connection) => describe(connection, state)),
    ),
  },
}));

/** Returns the error for requests to the WebSocket path without an upgrade. */
const webSocket = controlRoute('GET /_emulator/apigatewayv2/ws/{api_id}', () => {
  throw new ControlError(426, 'UpgradeRequired', 'This is the address of a WebSocket: connect to it with one.');
});

/** Returns the mutual TLS configuration of a custom domain name. */
const mtlsInfo = route('GET /_emulator/apigatewayv2/domain-names/{name}/mtls-info', ({ params }, service) => {
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
});

/** Lists the local URLs of all stages. */
const urls = route('GET /_emulator/apigatewayv2/urls', ({ endpoint }, service) => {
  const apis: ApiGatewayV2StageUrl[] = [];
  for (const { accountId, region, state } of service.states())
    for (const { ApiId: apiId, Name: name, ProtocolType: protocolType } of state.apis.values())
      for (const { StageName: stage } of state.stages.list(apiId)) {
        const place = { apiId, region, stage: stage === DEFAULT_ROUTE ? undefined : stage };
        const addresses = localUrls(endpoint, service.settings, place, protocolType === 'WEBSOCKET');
        apis.push({ apiId, name, protocolType, stage, accountId, region, ...addresses });
      }
  return { json: { apis } };
});

/** Control routes of HTTP and WebSocket APIs. */
export const control: readonly ControlRoute<Apigatewayv2State>[] = [requests, connections, urls, webSocket, mtlsInfo];

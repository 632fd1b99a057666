import {
  type DataPlaneRequest,
  type DataPlaneResponse,
  type DomainRequest,
  type HttpApis,
  httpApis,
  type ServiceHandle,
  type UpgradableConnection,
} from '@emu/core/service';
import { mappingOf, NO_PATH, routingOf } from '../domains/shared.ts';
import type { ApiGatewayState } from '../state.ts';
import { domainOf } from './target.ts';

type Handle = ServiceHandle<ApiGatewayState>;

/**
 * Returns the owner and the domain of a request whose routing rules, HTTP or WebSocket APIs, or multi-level paths
 * belong to API Gateway's version 2 API.
 */
async function followed(request: DataPlaneRequest, handle: Handle): Promise<[HttpApis, DomainRequest] | undefined> {
  const found = request.ownedHost === undefined ? undefined : domainOf(request.ownedHost, handle);
  if (!found) return undefined;
  const { state, domain } = found;
  const paths = state.basePaths.list(domain.domainName);
  const routing = routingOf(domain);
  const plain = ({ basePath, restApiId }: (typeof paths)[number]): boolean =>
    (basePath === NO_PATH || !basePath.includes('/')) && state.apis.has(restApiId);
  if (routing === 'mappings' && paths.every(plain)) return undefined;
  const { accountId, region } = state;
  const { domainName: name, truststore } = domain;
  const follower = await handle.capability(httpApis);
  return follower && [follower, { accountId, region, name, routing, mappings: paths.map(mappingOf), truststore }];
}

/** Serves a custom domain request that only the version 2 API supports; undefined if it is not needed. */
export async function serveByOtherApi(
  request: DataPlaneRequest,
  handle: Handle,
): Promise<DataPlaneResponse | undefined> {
  const [follower, domain] = (await followed(request, handle)) ?? [];
  return follower?.serveDomain(request, domain!);
}

/** Hands the connection of a client over to the WebSocket API of a custom domain. */
export async function upgrade(
  request: DataPlaneRequest,
  connection: UpgradableConnection,
  handle: Handle,
): Promise<DataPlaneResponse | 'taken' | undefined> {
  const [follower, domain] = (await followed(request, handle)) ?? [];
  return follower?.upgradeDomain(request, connection, domain!);
}

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
 * The domain of a request whose rules, HTTP and WebSocket APIs, or paths of several levels are API Gateway's other API's to
 * follow, with who does.
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

/** Has a request by a custom domain answered by what only API Gateway's other API has; undefined where there is no need. */
export async function serveElsewhere(
  request: DataPlaneRequest,
  handle: Handle,
): Promise<DataPlaneResponse | undefined> {
  const [follower, domain] = (await followed(request, handle)) ?? [];
  return follower?.serveDomain(request, domain!);
}

/** Hands the connection of a client over to the WebSocket API that a custom domain leads to. */
export async function upgrade(
  request: DataPlaneRequest,
  connection: UpgradableConnection,
  handle: Handle,
): Promise<DataPlaneResponse | 'taken' | undefined> {
  const [follower, domain] = (await followed(request, handle)) ?? [];
  return follower?.upgradeDomain(request, connection, domain!);
}

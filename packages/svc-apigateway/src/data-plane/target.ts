import { apiAddressOf, apiOfHost, type ClientCertificate, trustedClient } from '@emu/apigateway-common';
import { type DataPlaneRequest, type DeepReadonly, percentDecoded, type ServiceHandle } from '@emu/core/service';
import type { DomainRecord } from '../records.ts';
import { invokedDomainArn } from '../resources.ts';
import type { Api, ApiGatewayState, StageView } from '../state.ts';
import type { PrivateDomain } from './call.ts';

/** API and stage of a request. */
export interface Target {
  readonly state: ApiGatewayState;
  readonly api: Api;
  /** Undefined if the API does not have the stage. */
  readonly stage: StageView | undefined;
  /** Path within the stage, percent-encoded. */
  readonly path: string;
  /** `$context.path`. */
  readonly fullPath: string;
  /** Custom domain of the request. */
  readonly domain: string | undefined;
  /** Private custom domain of the request. */
  readonly privateDomain?: PrivateDomain | undefined;
  /** Client certificate, if the custom domain requires one; null if it is untrusted. */
  readonly client: ClientCertificate | null | undefined;
  /** Base path of the custom domain's mapping; `(none)` for the empty one. */
  readonly basePath?: string | undefined;
  /** Id of the custom domain's routing rule that matched. */
  readonly ruleId?: string | undefined;
  /** Whether it came by the API's own endpoint, which may be disabled. */
  readonly own: boolean;
}

type Handle = ServiceHandle<ApiGatewayState>;

/** Splits the first part off a path. */
function firstPart(given: string): [part: string, rest: string] {
  // Recorded from AWS: repeated slashes before the stage are collapsed.
  const path = given.replace(/^\/+/, '/');
  const at = path.indexOf('/', 1);
  return at < 0 ? [path.slice(1), '/'] : [path.slice(1, at), path.slice(at)];
}

/**
 * Returns the state of an API.
 * @param region from the host name, if present
 */
export function stateOf(apiId: string, region: string | undefined, handle: Handle): ApiGatewayState | undefined {
  for (const { state } of handle.states())
    if (state.apis.has(apiId) && (region === undefined || region === state.region)) return state;
  return undefined;
}

/** Returns a custom domain by name, with its state. */
export function domainOf(
  name: string,
  handle: Handle,
): { state: ApiGatewayState; domain: DeepReadonly<DomainRecord> } | undefined {
  for (const { state } of handle.states()) {
    const domain = state.domains.get(name) ?? state.domains.get(`*.${name.slice(name.indexOf('.') + 1)}`);
    if (domain) return { state, domain };
  }
  return undefined;
}

/** Returns the policy data of a private domain; undefined for other domains. */
export function privateDomainOf(
  state: ApiGatewayState,
  { domainName, domainNameId, policy }: DeepReadonly<DomainRecord>,
): PrivateDomain | undefined {
  return domainNameId === undefined ? undefined : { arn: invokedDomainArn(state, domainName, domainNameId), policy };
}

/** Returns the target of a custom domain request, by the longest matching base path. */
function byDomain(request: DataPlaneRequest, name: string, handle: Handle): Target | undefined {
  const found = domainOf(name, handle);
  if (!found) return undefined;
  const { state, domain } = found;
  const client =
    domain.truststore === undefined
      ? undefined
      : (trustedClient(request.clientCertificate, domain.truststore, state.clock.now()) ?? null);
  const [first] = firstPart(request.path);
  const mappings = state.basePaths.list(domain.domainName);
  const named = mappings.find(({ basePath }) => basePath === percentDecoded(first));
  const mapping = named ?? mappings.find(({ basePath }) => basePath === '(none)');
  const api = mapping && state.apis.get(mapping.restApiId);
  if (!api) return undefined;
  let path = named ? firstPart(request.path)[1] : request.path;
  let { stage } = mapping;
  if (stage === undefined) {
    const [part, rest] = firstPart(path);
    stage = percentDecoded(part);
    path = rest;
  }
  const stageView = state.stages.get(api.id, stage);
  const led = { domain: name, privateDomain: privateDomainOf(state, domain), basePath: mapping.basePath, client };
  return { state, api, stage: stageView, path, fullPath: request.path, ...led, own: false };
}

/** Returns the target of a request; undefined if it is not for a REST API. */
export function targetOf(request: DataPlaneRequest, handle: Handle): Target | undefined {
  if (request.ownedHost !== undefined && !apiOfHost(request.ownedHost))
    return byDomain(request, request.ownedHost, handle);
  const address = apiAddressOf(request);
  if (!address) return undefined;
  const state = stateOf(address.apiId, address.region, handle);
  const api = state?.apis.get(address.apiId);
  if (!state || !api) return undefined;
  const [part, rest] = address.stage === undefined ? firstPart(address.path) : [address.stage, address.path];
  const name = percentDecoded(part);
  const stage = state.stages.get(api.id, name);
  return {
    state,
    api,
    stage,
    path: rest,
    fullPath: `/${part}${rest}`,
    domain: undefined,
    client: undefined,
    own: true,
  };
}

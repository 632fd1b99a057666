import { apiAddressOf, type ClientCertificate, trustedClient } from '@emu/apigateway-common';
import { type DataPlaneRequest, type DeepReadonly, percentDecoded, type ServiceHandle } from '@emu/core/service';
import type { DomainRecord } from '../records.ts';
import { invokedDomainArn } from '../resources.ts';
import type { Api, ApiGatewayState, StageView } from '../state.ts';
import type { PrivateDomain } from './call.ts';

/** The API and stage that a request is for. */
export interface Target {
  readonly state: ApiGatewayState;
  readonly api: Api;
  /** Undefined where the API has no such stage. */
  readonly stage: StageView | undefined;
  /** Within the stage, percent-encoded. */
  readonly path: string;
  /** Path that `$context.path` has. */
  readonly fullPath: string;
  /** The custom domain by which it came. */
  readonly domain: string | undefined;
  /** The same, where it is a private one. */
  readonly privateDomain?: PrivateDomain | undefined;
  /** The client's certificate, where the custom domain asks for one; null where nobody trusts it. */
  readonly client: ClientCertificate | null | undefined;
  /** Base path of the custom domain's mapping; `(none)` where it has none. */
  readonly basePath?: string | undefined;
  /** Id of the custom domain's routing rule, where one has led here. */
  readonly ruleId?: string | undefined;
  /** Whether it came by the API's own address, which may be disabled. */
  readonly own: boolean;
}

type Handle = ServiceHandle<ApiGatewayState>;

/** Takes the first part off a path. */
function firstPart(given: string): [part: string, rest: string] {
  // As recorded of AWS: slashes before the stage are one.
  const path = given.replace(/^\/+/, '/');
  const at = path.indexOf('/', 1);
  return at < 0 ? [path.slice(1), '/'] : [path.slice(1, at), path.slice(at)];
}

/** The state that has an API. @param region where the address names it */
function stateOf(apiId: string, region: string | undefined, handle: Handle): ApiGatewayState | undefined {
  for (const { state } of handle.states())
    if (state.apis.has(apiId) && (region === undefined || region === state.region)) return state;
  return undefined;
}

/** The custom domain of a name, with its state. */
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

/** What requests by a domain meet of it, where it is a private one. */
export function privateDomainOf(
  state: ApiGatewayState,
  { domainName, domainNameId, policy }: DeepReadonly<DomainRecord>,
): PrivateDomain | undefined {
  return domainNameId === undefined ? undefined : { arn: invokedDomainArn(state, domainName, domainNameId), policy };
}

/** What a request by a custom domain is for: the longest base path of the domain that the path begins with. */
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

/** What a request is for; undefined where it is for no REST API of emu's. */
export function targetOf(request: DataPlaneRequest, handle: Handle): Target | undefined {
  if (request.ownedHost !== undefined && !request.ownedHost.includes('.execute-api.'))
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

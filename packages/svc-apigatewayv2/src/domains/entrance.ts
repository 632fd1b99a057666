import { trustedClient } from '@emu/apigateway-common';
import {
  type DataPlaneRequest,
  type DeepReadonly,
  type DomainRouting,
  percentDecoded,
  type ServiceHandle,
} from '@emu/core/service';
import type { ApiMappingRecord, DomainNameRecord, RoutingRuleRecord } from '../records.ts';
import type { Apigatewayv2State } from '../state.ts';
import type { ApiEntrance } from './api-entrance.ts';
import { matches } from './rules.ts';
import { routingOf } from './shared.ts';

/**
 * Returns the state with a custom domain name.
 * @param name in lower case
 */
export function findDomain(
  name: string,
  handle: ServiceHandle<Apigatewayv2State>,
): { state: Apigatewayv2State; domain: DeepReadonly<DomainNameRecord> } | undefined {
  // A wildcard stands for one label.
  const wildcard = `*${name.slice(Math.max(name.indexOf('.'), 0))}`;
  for (const { state } of handle.states()) {
    const domain = state.domainNames.get(name) ?? state.domainNames.get(wildcard);
    if (domain) return { state, domain };
  }
  return undefined;
}

/** Whether any domain name requires client certificates. */
export function asksClients(handle: ServiceHandle<Apigatewayv2State>): boolean {
  for (const { state } of handle.states())
    for (const { truststore } of state.domainNames.values()) if (truststore !== undefined) return true;
  return false;
}

/** Destination of a domain name's requests. */
interface Destination {
  readonly apiId: string;
  readonly stage: string;
  /** Path for route selection. */
  readonly path: string;
  /** Path of the matching mapping. */
  readonly basePath?: string;
  /** Id of the matching routing rule. */
  readonly ruleId?: string;
}

/**
 * Returns the mapping with the longest path prefix.
 * @param path percent-encoded
 */
function mappingFor(mappings: readonly DeepReadonly<ApiMappingRecord>[], path: string): Destination | undefined {
  let best: DeepReadonly<ApiMappingRecord> | undefined;
  const plain = percentDecoded(path);
  for (const mapping of mappings) {
    const { ApiMappingKey: key } = mapping;
    const fits = key === '' || plain === `/${key}` || plain.startsWith(`/${key}/`);
    if (fits && (!best || key.length > best.ApiMappingKey.length)) best = mapping;
  }
  if (!best) return undefined;
  const { ApiId: apiId, ApiMappingKey: basePath } = best;
  const levels = basePath === '' ? 0 : basePath.split('/').length;
  const below = withoutLevels(path, levels);
  if (best.Stage !== '') return { apiId, stage: best.Stage, path: below, basePath };
  // A base path of REST APIs without a stage: the path starts with the stage.
  return { apiId, stage: percentDecoded(below.split('/')[1] ?? ''), path: withoutLevels(below, 1), basePath };
}

/** Removes the first segments of a path. */
const withoutLevels = (path: string, levels: number): string => `/${path.slice(1).split('/').slice(levels).join('/')}`;

function ruleFor(
  rules: readonly DeepReadonly<RoutingRuleRecord>[],
  request: DataPlaneRequest,
): Destination | undefined {
  const ordered = [...rules].sort((a, b) => a.Priority - b.Priority);
  for (const rule of ordered) {
    const levels = matches(rule, request);
    if (levels === undefined) continue;
    const { ApiId, Stage, StripBasePath } = rule.Actions[0]!.InvokeApi;
    const path = StripBasePath ? withoutLevels(request.path, levels) : request.path;
    return { apiId: ApiId, stage: Stage, path, ruleId: rule.RoutingRuleId };
  }
  return undefined;
}

/** A custom domain name with its routing. */
export interface RoutedDomain {
  readonly state: Apigatewayv2State;
  /** The name as created, by which its rules are stored. */
  readonly owner: string;
  readonly routing: DomainRouting;
  readonly mappings: readonly DeepReadonly<ApiMappingRecord>[];
  /** PEM certificates of the trusted client certificate authorities. */
  readonly truststore: string | undefined;
}

/**
 * Returns the target of a request to a custom domain name.
 * @returns undefined for an unknown name
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-custom-domain-names.html
 */
export function domainEntrance(
  request: DataPlaneRequest,
  name: string,
  handle: ServiceHandle<Apigatewayv2State>,
): ApiEntrance | undefined {
  const found = findDomain(name, handle);
  if (!found) return undefined;
  const { state, domain } = found;
  const { DomainName: owner, truststore } = domain;
  const routing = routingOf(domain);
  return entranceBy(request, name, { state, owner, routing, mappings: state.apiMappings.list(owner), truststore });
}

/**
 * Returns the target of a request by a domain name's rules and mappings.
 * @param name requested domain name
 */
export function entranceBy(request: DataPlaneRequest, name: string, domain: RoutedDomain): ApiEntrance {
  const { state, routing, mappings, truststore } = domain;
  const { path } = request;
  const byRule = routing === 'mappings' ? undefined : ruleFor(state.routingRules.list(domain.owner), request);
  const destination = byRule ?? (routing === 'rules' ? undefined : mappingFor(mappings, path));
  const client =
    truststore === undefined
      ? undefined
      : (trustedClient(request.clientCertificate, truststore, state.clock.now()) ?? null);
  const common = { state, domainName: name, fullPath: path, client };
  if (!destination) return { ...common, api: undefined, stage: undefined, path };
  return {
    ...common,
    destination,
    api: state.apis.get(destination.apiId),
    stage: state.runtime.stage(destination.apiId, destination.stage),
    path: destination.path,
    basePath: destination.basePath,
    ruleId: destination.ruleId,
  };
}

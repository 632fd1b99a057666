import { trustedClient } from '@emu/apigateway-common';
import { type DataPlaneRequest, type DeepReadonly, percentDecoded, type ServiceHandle } from '@emu/core';
import type { ApiEntrance } from '../http/api-entrance.ts';
import type { ApiMappingRecord, DomainNameRecord, RoutingRuleRecord } from '../records.ts';
import type { Apigatewayv2State } from '../state.ts';
import { matches } from './rules.ts';

/** The state that has a custom domain name. @param name in lower case */
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

/** Whether any domain name wants its clients to show certificates. */
export function asksClients(handle: ServiceHandle<Apigatewayv2State>): boolean {
  for (const { state } of handle.states())
    for (const { truststore } of state.domainNames.values()) if (truststore !== undefined) return true;
  return false;
}

/** Where the requests of a domain name go. */
interface Destination {
  readonly apiId: string;
  readonly stage: string;
  /** Path that routes are told by. */
  readonly path: string;
  /** Path of the mapping that has led there. */
  readonly basePath?: string;
}

/** The mapping with the longest path that a request's begins with. @param path percent-encoded */
export function mappingFor(mappings: readonly DeepReadonly<ApiMappingRecord>[], path: string): Destination | undefined {
  let best: DeepReadonly<ApiMappingRecord> | undefined;
  const plain = percentDecoded(path);
  for (const mapping of mappings) {
    const { ApiMappingKey: key } = mapping;
    const fits = key === '' || plain === `/${key}` || plain.startsWith(`/${key}/`);
    if (fits && (!best || key.length > best.ApiMappingKey.length)) best = mapping;
  }
  if (!best) return undefined;
  const levels = best.ApiMappingKey === '' ? 0 : best.ApiMappingKey.split('/').length;
  return { apiId: best.ApiId, stage: best.Stage, path: withoutLevels(path, levels), basePath: best.ApiMappingKey };
}

/** A path without its first segments. */
export const withoutLevels = (path: string, levels: number): string =>
  `/${path.slice(1).split('/').slice(levels).join('/')}`;

function ruleFor(
  rules: readonly DeepReadonly<RoutingRuleRecord>[],
  request: DataPlaneRequest,
): Destination | undefined {
  const ordered = [...rules].sort((a, b) => a.Priority - b.Priority);
  for (const rule of ordered) {
    const levels = matches(rule, request);
    if (levels === undefined) continue;
    const { ApiId, Stage, StripBasePath } = rule.Actions[0]!.InvokeApi;
    return { apiId: ApiId, stage: Stage, path: StripBasePath ? withoutLevels(request.path, levels) : request.path };
  }
  return undefined;
}

/**
 * Where a request by a custom domain name goes.
 * @returns undefined where the name is nobody's
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
  const { path } = request;
  const mode = domain.RoutingMode ?? 'API_MAPPING_ONLY';
  const byRule = mode === 'API_MAPPING_ONLY' ? undefined : ruleFor(state.routingRules.list(domain.DomainName), request);
  const destination =
    byRule ?? (mode === 'ROUTING_RULE_ONLY' ? undefined : mappingFor(state.apiMappings.list(domain.DomainName), path));
  const { truststore } = domain;
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
  };
}

import { createHash } from 'node:crypto';
import {
  type CustomDomain,
  type CustomDomains,
  type DeepReadonly,
  type DomainMapping,
  type DomainRouting,
  httpApis,
  type Place,
  type ServiceHandle,
} from '@emu/core/service';
import type { RoutingMode } from '@emu/service-types/apigateway';
import type { ApigatewayContext } from '../context.ts';
import { notFound } from '../errors.ts';
import type { BasePathRecord, DomainRecord } from '../records.ts';
import type { ApiGatewayState } from '../state.ts';

type View = DeepReadonly<DomainRecord>;

/** Empty base path. */
export const NO_PATH = '(none)';
const ID_LENGTH = 6;

const ROUTING: Readonly<Record<RoutingMode, DomainRouting>> = {
  BASE_PATH_MAPPING_ONLY: 'mappings',
  ROUTING_RULE_ONLY: 'rules',
  ROUTING_RULE_THEN_BASE_PATH_MAPPING: 'rules-then-mappings',
};
const MODES = Object.fromEntries(Object.entries(ROUTING).map(([mode, routing]) => [routing, mode as RoutingMode]));

/** Returns the routing mode of a domain. */
export const routingOf = ({ routingMode }: Pick<View, 'routingMode'>): DomainRouting => ROUTING[routingMode];

/** Converts a domain to the form of the version 2 API. */
function customDomainOf(domain: View): CustomDomain {
  const { endpointConfiguration, mutualTlsAuthentication: mutual } = domain;
  const types = endpointConfiguration.types ?? [];
  const regional = types.includes('REGIONAL');
  return {
    name: domain.domainName,
    id: domain.domainNameId,
    endpointType: regional ? 'REGIONAL' : types.includes('PRIVATE') ? 'PRIVATE' : 'EDGE',
    certificateArn: regional ? domain.regionalCertificateArn : domain.certificateArn,
    certificateName: regional ? domain.regionalCertificateName : domain.certificateName,
    ownershipVerificationCertificateArn: domain.ownershipVerificationCertificateArn,
    ipAddressType: endpointConfiguration.ipAddressType ?? 'ipv4',
    securityPolicy: domain.securityPolicy,
    routing: routingOf(domain),
    target: regional ? domain.regionalDomainName : domain.distributionDomainName,
    mutualTls: mutual?.truststoreUri
      ? { uri: mutual.truststoreUri, version: mutual.truststoreVersion, warnings: mutual.truststoreWarnings }
      : undefined,
    tags: domain.tags ?? {},
  };
}

/** Converts a domain of the version 2 API to this API's record. */
function recordOf(domain: CustomDomain): DomainRecord {
  const { mutualTls, tags } = domain;
  return {
    domainName: domain.name,
    endpointConfiguration: { types: [domain.endpointType], ipAddressType: domain.ipAddressType },
    regionalCertificateArn: domain.certificateArn,
    ...(domain.certificateName !== undefined && { regionalCertificateName: domain.certificateName }),
    ...(domain.ownershipVerificationCertificateArn !== undefined && {
      ownershipVerificationCertificateArn: domain.ownershipVerificationCertificateArn,
    }),
    regionalDomainName: domain.target,
    securityPolicy: domain.securityPolicy as DomainRecord['securityPolicy'],
    routingMode: MODES[domain.routing]!,
    ...(mutualTls && {
      mutualTlsAuthentication: {
        truststoreUri: mutualTls.uri,
        ...(mutualTls.version !== undefined && { truststoreVersion: mutualTls.version }),
        ...(mutualTls.warnings && { truststoreWarnings: [...mutualTls.warnings] }),
      },
    }),
    ...(Object.keys(tags).length > 0 && { tags: { ...tags } }),
  };
}

/** Converts a base path to a mapping; base paths without a stored id have one derived from the path. */
export const mappingOf = ({ id, basePath, restApiId, stage }: DeepReadonly<BasePathRecord>): DomainMapping => ({
  id: id ?? createHash('sha256').update(basePath).digest('hex').slice(0, ID_LENGTH),
  apiId: restApiId,
  stage,
  key: basePath === NO_PATH ? '' : basePath,
});

const basePathOf = ({ id, apiId, stage, key }: DomainMapping): BasePathRecord => ({
  id,
  basePath: key === '' ? NO_PATH : key,
  restApiId: apiId,
  ...(stage && { stage }),
});

/** Returns the domain names created here, for the version 2 API. */
export function ownDomains(handle: ServiceHandle<ApiGatewayState>): CustomDomains {
  const stateOf = ({ accountId, region }: Place) => handle.existingState(accountId, region);
  const remove = (state: ApiGatewayState | undefined, name: string, id: string): void => {
    for (const one of state?.basePaths.list(name) ?? [])
      if (mappingOf(one).id === id) state!.basePaths.delete(name, one.basePath);
  };
  return {
    customDomains: (scope) => [...(stateOf(scope)?.domains.values() ?? [])].map(customDomainOf),
    domainMappings: (scope, name) => (stateOf(scope)?.basePaths.list(name) ?? []).map(mappingOf),
    putDomainMapping(scope, name, mapping) {
      const state = stateOf(scope);
      remove(state, name, mapping.id);
      const record = basePathOf(mapping);
      state?.basePaths.put(name, record.basePath, record);
    },
    deleteDomainMapping: (scope, name, id) => remove(stateOf(scope), name, id),
  };
}

/** A domain, and whether the version 2 API stores it. */
export interface FoundDomain {
  readonly domain: View;
  readonly elsewhere: boolean;
}

/** Returns the domains of the version 2 API, as records of this API. */
export async function domainsOfOtherApi(ctx: ApigatewayContext): Promise<View[]> {
  return ((await ctx.capability(httpApis))?.customDomains(ctx.state) ?? []).map(recordOf);
}

/**
 * Returns the domain that an input names, private ones also by id.
 * @throws AwsError `NotFoundException`
 */
export async function domainOf(
  { domainName, domainNameId: id }: { domainName: string; domainNameId?: string | undefined },
  ctx: ApigatewayContext,
): Promise<FoundDomain> {
  const name = domainName.toLowerCase();
  const own = ctx.state.domains.get(name);
  const domain = own ?? (await domainsOfOtherApi(ctx)).find((one) => one.domainName === name);
  if (!domain || (id !== undefined && id !== domain.domainNameId))
    throw notFound('Invalid domain name identifier specified');
  return { domain, elsewhere: !own };
}

/** Base paths of a domain, independent of their storage. */
export interface BasePaths {
  readonly domainName: string;
  readonly all: readonly DeepReadonly<BasePathRecord>[];
  /** Creates or replaces a base path. */
  put(path: BasePathRecord, before?: DeepReadonly<BasePathRecord>): void;
  delete(path: DeepReadonly<BasePathRecord>): void;
}

/**
 * Returns the base paths of the domain that an input names.
 * @throws AwsError `NotFoundException`
 */
export async function basePathsOf(
  input: { domainName: string; domainNameId?: string | undefined },
  ctx: ApigatewayContext,
): Promise<BasePaths> {
  const { domain, elsewhere } = await domainOf(input, ctx);
  const { domainName } = domain;
  const { state } = ctx;
  const store = elsewhere ? await ctx.capability(httpApis) : ownDomains(ctx.handle);
  if (!store) throw notFound('Invalid domain name identifier specified');
  return {
    domainName,
    all: store.domainMappings(state, domainName).map(basePathOf),
    put(path, before) {
      const id = before ? mappingOf(before).id : state.newId().slice(0, ID_LENGTH);
      store.putDomainMapping(state, domainName, { ...mappingOf(path), id });
    },
    delete: (path) => store.deleteDomainMapping(state, domainName, mappingOf(path).id),
  };
}

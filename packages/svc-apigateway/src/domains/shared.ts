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

/** The base path of requests without one. */
export const NO_PATH = '(none)';
const ID_LENGTH = 6;

const ROUTING: Readonly<Record<RoutingMode, DomainRouting>> = {
  BASE_PATH_MAPPING_ONLY: 'mappings',
  ROUTING_RULE_ONLY: 'rules',
  ROUTING_RULE_THEN_BASE_PATH_MAPPING: 'rules-then-mappings',
};
const MODES = Object.fromEntries(Object.entries(ROUTING).map(([mode, routing]) => [routing, mode as RoutingMode]));

/** What decides where the requests of a domain go. */
export const routingOf = ({ routingMode }: Pick<View, 'routingMode'>): DomainRouting => ROUTING[routingMode];

/** A domain as API Gateway's other API may tell of it. */
function told(domain: View): CustomDomain {
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

/** A domain of API Gateway's other API as this one's. */
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

/** A base path as a mapping; paths that were made without an id have one that follows from the path. */
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

/** The domain names made here, for API Gateway's other API. */
export function ownDomains(handle: ServiceHandle<ApiGatewayState>): CustomDomains {
  const stateOf = ({ accountId, region }: Place) => handle.existingState(accountId, region);
  const remove = (state: ApiGatewayState | undefined, name: string, id: string): void => {
    for (const one of state?.basePaths.list(name) ?? [])
      if (mappingOf(one).id === id) state!.basePaths.delete(name, one.basePath);
  };
  return {
    customDomains: (scope) => [...(stateOf(scope)?.domains.values() ?? [])].map(told),
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

/** A domain, and whether API Gateway's other API keeps it. */
export interface FoundDomain {
  readonly domain: View;
  readonly elsewhere: boolean;
}

/** The domains of API Gateway's other API, as this one's. */
export async function domainsElsewhere(ctx: ApigatewayContext): Promise<View[]> {
  return ((await ctx.capability(httpApis))?.customDomains(ctx.state) ?? []).map(recordOf);
}

/** The domain that an input names, of private ones by the id, too. @throws AwsError `NotFoundException` */
export async function domainOf(
  { domainName, domainNameId: id }: { domainName: string; domainNameId?: string | undefined },
  ctx: ApigatewayContext,
): Promise<FoundDomain> {
  const name = domainName.toLowerCase();
  const own = ctx.state.domains.get(name);
  const domain = own ?? (await domainsElsewhere(ctx)).find((one) => one.domainName === name);
  if (!domain || (id !== undefined && id !== domain.domainNameId))
    throw notFound('Invalid domain name identifier specified');
  return { domain, elsewhere: !own };
}

/** The base paths of a domain, wherever they are kept. */
export interface BasePaths {
  readonly domainName: string;
  readonly all: readonly DeepReadonly<BasePathRecord>[];
  /** Makes a base path, or puts it in the place of another. */
  put(path: BasePathRecord, before?: DeepReadonly<BasePathRecord>): void;
  delete(path: DeepReadonly<BasePathRecord>): void;
}

/** The base paths of the domain that an input names. @throws AwsError `NotFoundException` */
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

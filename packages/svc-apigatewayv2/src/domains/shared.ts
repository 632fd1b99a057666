import { domainThatMaps, EDGE_ZONE, HOSTED_ZONES } from '@emu/apigateway-common';
import {
  type CustomDomain,
  type CustomDomains,
  type DeepReadonly,
  type DomainMapping,
  type DomainRouting,
  type Place,
  restApis,
  type ServiceHandle,
} from '@emu/core/service';
import type { RoutingMode } from '@emu/service-types/apigatewayv2';
import type { Apigatewayv2Context } from '../context.ts';
import { badRequest, notFound } from '../errors.ts';
import type { ApiMappingRecord, DomainNameRecord } from '../records.ts';
import type { Apigatewayv2State } from '../state.ts';

type View = DeepReadonly<DomainNameRecord>;

const MAPPING_SELECTION = '$request.basepath';

const ROUTING: Readonly<Record<RoutingMode, DomainRouting>> = {
  API_MAPPING_ONLY: 'mappings',
  ROUTING_RULE_ONLY: 'rules',
  ROUTING_RULE_THEN_API_MAPPING: 'rules-then-mappings',
};
const MODES = Object.fromEntries(Object.entries(ROUTING).map(([mode, routing]) => [routing, mode as RoutingMode]));

/** Returns the routing mode of a domain name. */
export const routingOf = ({ RoutingMode: mode = 'API_MAPPING_ONLY' }: Pick<View, 'RoutingMode'>): DomainRouting =>
  ROUTING[mode];

/** Converts a domain name to the form of the REST API service. */
function customDomainOf(domain: View): CustomDomain {
  const [endpoint = {}] = domain.DomainNameConfigurations;
  const { MutualTlsAuthentication: mutual } = domain;
  return {
    name: domain.DomainName,
    endpointType: 'REGIONAL',
    certificateArn: endpoint.CertificateArn,
    certificateName: endpoint.CertificateName,
    ownershipVerificationCertificateArn: endpoint.OwnershipVerificationCertificateArn,
    ipAddressType: endpoint.IpAddressType ?? 'ipv4',
    securityPolicy: endpoint.SecurityPolicy ?? 'TLS_1_2',
    routing: routingOf(domain),
    target: endpoint.ApiGatewayDomainName,
    mutualTls: mutual?.TruststoreUri
      ? { uri: mutual.TruststoreUri, version: mutual.TruststoreVersion, warnings: mutual.TruststoreWarnings }
      : undefined,
    tags: domain.Tags,
  };
}

/** Converts a domain name of the REST API service to this service's record. */
function recordOf(domain: CustomDomain, region: string): DomainNameRecord {
  const { certificateName, ownershipVerificationCertificateArn: ownership, mutualTls, endpointType } = domain;
  const zone = endpointType === 'EDGE' ? EDGE_ZONE : HOSTED_ZONES[region];
  return {
    ApiMappingSelectionExpression: MAPPING_SELECTION,
    DomainName: domain.name,
    DomainNameConfigurations: [
      {
        ApiGatewayDomainName: domain.target,
        CertificateArn: domain.certificateArn,
        ...(certificateName !== undefined && { CertificateName: certificateName }),
        ...(ownership !== undefined && { OwnershipVerificationCertificateArn: ownership }),
        DomainNameStatus: 'AVAILABLE',
        EndpointType: endpointType as 'EDGE' | 'REGIONAL',
        ...(zone !== undefined && { HostedZoneId: zone }),
        IpAddressType: domain.ipAddressType,
        SecurityPolicy: domain.securityPolicy as 'TLS_1_2',
      },
    ],
    ...(mutualTls && {
      MutualTlsAuthentication: {
        TruststoreUri: mutualTls.uri,
        ...(mutualTls.version !== undefined && { TruststoreVersion: mutualTls.version }),
        ...(mutualTls.warnings && { TruststoreWarnings: [...mutualTls.warnings] }),
      },
    }),
    RoutingMode: MODES[domain.routing],
    Tags: { ...domain.tags },
  };
}

/** Converts a mapping to the form of the REST API service. */
const mappingOf = ({ ApiMappingId: id, ApiId, Stage, ApiMappingKey: key }: DeepReadonly<ApiMappingRecord>) => ({
  id,
  apiId: ApiId,
  stage: Stage || undefined,
  key,
});

/** Converts a mapping of the REST API service; its stage is empty if the path contains it. */
export const mappingRecordOf = ({ id, apiId, stage = '', key }: DomainMapping): ApiMappingRecord => ({
  ApiMappingId: id,
  ApiId: apiId,
  Stage: stage,
  ApiMappingKey: key,
});

/** Returns the domain names created here, for the REST API service. */
export function ownDomains(handle: ServiceHandle<Apigatewayv2State>): CustomDomains {
  const stateOf = ({ accountId, region }: Place) => handle.existingState(accountId, region);
  return {
    customDomains: (scope) => [...(stateOf(scope)?.domainNames.values() ?? [])].map(customDomainOf),
    domainMappings: (scope, name) => (stateOf(scope)?.apiMappings.list(name) ?? []).map(mappingOf),
    putDomainMapping(scope, name, mapping) {
      stateOf(scope)?.apiMappings.put(name, mapping.id, mappingRecordOf(mapping));
    },
    deleteDomainMapping(scope, name, id) {
      stateOf(scope)?.apiMappings.delete(name, id);
    },
  };
}

/** Returns the domain names of the REST API service as records of this service, without private ones. */
export async function domainNamesOfOtherApi(ctx: Apigatewayv2Context): Promise<View[]> {
  const all = (await ctx.capability(restApis))?.customDomains(ctx.state) ?? [];
  return all.filter(({ endpointType }) => endpointType !== 'PRIVATE').map((one) => recordOf(one, ctx.region));
}

/** A domain name, and whether the REST API service stores it. */
export interface FoundDomainName {
  readonly domain: View;
  readonly elsewhere: boolean;
}

/**
 * Returns the domain name of a request from either service.
 * @throws AwsError `NotFoundException`
 */
export async function domainNameOf(
  { DomainName }: { DomainName: string },
  ctx: Apigatewayv2Context,
): Promise<FoundDomainName> {
  const own = ctx.state.domainNames.get(DomainName);
  const domain = own ?? (await domainNamesOfOtherApi(ctx)).find((one) => one.DomainName === DomainName);
  if (!domain) throw notFound('The domain name resource specified in the request was not found.');
  return { domain, elsewhere: !own };
}

/**
 * Returns the domain name of a request for a change.
 * @throws AwsError `NotFoundException`; `BadRequestException` for an edge-optimized one
 */
export async function changeableDomainNameOf(
  input: { DomainName: string },
  ctx: Apigatewayv2Context,
): Promise<FoundDomainName> {
  const found = await domainNameOf(input, ctx);
  if (found.domain.DomainNameConfigurations[0]?.EndpointType === 'EDGE')
    throw badRequest(
      'Only REGIONAL domain names can be managed through the API Gateway V2 API. For EDGE domain names, please use the API Gateway V1 API. Also note that only REST APIs can be attached to EDGE domain names.',
    );
  return found;
}

/** Mappings of a domain name, independent of their storage. */
export interface Mappings {
  readonly DomainName: string;
  readonly all: readonly DeepReadonly<ApiMappingRecord>[];
  put(mapping: ApiMappingRecord): void;
  delete(id: string): void;
}

/** Returns the mappings of a domain name. */
export async function mappingsOf({ domain, elsewhere }: FoundDomainName, ctx: Apigatewayv2Context): Promise<Mappings> {
  const { DomainName } = domain;
  const store = elsewhere ? await ctx.capability(restApis) : ownDomains(ctx.handle);
  if (!store) throw notFound('The domain name resource specified in the request was not found.');
  return {
    DomainName,
    all: store.domainMappings(ctx.state, DomainName).map(mappingRecordOf),
    put: (mapping) => store.putDomainMapping(ctx.state, DomainName, mappingOf(mapping)),
    delete: (id) => store.deleteDomainMapping(ctx.state, DomainName, id),
  };
}

/** Returns the name of a domain, in either service, with a matching mapping; undefined if there is none. */
export const domainMapping = async (
  matches: (mapping: DomainMapping) => boolean,
  ctx: Apigatewayv2Context,
): Promise<string | undefined> =>
  domainThatMaps([ownDomains(ctx.handle), await ctx.capability(restApis)], ctx.state, matches);

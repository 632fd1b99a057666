import { HOSTED_ZONES, readTruststore } from '@emu/apigateway-common';
import { type DeepReadonly, restApis } from '@emu/core';
import type {
  CreateDomainNameRequest,
  CreateDomainNameResponse,
  DeleteDomainNameRequest,
  DomainName,
  DomainNameConfiguration,
  GetDomainNameRequest,
  GetDomainNameResponse,
  GetDomainNamesRequest,
  GetDomainNamesResponse,
  MutualTlsAuthenticationInput,
  UpdateDomainNameRequest,
  UpdateDomainNameResponse,
} from '@emu/service-types/apigatewayv2';
import { conflict, invalid } from '../errors.ts';
import { domainNameOf, type GatewayContext } from '../lookup.ts';
import { paging, withLimit } from '../paging.ts';
import type { DomainNameRecord } from '../records.ts';
import { domainNameType } from '../resources.ts';
import { hostOf } from '../runtime/endpoints.ts';
import { tagging } from '../tags.ts';

const NAME = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
const MAX_NAME = 255;
const CERTIFICATE = /^arn:[^:]+:acm:[^:]+:\d{12}:certificate\/.+$/;
const MAPPING_SELECTION = '$request.basepath';
const TARGET_ID = 10;

function describe(domain: DeepReadonly<DomainNameRecord>, ctx: GatewayContext): DomainName {
  const { truststore: _, ...shown } = domain;
  return {
    ...shown,
    DomainNameArn: domainNameType.arn({ name: domain.DomainName }, ctx),
  } as DomainName;
}

/** The endpoints of a domain name, with what API Gateway says of them. @throws AwsError `BadRequestException` */
function endpointsOf(
  configurations: readonly DomainNameConfiguration[] | undefined,
  before: DeepReadonly<DomainNameConfiguration> | undefined,
  { state }: GatewayContext,
): DomainNameConfiguration[] {
  if (configurations?.length !== 1) throw invalid('Exactly one DomainNameConfiguration is required');
  const [{ CertificateArn, EndpointType = 'REGIONAL', SecurityPolicy = 'TLS_1_2', ...others }] = configurations as [
    DomainNameConfiguration,
  ];
  if (EndpointType !== 'REGIONAL') throw invalid('Only the REGIONAL endpoint type is supported for this domain name');
  if (CertificateArn === undefined || !CERTIFICATE.test(CertificateArn))
    throw invalid('CertificateArn must be the ARN of a certificate of ACM');
  if (SecurityPolicy !== 'TLS_1_2') throw invalid('SecurityPolicy must be TLS_1_2');
  const { CertificateName, IpAddressType = 'ipv4', OwnershipVerificationCertificateArn } = others;
  const target = `d-${state.ids.chars(TARGET_ID, 'abcdefghijklmnopqrstuvwxyz0123456789')}`;
  const zone = HOSTED_ZONES[state.region];
  return [
    {
      ApiGatewayDomainName: before?.ApiGatewayDomainName ?? hostOf(target, state.region),
      CertificateArn,
      ...(CertificateName !== undefined && { CertificateName }),
      ...(OwnershipVerificationCertificateArn !== undefined && { OwnershipVerificationCertificateArn }),
      DomainNameStatus: 'AVAILABLE',
      EndpointType,
      ...(zone !== undefined && { HostedZoneId: zone }),
      IpAddressType,
      SecurityPolicy,
    },
  ];
}

/** What a domain name keeps of a trust store; nothing without one. @throws AwsError `BadRequestException` */
async function mutualTls(
  { TruststoreUri: uri, TruststoreVersion: version }: MutualTlsAuthenticationInput,
  ctx: GatewayContext,
): Promise<Pick<DomainNameRecord, 'MutualTlsAuthentication' | 'truststore'>> {
  if (!uri) return { MutualTlsAuthentication: undefined, truststore: undefined };
  const { bundle, warnings } = await readTruststore(ctx, { uri, version, now: ctx.clock.now() }, invalid);
  const facts = { TruststoreUri: uri, ...(version !== undefined && { TruststoreVersion: version }) };
  return {
    MutualTlsAuthentication: { ...facts, ...(warnings.length > 0 && { TruststoreWarnings: [...warnings] }) },
    truststore: bundle,
  };
}

/** https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames.html#CreateDomainName */
export async function CreateDomainName(
  input: CreateDomainNameRequest,
  ctx: GatewayContext,
): Promise<CreateDomainNameResponse> {
  const name = input.DomainName.toLowerCase();
  if (name.length > MAX_NAME || !NAME.test(name))
    throw invalid(`Invalid domain name identifier specified: ${input.DomainName}`);
  const rest = await ctx.capability(restApis);
  const checkFree = (): void => {
    if (rest?.hasDomain(name)) throw conflict('The domain name you provided already exists.');
    for (const { state } of ctx.handle.states())
      if (state.domainNames.has(name)) throw conflict('The domain name you provided already exists.');
  };
  checkFree();
  const DomainNameConfigurations = endpointsOf(input.DomainNameConfigurations, undefined, ctx);
  const Tags = tagging.merge(undefined, input.Tags);
  const mutual = input.MutualTlsAuthentication && (await mutualTls(input.MutualTlsAuthentication, ctx));
  checkFree();
  const domain = ctx.state.domainNames.put(name, {
    ApiMappingSelectionExpression: MAPPING_SELECTION,
    DomainName: name,
    DomainNameConfigurations,
    ...mutual,
    RoutingMode: input.RoutingMode ?? 'API_MAPPING_ONLY',
    Tags,
  });
  return describe(domain, ctx);
}

/** https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname.html#GetDomainName */
export const GetDomainName = (input: GetDomainNameRequest, ctx: GatewayContext): GetDomainNameResponse =>
  describe(domainNameOf(input, ctx), ctx);

/** https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames.html#GetDomainNames */
export function GetDomainNames(input: GetDomainNamesRequest, ctx: GatewayContext): GetDomainNamesResponse {
  return paging
    .page('GetDomainNames', withLimit(input), ctx.state.domainNames.values(), ({ DomainName }) => DomainName)
    .list((domain) => describe(domain, ctx));
}

/** https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname.html#UpdateDomainName */
export async function UpdateDomainName(
  input: UpdateDomainNameRequest,
  ctx: GatewayContext,
): Promise<UpdateDomainNameResponse> {
  const { MutualTlsAuthentication: before } = domainNameOf(input, ctx);
  const { MutualTlsAuthentication: given } = input;
  const uri = before?.TruststoreUri;
  const mutual = given && (await mutualTls({ ...(uri !== undefined && { TruststoreUri: uri }), ...given }, ctx));
  const domain = domainNameOf(input, ctx);
  const [endpoint] = domain.DomainNameConfigurations;
  const endpoints =
    input.DomainNameConfigurations &&
    endpointsOf(
      input.DomainNameConfigurations.map((one) => ({ ...(endpoint as DomainNameConfiguration), ...one })),
      endpoint,
      ctx,
    );
  const updated = ctx.state.domainNames.update(domain.DomainName, (draft) => {
    if (endpoints) draft.DomainNameConfigurations = endpoints;
    if (mutual) Object.assign(draft, mutual);
    if (input.RoutingMode !== undefined) draft.RoutingMode = input.RoutingMode;
  });
  return describe(updated, ctx);
}

/** https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname.html#DeleteDomainName */
export function DeleteDomainName(input: DeleteDomainNameRequest, ctx: GatewayContext): Record<string, never> {
  const { DomainName } = domainNameOf(input, ctx);
  ctx.state.apiMappings.clear(DomainName);
  ctx.state.routingRules.clear(DomainName);
  ctx.state.domainNames.delete(DomainName);
  return {};
}

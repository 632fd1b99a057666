import { HOSTED_ZONES, readTruststore } from '@emu/apigateway-common';
import { type DeepReadonly, restApis } from '@emu/core/service';
import type {
  DomainName,
  DomainNameConfiguration,
  InputOf,
  MutualTlsAuthenticationInput,
  OutputOf,
  UpdateDomainNameRequest,
  UpdateDomainNameResponse,
} from '@emu/service-types/apigatewayv2';
import type { AwsError } from '@emu/wire';
import type { Apigatewayv2Context } from '../context.ts';
import { changeableDomainNameOf, domainNameOf, domainNamesOfOtherApi } from '../domains/shared.ts';
import { badRequest } from '../errors.ts';
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

function describe(domain: DeepReadonly<DomainNameRecord>, ctx: Apigatewayv2Context): DomainName {
  const { truststore: _, ...shown } = domain;
  return {
    ...shown,
    DomainNameArn: domainNameType.arn({ name: domain.DomainName }, ctx),
  } as DomainName;
}

/**
 * Returns the endpoints of a domain name with API Gateway's members.
 * @throws AwsError `BadRequestException`
 */
function endpointsOf(
  configurations: readonly DomainNameConfiguration[] | undefined,
  before: DeepReadonly<DomainNameConfiguration> | undefined,
  { state }: Apigatewayv2Context,
): DomainNameConfiguration[] {
  if (configurations?.length !== 1) throw badRequest('Exactly one DomainNameConfiguration is required');
  const [{ CertificateArn, EndpointType = 'REGIONAL', SecurityPolicy = 'TLS_1_2', ...others }] = configurations as [
    DomainNameConfiguration,
  ];
  if (EndpointType !== 'REGIONAL') throw badRequest('EDGE endpoint type is not supported for APIGatewayV2 domainName');
  if (CertificateArn === undefined || !CERTIFICATE.test(CertificateArn))
    throw badRequest('CertificateArn must be the ARN of a certificate of ACM');
  if (SecurityPolicy !== 'TLS_1_2') throw badRequest('SecurityPolicy must be TLS_1_2');
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

/**
 * Returns the mutual TLS members of a domain name; nothing without a trust store.
 * @throws AwsError `BadRequestException`
 */
async function mutualTls(
  { TruststoreUri: uri, TruststoreVersion: version }: MutualTlsAuthenticationInput,
  ctx: Apigatewayv2Context,
): Promise<Pick<DomainNameRecord, 'MutualTlsAuthentication' | 'truststore'>> {
  if (!uri) return { MutualTlsAuthentication: undefined, truststore: undefined };
  const { bundle, warnings } = await readTruststore(ctx, { uri, version, now: ctx.clock.now() }, badRequest);
  const facts = { TruststoreUri: uri, ...(version !== undefined && { TruststoreVersion: version }) };
  return {
    MutualTlsAuthentication: { ...facts, ...(warnings.length > 0 && { TruststoreWarnings: [...warnings] }) },
    truststore: bundle,
  };
}

/** Returns the error for a name in use. @see https://github.com/aws/serverless-application-model/issues/2208 */
const taken = (): AwsError => badRequest('The domain name you provided already exists.');

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames.html#CreateDomainName */
export async function CreateDomainName(
  input: InputOf<'CreateDomainName'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'CreateDomainName'>> {
  const name = input.DomainName.toLowerCase();
  if (name.length > MAX_NAME || !NAME.test(name))
    throw badRequest(`Invalid domain name identifier specified: ${input.DomainName}`);
  const rest = await ctx.capability(restApis);
  const checkFree = (): void => {
    if (rest?.hasDomain(name)) throw taken();
    for (const { state } of ctx.handle.states()) if (state.domainNames.has(name)) throw taken();
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

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname.html#GetDomainName */
export async function GetDomainName(
  input: InputOf<'GetDomainName'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'GetDomainName'>> {
  return describe((await domainNameOf(input, ctx)).domain, ctx);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames.html#GetDomainNames */
export async function GetDomainNames(
  input: InputOf<'GetDomainNames'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'GetDomainNames'>> {
  const all = [...ctx.state.domainNames.values(), ...(await domainNamesOfOtherApi(ctx))];
  return paging
    .page('GetDomainNames', withLimit(input), all, ({ DomainName }) => DomainName)
    .list((domain) => describe(domain, ctx));
}

/** Updates a domain name stored by the REST API service. */
async function updateInOtherApi(
  input: UpdateDomainNameRequest,
  [before]: DeepReadonly<DomainNameConfiguration[]>,
  ctx: Apigatewayv2Context,
): Promise<UpdateDomainNameResponse> {
  const { DomainName, DomainNameConfigurations: endpoints, MutualTlsAuthentication: mutual, RoutingMode } = input;
  if (endpoints)
    endpointsOf(
      endpoints.map((one) => ({ ...(before as DomainNameConfiguration), ...one })),
      before,
      ctx,
    );
  const [endpoint = {}] = endpoints ?? [];
  const values: Readonly<Record<string, string | undefined>> = {
    '/regionalCertificateArn': endpoint.CertificateArn,
    '/regionalCertificateName': endpoint.CertificateName,
    '/ownershipVerificationCertificateArn': endpoint.OwnershipVerificationCertificateArn,
    '/securityPolicy': endpoint.SecurityPolicy,
    '/endpointConfiguration/ipAddressType': endpoint.IpAddressType,
    '/mutualTlsAuthentication/truststoreUri': mutual?.TruststoreUri,
    '/mutualTlsAuthentication/truststoreVersion': mutual?.TruststoreVersion,
    '/routingMode': RoutingMode?.replace('API_MAPPING', 'BASE_PATH_MAPPING'),
  };
  const patchOperations = Object.entries(values).flatMap(([path, value]) =>
    value === undefined ? [] : [{ op: 'replace' as const, path, value }],
  );
  await ctx.call('apigateway', 'UpdateDomainName', { domainName: DomainName, patchOperations });
  return describe((await domainNameOf(input, ctx)).domain, ctx);
}

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname.html#UpdateDomainName */
export async function UpdateDomainName(
  input: InputOf<'UpdateDomainName'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'UpdateDomainName'>> {
  const found = await changeableDomainNameOf(input, ctx);
  if (found.elsewhere) return updateInOtherApi(input, found.domain.DomainNameConfigurations, ctx);
  const { MutualTlsAuthentication: before } = found.domain;
  const { MutualTlsAuthentication: given } = input;
  const uri = before?.TruststoreUri;
  const mutual = given && (await mutualTls({ ...(uri !== undefined && { TruststoreUri: uri }), ...given }, ctx));
  const { domain } = await domainNameOf(input, ctx);
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

/** @see https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/domainnames-domainname.html#DeleteDomainName */
export async function DeleteDomainName(
  input: InputOf<'DeleteDomainName'>,
  ctx: Apigatewayv2Context,
): Promise<OutputOf<'DeleteDomainName'>> {
  const { domain, elsewhere } = await changeableDomainNameOf(input, ctx);
  const { DomainName } = domain;
  if (elsewhere) {
    await ctx.call('apigateway', 'DeleteDomainName', { domainName: DomainName });
    return {};
  }
  ctx.state.apiMappings.clear(DomainName);
  ctx.state.routingRules.clear(DomainName);
  ctx.state.domainNames.delete(DomainName);
  return {};
}

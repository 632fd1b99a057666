import { EDGE_ZONE, HOSTED_ZONES, readTruststore } from '@emu/apigateway-common';
import { type DeepReadonly, httpApis, notEmulated } from '@emu/core/service';
import type {
  DomainName,
  InputOf,
  MutualTlsAuthenticationInput,
  OutputOf,
  UpdateDomainNameRequest,
} from '@emu/service-types/apigateway';
import type { RoutingMode as HttpRoutingMode } from '@emu/service-types/apigatewayv2';
import { checkPolicy } from '../apis/policy.ts';
import type { ApigatewayContext } from '../context.ts';
import { domainOf, domainsOfOtherApi } from '../domains/shared.ts';
import { badRequest } from '../errors.ts';
import { paging } from '../paging.ts';
import {
  applyPatch,
  givenValue,
  optionalText,
  type PatchStep,
  type PatchTable,
  refusePath,
  wordOf,
} from '../patch/patch.ts';
import type { DomainRecord } from '../records.ts';
import { domainArn } from '../resources.ts';
import { tagging } from '../tags.ts';

type View = DeepReadonly<DomainRecord>;
const NAME = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

const MODES = ['BASE_PATH_MAPPING_ONLY', 'ROUTING_RULE_ONLY', 'ROUTING_RULE_THEN_BASE_PATH_MAPPING'] as const;

function describe(domain: View, ctx: ApigatewayContext): DomainName {
  const { certificateUploadedAt, truststore: _, ...rest } = structuredClone(domain) as DomainRecord;
  const zone = HOSTED_ZONES[ctx.region];
  return {
    ...rest,
    ...(domain.domainNameId !== undefined && {
      domainNameArn: domainArn(ctx.state, domain.domainName, domain.domainNameId),
    }),
    ...(certificateUploadedAt !== undefined && { certificateUploadDate: new Date(certificateUploadedAt) }),
    ...(rest.regionalDomainName !== undefined && zone !== undefined && { regionalHostedZoneId: zone }),
    ...(rest.distributionDomainName !== undefined && { distributionHostedZoneId: EDGE_ZONE }),
    domainNameStatus: 'AVAILABLE',
    tags: rest.tags ?? {},
  };
}

/** Sets the target host names of a domain, by endpoint type. */
function addressesOf(domain: DomainRecord, { state, ids, region }: ApigatewayContext): void {
  const types = domain.endpointConfiguration.types ?? [];
  if (types.includes('REGIONAL'))
    domain.regionalDomainName ??= `d-${state.newId()}.execute-api.${region}.amazonaws.com`;
  if (types.includes('EDGE'))
    domain.distributionDomainName ??= `d${ids.chars(13, 'abcdefghijklmnopqrstuvwxyz0123456789')}.cloudfront.net`;
}

/**
 * Returns the mutual TLS members of a domain; nothing without a trust store.
 * @throws AwsError `BadRequestException`
 */
async function mutualTls(
  { truststoreUri: uri, truststoreVersion: version }: MutualTlsAuthenticationInput,
  ctx: ApigatewayContext,
): Promise<Pick<DomainRecord, 'mutualTlsAuthentication' | 'truststore'>> {
  if (!uri) return { mutualTlsAuthentication: undefined, truststore: undefined };
  const { bundle, warnings } = await readTruststore(ctx, { uri, version, now: ctx.clock.now() }, badRequest);
  const facts = { truststoreUri: uri, ...(version !== undefined && { truststoreVersion: version }) };
  return {
    mutualTlsAuthentication: { ...facts, ...(warnings.length > 0 && { truststoreWarnings: [...warnings] }) },
    truststore: bundle,
  };
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_CreateDomainName.html */
export async function CreateDomainName(
  input: InputOf<'CreateDomainName'>,
  ctx: ApigatewayContext,
): Promise<OutputOf<'CreateDomainName'>> {
  const { state, clock } = ctx;
  const { certificateBody, certificatePrivateKey, certificateChain, endpointConfiguration, tags, ...given } = input;
  const domainName = input.domainName.toLowerCase();
  if (!NAME.test(domainName)) throw badRequest(`Invalid domain name specified: ${input.domainName}`);
  const taken = () => badRequest('The domain name you provided already exists.');
  if (state.domains.has(domainName) || (await ctx.capability(httpApis))?.hasDomain(domainName)) throw taken();
  const types =
    endpointConfiguration?.types ?? (input.regionalCertificateArn ? ['REGIONAL' as const] : ['EDGE' as const]);
  const edge = types.includes('EDGE');
  const isPrivate = types.includes('PRIVATE');
  if (edge && !input.certificateArn && !certificateBody)
    throw badRequest('Missing required certificate: certificateArn or certificateBody must be specified');
  if (types.includes('REGIONAL') && !input.regionalCertificateArn && !certificateBody)
    throw badRequest('Missing required certificate: regionalCertificateArn must be specified');
  if (input.policy !== undefined) checkPolicy(input.policy);
  const merged = tags && tagging.merge(undefined, tags);
  const mutual = input.mutualTlsAuthentication && (await mutualTls(input.mutualTlsAuthentication, ctx));
  if (state.domains.has(domainName)) throw taken();
  const domain: DomainRecord = {
    ...given,
    domainName,
    ...(isPrivate && { domainNameId: state.newId() }),
    endpointConfiguration: {
      types,
      ipAddressType: endpointConfiguration?.ipAddressType ?? (isPrivate ? 'dualstack' : 'ipv4'),
      ...(endpointConfiguration?.vpcEndpointIds && { vpcEndpointIds: endpointConfiguration.vpcEndpointIds }),
    },
    securityPolicy: input.securityPolicy ?? 'TLS_1_2',
    routingMode: input.routingMode ?? 'BASE_PATH_MAPPING_ONLY',
    ...(certificateBody !== undefined && { certificateUploadedAt: clock.now() }),
    ...mutual,
    ...(merged && { tags: merged }),
  };
  addressesOf(domain, ctx);
  return describe(state.domains.put(domainName, domain), ctx);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetDomainName.html */
export async function GetDomainName(
  input: InputOf<'GetDomainName'>,
  ctx: ApigatewayContext,
): Promise<OutputOf<'GetDomainName'>> {
  return describe((await domainOf(input, ctx)).domain, ctx);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetDomainNames.html */
export async function GetDomainNames(
  input: InputOf<'GetDomainNames'>,
  ctx: ApigatewayContext,
): Promise<OutputOf<'GetDomainNames'>> {
  const others = await domainsOfOtherApi(ctx);
  const all = input.resourceOwner === 'OTHER_ACCOUNTS' ? [] : [...ctx.state.domains.values(), ...others];
  return paging
    .page('GetDomainNames', input, all, ({ domainName }) => domainName)
    .list((domain) => describe(domain, ctx));
}

const ALL = ['add', 'replace', 'remove'] as const;

/** Adds, replaces or removes an endpoint type. */
function changeTypes({ endpointConfiguration: configuration }: DomainRecord, step: PatchStep): void {
  const [former] = step.names;
  const type = wordOf({ ...step, value: step.value ?? former }, ['EDGE', 'REGIONAL', 'PRIVATE']);
  const others = (configuration.types ?? []).filter((one) => one !== type && one !== former);
  configuration.types = step.op === 'remove' ? others : step.op === 'replace' ? [type] : [...others, type];
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/patch-operations.html#UpdateDomainName-Patch */
const TABLE: PatchTable<DomainRecord> = {
  rules: [
    optionalText('/certificateArn', 'certificateArn', ALL),
    optionalText('/certificateName', 'certificateName', ALL),
    optionalText('/regionalCertificateArn', 'regionalCertificateArn', ALL),
    optionalText('/regionalCertificateName', 'regionalCertificateName', ALL),
    optionalText('/ownershipVerificationCertificateArn', 'ownershipVerificationCertificateArn', ALL),
    {
      path: '/policy',
      ops: ['replace'],
      apply(draft, { value }) {
        draft.policy = value ? checkPolicy(value) : undefined;
      },
    },
    {
      path: '/securityPolicy',
      ops: ['replace'],
      apply(draft, step) {
        draft.securityPolicy = givenValue(step) as DomainRecord['securityPolicy'];
      },
    },
    {
      path: '/endpointAccessMode',
      ops: ['replace'],
      apply(draft, step) {
        draft.endpointAccessMode = wordOf(step, ['BASIC', 'STRICT']);
      },
    },
    {
      path: '/routingMode',
      ops: ['replace'],
      apply(draft, step) {
        draft.routingMode = wordOf(step, MODES);
      },
    },
    {
      path: '/endpointConfiguration/ipAddressType',
      ops: ['replace'],
      apply(draft, step) {
        draft.endpointConfiguration.ipAddressType = wordOf(step, ['ipv4', 'dualstack']);
      },
    },
    { path: '/endpointConfiguration/types', ops: ['add', 'remove'], apply: changeTypes },
    { path: '/endpointConfiguration/types/{type}', ops: ALL, apply: changeTypes },
    {
      path: '/managementPolicy',
      ops: ['replace'],
      apply() {
        throw notEmulated('management policies of private domain names');
      },
    },
    {
      path: '/mutualTlsAuthentication/truststoreUri',
      ops: ALL,
      apply(draft, { op, value }) {
        draft.mutualTlsAuthentication =
          op === 'remove' || !value ? undefined : { ...draft.mutualTlsAuthentication, truststoreUri: value };
      },
    },
    {
      path: '/mutualTlsAuthentication/truststoreVersion',
      ops: ALL,
      apply(draft, { op, value }) {
        if (!draft.mutualTlsAuthentication) throw badRequest('The domain name has no mutual TLS');
        draft.mutualTlsAuthentication.truststoreVersion = op === 'remove' || !value ? undefined : value;
      },
    },
  ],
  refuse: refusePath,
};

/**
 * Updates a domain stored by the version 2 API.
 * @param draft the changed domain
 */
async function updateInOtherApi(
  draft: DomainRecord,
  operations: UpdateDomainNameRequest['patchOperations'],
  ctx: ApigatewayContext,
): Promise<DomainName> {
  const { domainName, endpointConfiguration, mutualTlsAuthentication: mutual } = draft;
  const [type] = endpointConfiguration.types ?? [];
  const routed = draft.routingMode.replace('BASE_PATH', 'API') as HttpRoutingMode;
  await ctx.call('apigatewayv2', 'UpdateDomainName', {
    DomainName: domainName,
    DomainNameConfigurations: [
      {
        CertificateArn: draft.regionalCertificateArn,
        CertificateName: draft.regionalCertificateName,
        EndpointType: type === 'PRIVATE' ? undefined : type,
        IpAddressType: endpointConfiguration.ipAddressType,
        OwnershipVerificationCertificateArn: draft.ownershipVerificationCertificateArn,
        SecurityPolicy: draft.securityPolicy as 'TLS_1_2',
      },
    ],
    RoutingMode: routed,
    // A trust store is read only when it is configured.
    ...(operations?.some(({ path }) => path?.startsWith('/mutualTlsAuthentication/')) && {
      MutualTlsAuthentication: {
        TruststoreUri: mutual?.truststoreUri ?? '',
        TruststoreVersion: mutual?.truststoreVersion ?? '',
      },
    }),
  });
  return describe((await domainOf({ domainName }, ctx)).domain, ctx);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_UpdateDomainName.html */
export async function UpdateDomainName(
  input: InputOf<'UpdateDomainName'>,
  ctx: ApigatewayContext,
): Promise<OutputOf<'UpdateDomainName'>> {
  const { patchOperations } = input;
  const { domain, elsewhere } = await domainOf(input, ctx);
  const { domainName: name } = domain;
  const draft = structuredClone(domain) as DomainRecord;
  applyPatch(TABLE, draft, patchOperations);
  if (elsewhere) return updateInOtherApi(draft, patchOperations, ctx);
  addressesOf(draft, ctx);
  // A trust store is read only when it is configured.
  if (patchOperations?.some(({ path }) => path?.startsWith('/mutualTlsAuthentication/')))
    Object.assign(draft, await mutualTls(draft.mutualTlsAuthentication ?? {}, ctx));
  await domainOf(input, ctx);
  return describe(ctx.state.domains.put(name, draft), ctx);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_DeleteDomainName.html */
export async function DeleteDomainName(
  input: InputOf<'DeleteDomainName'>,
  ctx: ApigatewayContext,
): Promise<OutputOf<'DeleteDomainName'>> {
  const { domain, elsewhere } = await domainOf(input, ctx);
  const { domainName: name } = domain;
  if (elsewhere) await ctx.call('apigatewayv2', 'DeleteDomainName', { DomainName: name });
  else {
    (await ctx.capability(httpApis))?.discardRules(ctx.state, name);
    ctx.state.basePaths.clear(name);
    ctx.state.domains.delete(name);
  }
  return {};
}

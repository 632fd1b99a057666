import type { DeepReadonly } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/sesv2';
import type { SesContext } from '../../context.ts';
import { alreadyExists, badRequest, notFound } from '../../errors.ts';
import { isDomain } from '../../identities/names.ts';
import { v2Paging } from '../../paging.ts';
import type { EndpointRecord } from '../../records.ts';
import { tagging } from '../../tags.ts';

const noPool = (name: string) => notFound(`Dedicated IP pool <${name}> does not exist.`);

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateDedicatedIpPool.html */
export function CreateDedicatedIpPool(
  { PoolName: name, Tags, ScalingMode = 'STANDARD' }: InputOf<'CreateDedicatedIpPool'>,
  { state }: SesContext,
) {
  if (!/^[a-z0-9_-]{1,64}$/i.test(name)) throw badRequest(`Invalid dedicated IP pool name <${name}>.`);
  if (state.pools.get(name)) throw alreadyExists(`Dedicated IP pool <${name}> already exists.`);
  state.pools.put(name, { name, scaling: ScalingMode, tags: tagging.merge(undefined, Tags) });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetDedicatedIpPool.html */
export function GetDedicatedIpPool(
  { PoolName }: InputOf<'GetDedicatedIpPool'>,
  { state }: SesContext,
): OutputOf<'GetDedicatedIpPool'> {
  const pool = state.pools.get(PoolName);
  if (!pool) throw noPool(PoolName);
  return { DedicatedIpPool: { PoolName: pool.name, ScalingMode: pool.scaling } };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ListDedicatedIpPools.html */
export function ListDedicatedIpPools(
  input: InputOf<'ListDedicatedIpPools'>,
  { state }: SesContext,
): OutputOf<'ListDedicatedIpPools'> {
  return v2Paging.page('ListDedicatedIpPools', input, state.pools.list(), ({ name }) => name).list(({ name }) => name);
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutDedicatedIpPoolScalingAttributes.html */
export function PutDedicatedIpPoolScalingAttributes(
  { PoolName, ScalingMode }: InputOf<'PutDedicatedIpPoolScalingAttributes'>,
  { state }: SesContext,
) {
  const pool = state.pools.get(PoolName);
  if (!pool) throw noPool(PoolName);
  if (pool.scaling === 'MANAGED' && ScalingMode === 'STANDARD')
    throw badRequest('A managed dedicated IP pool cannot become a standard one.');
  state.pools.update(PoolName, (draft) => {
    draft.scaling = ScalingMode;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_DeleteDedicatedIpPool.html */
export function DeleteDedicatedIpPool({ PoolName }: InputOf<'DeleteDedicatedIpPool'>, { state }: SesContext) {
  if (state.sets.list().some(({ pool }) => pool === PoolName))
    throw badRequest(`Dedicated IP pool <${PoolName}> is used by a configuration set.`);
  if (!state.pools.delete(PoolName)) throw noPool(PoolName);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutDeliverabilityDashboardOption.html */
export function PutDeliverabilityDashboardOption(
  { DashboardEnabled, SubscribedDomains = [] }: InputOf<'PutDeliverabilityDashboardOption'>,
  { state, clock }: SesContext,
) {
  for (const { Domain = '' } of SubscribedDomains)
    if (!isDomain(Domain)) throw badRequest(`Invalid domain name ${Domain}.`);
  state.changeAccount((draft) => {
    draft.dashboard = {
      enabled: DashboardEnabled,
      domains: SubscribedDomains.map(({ SubscriptionStartDate, ...domain }) => ({
        ...domain,
        startedAt: SubscriptionStartDate?.getTime() ?? clock.now(),
      })),
    };
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetDeliverabilityDashboardOptions.html */
export function GetDeliverabilityDashboardOptions(
  _input: InputOf<'GetDeliverabilityDashboardOptions'>,
  { state }: SesContext,
): OutputOf<'GetDeliverabilityDashboardOptions'> {
  const { enabled = false, domains = [] } = state.account.dashboard ?? {};
  return {
    DashboardEnabled: enabled,
    AccountStatus: enabled ? 'ACTIVE' : 'DISABLED',
    ActiveSubscribedDomains: domains.map(({ startedAt, ...domain }) => ({
      ...(structuredClone(domain) as object),
      SubscriptionStartDate: new Date(startedAt),
    })),
  };
}

const noEndpoint = (name: string) => notFound(`Multi-region endpoint <${name}> does not exist.`);

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateMultiRegionEndpoint.html */
export function CreateMultiRegionEndpoint(
  { EndpointName: name, Details, Tags }: InputOf<'CreateMultiRegionEndpoint'>,
  { state, clock, ids, region }: SesContext,
): OutputOf<'CreateMultiRegionEndpoint'> {
  if (state.endpoints.get(name)) throw alreadyExists(`Multi-region endpoint <${name}> already exists.`);
  const regions = Details.RoutesDetails.map(({ Region }) => Region);
  if (regions.length !== 1 || regions[0] === region)
    throw badRequest('RoutesDetails must name exactly one region, other than the region of the request.');
  const id = `${ids.chars(10, 'abcdefghijklmnopqrstuvwxyz0123456789')}.${ids.chars(3, 'abcdefghijklmnopqrstuvwxyz0123456789')}`;
  const tags = tagging.merge(undefined, Tags);
  state.endpoints.put(name, { name, id, regions, tags, createdAt: clock.now() });
  return { Status: 'READY', EndpointId: id };
}

const times = ({ createdAt }: DeepReadonly<EndpointRecord>) => ({
  CreatedTimestamp: new Date(createdAt),
  LastUpdatedTimestamp: new Date(createdAt),
});

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetMultiRegionEndpoint.html */
export function GetMultiRegionEndpoint(
  { EndpointName }: InputOf<'GetMultiRegionEndpoint'>,
  { state, region }: SesContext,
): OutputOf<'GetMultiRegionEndpoint'> {
  const endpoint = state.endpoints.get(EndpointName);
  if (!endpoint) throw noEndpoint(EndpointName);
  return {
    EndpointName,
    EndpointId: endpoint.id,
    Routes: [region, ...endpoint.regions].map((Region) => ({ Region })),
    Status: 'READY',
    ...times(endpoint),
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ListMultiRegionEndpoints.html */
export function ListMultiRegionEndpoints(
  input: InputOf<'ListMultiRegionEndpoints'>,
  { state, region }: SesContext,
): OutputOf<'ListMultiRegionEndpoints'> {
  const { NextToken: token } = input;
  const asked = token === undefined ? input : { ...input, NextToken: reencoded(token, 'base64', 'base64url') };
  const { NextToken: next, ...page } = v2Paging
    .page('ListMultiRegionEndpoints', asked, state.endpoints.list(), ({ name }) => name)
    .list((endpoint) => ({
      EndpointName: endpoint.name,
      Status: 'READY',
      EndpointId: endpoint.id,
      Regions: [region, ...endpoint.regions],
      ...times(endpoint),
    }));
  return { ...page, ...(next !== undefined && { NextToken: reencoded(next, 'base64url', 'base64') }) };
}

/** Converts a token to another base64 alphabet: tokens of this list are padded base64. */
const reencoded = (token: string, from: 'base64' | 'base64url', to: 'base64' | 'base64url'): string =>
  Buffer.from(token, from).toString(to);

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_DeleteMultiRegionEndpoint.html */
export function DeleteMultiRegionEndpoint(
  { EndpointName }: InputOf<'DeleteMultiRegionEndpoint'>,
  { state }: SesContext,
): OutputOf<'DeleteMultiRegionEndpoint'> {
  if (!state.endpoints.delete(EndpointName)) throw noEndpoint(EndpointName);
  return { Status: 'DELETING' };
}

import { type DeepReadonly, keyInPlace } from '@emu/core/service';
import type { InputOf, OutputOf, ReputationEntity } from '@emu/service-types/sesv2';
import type { SesContext } from '../../context.ts';
import { alreadyExists, badRequest, notFound } from '../../errors.ts';
import { v2Paging } from '../../paging.ts';
import { checkCount, TENANTS } from '../../quotas.ts';
import type { ReputationRecord, TenantRecord } from '../../records.ts';
import { tenantType } from '../../resources.ts';
import { tagging } from '../../tags.ts';
import { resourceKinds } from '../../tenants/resources.ts';
import { tenantStatus } from '../../tenants/status.ts';

type Tenant = DeepReadonly<TenantRecord>;

function tenantOf(name: string, { state }: SesContext): Tenant {
  const tenant = state.tenants.get(name);
  if (!tenant) throw notFound(`Tenant <${name}> does not exist.`);
  return tenant;
}

const describe = (tenant: Tenant, { state }: SesContext) => ({
  TenantName: tenant.name,
  TenantId: tenant.id,
  TenantArn: tenantType.arn({ name: tenant.name, id: tenant.id }, state),
  CreatedTimestamp: new Date(tenant.createdAt),
});

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateTenant.html */
export function CreateTenant(
  { TenantName: name, Tags }: InputOf<'CreateTenant'>,
  ctx: SesContext,
): OutputOf<'CreateTenant'> {
  const { state, clock, ids } = ctx;
  if (!/^[\w-]{1,64}$/.test(name)) throw badRequest(`Invalid tenant name <${name}>.`);
  if (state.tenants.get(name)) throw alreadyExists(`Tenant <${name}> already exists.`);
  checkCount(TENANTS, ctx);
  const tags = tagging.merge(undefined, Tags);
  const id = `tn-${ids.hex(34)}`;
  const tenant = state.tenants.put(name, { name, id, createdAt: clock.now(), tags, resources: {} });
  return { ...describe(tenant, ctx), Tags: tags, SendingStatus: tenantStatus(state, tenant) };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetTenant.html */
export function GetTenant({ TenantName }: InputOf<'GetTenant'>, ctx: SesContext): OutputOf<'GetTenant'> {
  const tenant = tenantOf(TenantName, ctx);
  const Tags = tenant.tags.map((tag) => ({ ...tag }));
  return { Tenant: { ...describe(tenant, ctx), Tags, SendingStatus: tenantStatus(ctx.state, tenant) } };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ListTenants.html */
export function ListTenants(input: InputOf<'ListTenants'>, ctx: SesContext): OutputOf<'ListTenants'> {
  return v2Paging
    .page('ListTenants', input, ctx.state.tenants.list(), ({ name }) => name)
    .list((tenant) => describe(tenant, ctx));
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_DeleteTenant.html */
export function DeleteTenant({ TenantName }: InputOf<'DeleteTenant'>, ctx: SesContext) {
  const { name, id } = tenantOf(TenantName, ctx);
  ctx.state.reputation.delete(tenantType.arn({ name, id }, ctx.state));
  ctx.state.tenants.delete(name);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateTenantResourceAssociation.html */
export function CreateTenantResourceAssociation(
  { TenantName, ResourceArn }: InputOf<'CreateTenantResourceAssociation'>,
  ctx: SesContext,
) {
  const { name, resources } = tenantOf(TenantName, ctx);
  if (resourceKinds(ResourceArn, ctx.state) === undefined) throw notFound(`Resource <${ResourceArn}> does not exist.`);
  if (ResourceArn in resources)
    throw alreadyExists(`Resource <${ResourceArn}> is already associated with tenant <${name}>.`);
  ctx.state.tenants.update(name, (draft) => {
    draft.resources[ResourceArn] = ctx.clock.now();
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_DeleteTenantResourceAssociation.html */
export function DeleteTenantResourceAssociation(
  { TenantName, ResourceArn }: InputOf<'DeleteTenantResourceAssociation'>,
  ctx: SesContext,
) {
  const { name, resources } = tenantOf(TenantName, ctx);
  if (!(ResourceArn in resources)) throw notFound(`Resource <${ResourceArn}> is not associated with tenant <${name}>.`);
  ctx.state.tenants.update(name, (draft) => {
    delete draft.resources[ResourceArn];
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ListTenantResources.html */
export function ListTenantResources(
  input: InputOf<'ListTenantResources'>,
  ctx: SesContext,
): OutputOf<'ListTenantResources'> {
  const { resources } = tenantOf(input.TenantName, ctx);
  const wanted = input.Filter?.RESOURCE_TYPE;
  const found = Object.keys(resources).flatMap((ResourceArn) => {
    const ResourceType = resourceKinds(ResourceArn, ctx.state, false)!;
    return wanted === undefined || wanted === ResourceType ? [{ ResourceType, ResourceArn }] : [];
  });
  return v2Paging.page('ListTenantResources', input, found, ({ ResourceArn }) => ResourceArn).list((one) => one);
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ListResourceTenants.html */
export function ListResourceTenants(
  input: InputOf<'ListResourceTenants'>,
  ctx: SesContext,
): OutputOf<'ListResourceTenants'> {
  const { ResourceArn } = input;
  if (resourceKinds(ResourceArn, ctx.state) === undefined) throw notFound(`Resource <${ResourceArn}> does not exist.`);
  const found = ctx.state.tenants.list().filter(({ resources }) => ResourceArn in resources);
  return v2Paging
    .page('ListResourceTenants', input, found, ({ name }) => name)
    .list(({ name, id, resources }) => ({
      TenantName: name,
      TenantId: id,
      ResourceArn,
      AssociatedTimestamp: new Date(resources[ResourceArn]!),
    }));
}

/**
 * Returns the tenant of a reputation entity.
 * @throws AwsError `NotFoundException`
 */
function entityTenant(reference: string, { state }: SesContext): Tenant {
  const key = tenantType.parse(reference)?.key;
  const tenant = key && state.tenants.get(key.name);
  if (!tenant || tenantType.arn({ name: tenant.name, id: tenant.id }, state) !== reference)
    throw notFound(`Reputation entity <${reference}> does not exist.`);
  return tenant;
}

function entity(tenant: Tenant, { state }: SesContext): ReputationEntity {
  const reference = tenantType.arn({ name: tenant.name, id: tenant.id }, state);
  const { status, policy, updatedAt } = state.reputation.get(reference) ?? {};
  return {
    ReputationEntityReference: reference,
    ReputationEntityType: 'RESOURCE',
    ...(policy !== undefined && { ReputationManagementPolicy: policy }),
    CustomerManagedStatus: {
      Status: status ?? 'ENABLED',
      LastUpdatedTimestamp: new Date(updatedAt ?? tenant.createdAt),
    },
    AwsSesManagedStatus: { Status: 'ENABLED', LastUpdatedTimestamp: new Date(tenant.createdAt) },
    SendingStatusAggregate: tenantStatus(state, tenant),
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetReputationEntity.html */
export function GetReputationEntity(
  { ReputationEntityReference }: InputOf<'GetReputationEntity'>,
  ctx: SesContext,
): OutputOf<'GetReputationEntity'> {
  return { ReputationEntity: entity(entityTenant(ReputationEntityReference, ctx), ctx) };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ListReputationEntities.html */
export function ListReputationEntities(
  input: InputOf<'ListReputationEntities'>,
  ctx: SesContext,
): OutputOf<'ListReputationEntities'> {
  const { ENTITY_TYPE, SENDING_STATUS, ENTITY_REFERENCE_PREFIX = '', REPUTATION_IMPACT } = input.Filter ?? {};
  const found = ctx.state.tenants
    .list()
    .map((tenant) => entity(tenant, ctx))
    .filter(
      (one) =>
        (ENTITY_TYPE === undefined || ENTITY_TYPE === one.ReputationEntityType) &&
        (SENDING_STATUS === undefined || SENDING_STATUS === one.SendingStatusAggregate) &&
        // Reputation is not computed, so nothing has an impact.
        REPUTATION_IMPACT === undefined &&
        one.ReputationEntityReference!.startsWith(ENTITY_REFERENCE_PREFIX),
    );
  return v2Paging
    .page('ListReputationEntities', input, found, (one) => one.ReputationEntityReference!)
    .list((one) => one);
}

/** Changes the reputation record of a tenant. */
function changeReputation(
  reference: string,
  ctx: SesContext,
  changed: Partial<ReputationRecord>,
): Record<string, never> {
  const { reputation } = ctx.state;
  const before = structuredClone(reputation.get(reference)) as ReputationRecord | undefined;
  reputation.put(reference, { ...before, ...changed, reference, updatedAt: ctx.clock.now() });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_UpdateReputationEntityCustomerManagedStatus.html */
export function UpdateReputationEntityCustomerManagedStatus(
  { ReputationEntityReference, SendingStatus }: InputOf<'UpdateReputationEntityCustomerManagedStatus'>,
  ctx: SesContext,
) {
  entityTenantOrRefuse(ReputationEntityReference, ctx);
  return changeReputation(ReputationEntityReference, ctx, { status: SendingStatus });
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_UpdateReputationEntityPolicy.html */
export function UpdateReputationEntityPolicy(
  { ReputationEntityReference, ReputationEntityPolicy }: InputOf<'UpdateReputationEntityPolicy'>,
  ctx: SesContext,
) {
  entityTenantOrRefuse(ReputationEntityReference, ctx);
  if (!/^arn:[\w-]+:ses:[\w-]+:aws:reputation-policy\/(none|standard|strict)$/.test(ReputationEntityPolicy))
    throw badRequest(`Invalid reputation policy <${ReputationEntityPolicy}>.`);
  return changeReputation(ReputationEntityReference, ctx, { policy: ReputationEntityPolicy });
}

/** Same as `entityTenant`, for operations without `NotFoundException` in their model. */
function entityTenantOrRefuse(reference: string, { state }: SesContext): void {
  const key = keyInPlace(tenantType, reference, state);
  if (!key || !state.tenants.get(key.name)) throw badRequest(`Invalid reputation entity <${reference}>.`);
}

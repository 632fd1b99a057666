import { type DeepReadonly, notEmulated, numericKey } from '@emu/core/service';
import type {
  EntityDetails,
  InputOf,
  OutputOf,
  PolicyGrantingServiceAccess,
  ServiceLastAccessed,
} from '@emu/service-types/iam';
import type { IamContext } from '../context.ts';
import { nowOf } from '../entities/lookup.ts';
import { noSuchEntity } from '../errors.ts';
import { organizationOf } from '../organization.ts';
import { paging } from '../paging.ts';
import { SERVICE_NAMES } from '../policies/service-names.ts';
import { policiesOf, requireEntity, type SourcedPolicy } from '../policies/sources.ts';
import { dropOldest, JOB_DURATION, progressOf } from '../reports/jobs.ts';
import type { AccessJobRecord } from '../reports/records.ts';
import { serviceAccessOf } from '../reports/service-access.ts';
import { grants, servicesOf } from '../reports/service-grants.ts';

type Job = DeepReadonly<AccessJobRecord>;

/**
 * Starts a report on the last use of services by an entity. Data on single actions is not available.
 * @throws AwsError `NoSuchEntity`; `NotImplemented` for a report about actions
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GenerateServiceLastAccessedDetails.html
 */
export async function GenerateServiceLastAccessedDetails(
  input: InputOf<'GenerateServiceLastAccessedDetails'>,
  ctx: IamContext,
): Promise<OutputOf<'GenerateServiceLastAccessedDetails'>> {
  const { Arn: arn, Granularity: granularity = 'SERVICE_LEVEL' } = input;
  if (granularity === 'ACTION_LEVEL') throw notEmulated('Granularity ACTION_LEVEL', 'iam');
  const access = await serviceAccessOf(ctx, arn);
  const id = ctx.ids.uuid();
  const startedAt = nowOf(ctx);
  dropOldest(ctx.state.accessJobs);
  ctx.state.accessJobs.put(id, { id, arn, granularity, startedAt, readyAt: startedAt + JOB_DURATION, ...access });
  return { JobId: id };
}

/**
 * Returns services with their last use.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetServiceLastAccessedDetails.html
 */
export function GetServiceLastAccessedDetails(
  input: InputOf<'GetServiceLastAccessedDetails'>,
  ctx: IamContext,
): OutputOf<'GetServiceLastAccessedDetails'> {
  const job = requireJob(ctx, input.JobId);
  const { done, ...progress } = progressOf(job, ctx.clock.now());
  const { items, next } = paging.page(
    'GetServiceLastAccessedDetails',
    input,
    done ? job.namespaces : [],
    (namespace) => namespace,
  );
  return {
    ...progress,
    JobType: job.granularity,
    ServicesLastAccessed: items.map((namespace) => describeService(job, namespace)),
    ...next,
  };
}

function describeService({ entities }: Job, namespace: string): ServiceLastAccessed {
  const users = entities.filter(({ services }) => Object.hasOwn(services, namespace));
  const latest = users.reduce<(typeof users)[number] | undefined>(
    (best, one) => (best && best.services[namespace]!.at >= one.services[namespace]!.at ? best : one),
    undefined,
  );
  const access = latest?.services[namespace];
  return {
    ServiceName: SERVICE_NAMES.get(namespace)!,
    ServiceNamespace: namespace,
    TotalAuthenticatedEntities: users.length,
    ...(latest && {
      LastAuthenticated: new Date(access!.at),
      LastAuthenticatedEntity: latest.arn,
      LastAuthenticatedRegion: access!.region,
    }),
  };
}

/**
 * Returns the users and roles of a report, most recent use first.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetServiceLastAccessedDetailsWithEntities.html
 */
export function GetServiceLastAccessedDetailsWithEntities(
  input: InputOf<'GetServiceLastAccessedDetailsWithEntities'>,
  ctx: IamContext,
): OutputOf<'GetServiceLastAccessedDetailsWithEntities'> {
  const job = requireJob(ctx, input.JobId);
  const { done, ...progress } = progressOf(job, ctx.clock.now());
  const { ServiceNamespace: namespace } = input;
  const usedAt = ({ services }: Job['entities'][number]): number => services[namespace]?.at ?? 0;
  const listed = done && job.namespaces.includes(namespace) ? job.entities : [];
  // Later times must sort first.
  const order = (entity: Job['entities'][number]): string =>
    `${numericKey(Number.MAX_SAFE_INTEGER - usedAt(entity))} ${entity.arn}`;
  const { items, next } = paging.page('GetServiceLastAccessedDetailsWithEntities', input, listed, order);
  const details = items.map((entity): EntityDetails => {
    const { arn: Arn, name: Name, type: Type, id: Id, path: Path } = entity;
    const at = usedAt(entity);
    return { EntityInfo: { Arn, Name, Type, Id, Path }, ...(at && { LastAuthenticated: new Date(at) }) };
  });
  return { ...progress, EntityDetailsList: details, ...next };
}

/**
 * Returns the policies of a user, group or role that allow access to services.
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_ListPoliciesGrantingServiceAccess.html
 */
export async function ListPoliciesGrantingServiceAccess(
  input: InputOf<'ListPoliciesGrantingServiceAccess'>,
  ctx: IamContext,
): Promise<OutputOf<'ListPoliciesGrantingServiceAccess'>> {
  const policies = (await policiesOf(ctx, requireEntity(ctx.state, input.Arn))).map((policy) => ({
    policy: describePolicy(policy),
    services: servicesOf(policy.document),
  }));
  const indices = [...input.ServiceNamespaces.keys()];
  const { items, next } = paging.page('ListPoliciesGrantingServiceAccess', input, indices, numericKey);
  const namespaces = items.map((index) => input.ServiceNamespaces[index]!);
  const entries = namespaces.map((namespace) => ({
    ServiceNamespace: namespace,
    Policies: policies
      .filter(({ services }) => grants(services, namespace.toLowerCase()))
      .map(({ policy }) => ({ ...policy })),
  }));
  return { PoliciesGrantingServiceAccess: entries, ...next };
}

function describePolicy({ id, arn, holder }: SourcedPolicy): PolicyGrantingServiceAccess {
  if (arn !== undefined) return { PolicyName: id, PolicyType: 'MANAGED', PolicyArn: arn };
  const kinds = { user: 'USER', group: 'GROUP', role: 'ROLE' } as const;
  return { PolicyName: id, PolicyType: 'INLINE', EntityType: kinds[holder.kind], EntityName: holder.record.name };
}

/**
 * Starts a report about an organization, which fails if the account is not in one.
 * @throws AwsError `NotImplemented` (501) if it is: the effect of control policies is not supported
 * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GenerateOrganizationsAccessReport.html
 */
export async function GenerateOrganizationsAccessReport(
  _input: InputOf<'GenerateOrganizationsAccessReport'>,
  ctx: IamContext,
): Promise<OutputOf<'GenerateOrganizationsAccessReport'>> {
  if (await organizationOf(ctx))
    throw notEmulated('iam GenerateOrganizationsAccessReport for accounts in an organization');
  const error = { code: 'ORGANIZATION_NOT_FOUND', message: 'Your account is not a member of an organization.' };
  const id = ctx.ids.uuid();
  const startedAt = nowOf(ctx);
  dropOldest(ctx.state.organizationsJobs);
  ctx.state.organizationsJobs.put(id, { id, startedAt, readyAt: startedAt + JOB_DURATION, error });
  return { JobId: id };
}

/** @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetOrganizationsAccessReport.html */
export function GetOrganizationsAccessReport(
  input: InputOf<'GetOrganizationsAccessReport'>,
  ctx: IamContext,
): OutputOf<'GetOrganizationsAccessReport'> {
  const job = ctx.state.organizationsJobs.get(input.JobId);
  if (!job) throw noSuchJob(input.JobId);
  // Failed reports have no pages, but invalid markers are rejected.
  paging.page('GetOrganizationsAccessReport', input, [], String);
  if (ctx.clock.now() < job.readyAt) return { JobStatus: 'IN_PROGRESS', JobCreationDate: new Date(job.startedAt) };
  return {
    JobStatus: 'FAILED',
    JobCreationDate: new Date(job.startedAt),
    JobCompletionDate: new Date(job.readyAt),
    ErrorDetails: { Code: job.error.code, Message: job.error.message },
  };
}

const noSuchJob = (id: string): Error => noSuchEntity(`The job with id ${id} cannot be found.`);

function requireJob(ctx: IamContext, id: string): Job {
  const job = ctx.state.accessJobs.get(id);
  if (!job) throw noSuchJob(id);
  return job;
}

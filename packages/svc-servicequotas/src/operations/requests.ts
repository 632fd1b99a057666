import type {
  InputOf,
  ListRequestedServiceQuotaChangeHistoryRequest,
  OutputOf,
  RequestedServiceQuotaChange,
} from '@emu/service-types/servicequotas';
import { arnOf, directoryOf, quotaOf, quotasOf } from '../catalogue.ts';
import type { ServicequotasContext } from '../context.ts';
import { alreadyExists, invalidState } from '../errors.ts';
import { paging } from '../paging.ts';
import { requestApproval } from '../requests/approval.ts';
import { ageKey, openCase, type Request, requestOf, shownRequests, submit } from '../requests/requests.ts';
import { isServiceCode, serviceName } from '../service-names.ts';
import { checkContext } from './quotas.ts';

/** Returns a request as in the API. */
function describe(request: Request, { accountId, region }: ServicequotasContext): RequestedServiceQuotaChange {
  const { serviceCode, quotaCode, global } = request;
  return {
    Id: request.id,
    ...(request.automatic && { RequestType: 'AutomaticManagement' as const }),
    ...(request.caseId !== undefined && { CaseId: request.caseId }),
    ServiceCode: serviceCode,
    ServiceName: serviceName(serviceCode),
    QuotaCode: quotaCode,
    QuotaName: request.quotaName,
    DesiredValue: request.desiredValue,
    Status: request.status,
    Created: new Date(request.createdAt),
    LastUpdated: new Date(request.updatedAt),
    Requester: request.requester,
    QuotaArn: arnOf({ serviceCode, code: quotaCode, ...(global && { global: true as const }) }, { accountId, region }),
    GlobalQuota: global,
    Unit: request.unit,
    QuotaRequestedAtLevel: 'ACCOUNT',
  };
}

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_RequestServiceQuotaIncrease.html */
export async function RequestServiceQuotaIncrease(
  input: InputOf<'RequestServiceQuotaIncrease'>,
  ctx: ServicequotasContext,
): Promise<OutputOf<'RequestServiceQuotaIncrease'>> {
  const directory = await directoryOf(ctx);
  const quota = await quotaOf(directory, input);
  checkContext(input.ContextId);
  const requested = {
    quota,
    desiredValue: input.DesiredValue,
    supportCaseAllowed: input.SupportCaseAllowed,
    requester: { accountId: ctx.accountId, callerArn: ctx.principal.arn },
  };
  const approval = (await ctx.capability(requestApproval))!;
  return { RequestedQuota: describe(await submit(ctx.state, requested, directory, approval), ctx) };
}

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_GetRequestedServiceQuotaChange.html */
export function GetRequestedServiceQuotaChange(
  { RequestId }: InputOf<'GetRequestedServiceQuotaChange'>,
  ctx: ServicequotasContext,
): OutputOf<'GetRequestedServiceQuotaChange'> {
  return { RequestedQuota: describe(requestOf(ctx.state, RequestId), ctx) };
}

/**
 * Opens a support case for an undecided request.
 * @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_CreateSupportCase.html
 */
export function CreateSupportCase(
  { RequestId }: InputOf<'CreateSupportCase'>,
  ctx: ServicequotasContext,
): OutputOf<'CreateSupportCase'> {
  const { caseId, status } = requestOf(ctx.state, RequestId);
  if (caseId !== undefined) throw alreadyExists('A support case exists for the quota increase request.');
  if (status !== 'PENDING')
    throw invalidState(`A support case is created only for requests that are PENDING; the status is ${status}.`);
  openCase(ctx.state, RequestId, 'CASE_OPENED');
  return {};
}

/** Returns the requests of a region for a history. All were made at account level. */
function historyOf(
  { Status, QuotaRequestedAtLevel }: ListRequestedServiceQuotaChangeHistoryRequest,
  ctx: ServicequotasContext,
): Request[] {
  if (QuotaRequestedAtLevel === 'RESOURCE') return [];
  return shownRequests(ctx.state).filter(({ status }) => Status === undefined || status === Status);
}

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_ListRequestedServiceQuotaChangeHistory.html */
export async function ListRequestedServiceQuotaChangeHistory(
  input: InputOf<'ListRequestedServiceQuotaChangeHistory'>,
  ctx: ServicequotasContext,
): Promise<OutputOf<'ListRequestedServiceQuotaChangeHistory'>> {
  const { ServiceCode } = input;
  // emu has no requests of services whose quotas it lacks.
  if (ServiceCode !== undefined && !isServiceCode(ServiceCode)) await quotasOf(await directoryOf(ctx), ServiceCode);
  const found = historyOf(input, ctx).filter(
    ({ serviceCode }) => ServiceCode === undefined || serviceCode === ServiceCode,
  );
  return paging
    .page('ListRequestedServiceQuotaChangeHistory', input, found, ageKey, { descending: true })
    .list((request) => describe(request, ctx));
}

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_ListRequestedServiceQuotaChangeHistoryByQuota.html */
export async function ListRequestedServiceQuotaChangeHistoryByQuota(
  input: InputOf<'ListRequestedServiceQuotaChangeHistoryByQuota'>,
  ctx: ServicequotasContext,
): Promise<OutputOf<'ListRequestedServiceQuotaChangeHistoryByQuota'>> {
  const { serviceCode, code } = await quotaOf(await directoryOf(ctx), input);
  const found = historyOf(input, ctx).filter(
    (request) => request.serviceCode === serviceCode && request.quotaCode === code,
  );
  return paging
    .page('ListRequestedServiceQuotaChangeHistoryByQuota', input, found, ageKey, { descending: true })
    .list((request) => describe(request, ctx));
}

import type { DeclaredQuota, DeepReadonly, QuotaDirectory } from '@emu/core/service';
import type { RequestStatus } from '@emu/service-types/servicequotas';
import { alreadyExists, illegalArgument, noSuchResource, quotaExceeded } from '../errors.ts';
import type { RequestRecord } from '../records.ts';
import type { QuotasRegistry } from '../registry.ts';
import type { RequestApproval } from './approval.ts';
import { reasonToDeny } from './maxima.ts';

/** @see https://docs.aws.amazon.com/servicequotas/latest/userguide/reference_limits.html */
const MAX_ACTIVE = 20;
/** Period in which closed requests are shown. */
const SHOWN_AFTER = 90 * 24 * 60 * 60 * 1000;
const ID_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const DIGITS = '0123456789';

export type Request = DeepReadonly<RequestRecord>;

/** A requested increase. */
export interface RequestedIncrease {
  readonly quota: DeclaredQuota;
  readonly desiredValue: number;
  readonly requester: { readonly accountId: string; readonly callerArn: string };
  /** Whether a support case may be opened if Service Quotas does not approve automatically; true by default. */
  readonly supportCaseAllowed?: boolean | undefined;
  readonly automatic?: true;
}

const OPEN: ReadonlySet<RequestStatus> = new Set(['PENDING', 'CASE_OPENED']);

/** Whether a request is undecided. */
export const isOpen = ({ status }: Pick<Request, 'status'>): boolean => OPEN.has(status);

/** Sorts requests by age. */
export const ageKey = ({ createdAt, id }: Request): string => `${String(createdAt).padStart(15, '0')}/${id}`;

/** Returns the requests for histories: open ones, and those closed in the last 90 days. */
export function shownRequests(state: QuotasRegistry): Request[] {
  const since = state.scope.clock.now() - SHOWN_AFTER;
  return [...state.requests.values()].filter((request) => isOpen(request) || request.updatedAt >= since);
}

/** Returns the open requests of an account in every region. */
function openRequests({ scope, accountId }: QuotasRegistry): { region: string; request: Request }[] {
  const found: { region: string; request: Request }[] = [];
  for (const each of scope.service.states())
    if (each.accountId === accountId)
      for (const request of (each.state as QuotasRegistry).requests.values())
        if (isOpen(request)) found.push({ region: each.region, request });
  return found;
}

/** Sets the status of a request. */
export function setStatus(state: QuotasRegistry, id: string, status: RequestStatus): Request {
  return state.requests.update(id, (draft) => {
    draft.status = status;
    draft.updatedAt = state.scope.clock.now();
  });
}

/** Opens a support case for a request and sets the resulting status. */
export function openCase(state: QuotasRegistry, id: string, status: RequestStatus): Request {
  state.requests.update(id, (draft) => {
    draft.caseId = state.scope.ids.chars(10, DIGITS);
  });
  return setStatus(state, id, status);
}

/** Raises the applied value to that of a request, never lowers it, and approves the request. */
export async function approve(
  state: QuotasRegistry,
  { id, desiredValue }: Request,
  quota: DeclaredQuota,
  directory: QuotaDirectory,
): Promise<Request> {
  const { accountId, region } = state;
  const { appliedValue } = directory.state(quota, accountId, region);
  // Before the first await, so that no other decision comes in between.
  const approved = setStatus(state, id, 'APPROVED');
  if (desiredValue > appliedValue) await directory.setValue(quota, accountId, region, desiredValue);
  return approved;
}

/**
 * Creates an increase request, and decides on it in immediate mode. A value above AWS's maximum is denied by Service
 * Quotas, or not approved by AWS Support if a case may be opened.
 * @throws AwsError `IllegalArgumentException`, `ResourceAlreadyExistsException`, `QuotaExceededException`
 */
export async function submit(
  state: QuotasRegistry,
  requested: RequestedIncrease,
  directory: QuotaDirectory,
  approval: RequestApproval,
): Promise<Request> {
  const { accountId, region, scope } = state;
  const { quota, desiredValue } = requested;
  if (!quota.adjustable) throw illegalArgument(`The quota ${quota.code} of ${quota.serviceCode} is not adjustable.`);
  if (desiredValue <= directory.state(quota, accountId, region).appliedValue)
    throw illegalArgument('You must provide a quota value greater than the current quota value');
  const open = openRequests(state);
  const same = open.some(
    ({ region: where, request }) =>
      request.serviceCode === quota.serviceCode &&
      request.quotaCode === quota.code &&
      (quota.global || where === region),
  );
  if (same) throw alreadyExists('Only one open service quota increase request is allowed per quota.');
  if (open.length >= MAX_ACTIVE) throw quotaExceeded();
  const now = scope.clock.now();
  const id = scope.ids.hex(32) + scope.ids.chars(8, ID_CHARACTERS);
  const request = state.requests.put(id, {
    id,
    serviceCode: quota.serviceCode,
    quotaCode: quota.code,
    quotaName: quota.name,
    unit: quota.unit ?? 'None',
    global: quota.global ?? false,
    desiredValue,
    status: 'PENDING',
    createdAt: now,
    updatedAt: now,
    requester: JSON.stringify(requested.requester),
    ...(requested.automatic && { automatic: true }),
  });
  if (approval.mode === 'manual') return request;
  if (!(await reasonToDeny(quota, desiredValue, directory, accountId, region)))
    return approve(state, request, quota, directory);
  return requested.supportCaseAllowed === false ? setStatus(state, id, 'DENIED') : openCase(state, id, 'NOT_APPROVED');
}

/**
 * Returns the request with an id.
 * @throws AwsError `NoSuchResourceException`
 */
export function requestOf(state: QuotasRegistry, id: string): Request {
  const request = state.requests.get(id);
  if (!request) throw noSuchResource('The request failed because the specified quota increase request does not exist.');
  return request;
}

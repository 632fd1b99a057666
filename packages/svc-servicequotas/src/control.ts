import type { DeclareRoute, ServiceQuota, ServiceQuotaOverride, ServiceQuotaRequest } from '@emu/control-client';
import {
  ControlError,
  type ControlRoute,
  controlRoute,
  type DeclaredQuota,
  type Place,
  type QuotaDirectory,
  type ServiceHandle,
} from '@emu/core/service';
import { directoryOf } from './catalogue.ts';
import {
  badRequest,
  placeOf,
  readApproval,
  readChange,
  readDenial,
  readEnforcement,
  readRequestQuery,
} from './control-inputs.ts';
import { requestApproval } from './requests/approval.ts';
import { reasonToDeny } from './requests/maxima.ts';
import { ageKey, approve, isOpen, type Request, setStatus } from './requests/requests.ts';
import type { ServicequotasState } from './state.ts';

type Handle = ServiceHandle<ServicequotasState>;

const route: DeclareRoute<Handle, ControlRoute<ServicequotasState>> = controlRoute;

function describeQuota(quota: DeclaredQuota, directory: QuotaDirectory, { accountId, region }: Place): ServiceQuota {
  const { defaultValue, appliedValue, usage, enforced } = directory.state(quota, accountId, region);
  return {
    accountId,
    region,
    serviceCode: quota.serviceCode,
    quotaCode: quota.code,
    quotaName: quota.name,
    unit: quota.unit ?? 'None',
    adjustable: quota.adjustable,
    defaultValue,
    appliedValue,
    ...(usage !== undefined && { usage }),
    enforceable: !quota.listed,
    enforced,
  };
}

/** @throws ControlError 404 if no mounted service declares the quota */
async function quotaAt(
  directory: QuotaDirectory,
  { service = '', quota = '' }: Readonly<Record<string, string>>,
): Promise<DeclaredQuota> {
  const found = await directory.find(service, quota);
  if (!found) throw new ControlError(404, 'QuotaNotFound', `The quota ${service}/${quota} does not exist.`);
  return found;
}

const notEnforceable = (serviceCode: string, quotaCode: string): ControlError =>
  badRequest(`emu cannot enforce the quota ${serviceCode}/${quotaCode}.`);

const list = route('GET /_emulator/service-quotas/quotas', async ({ query }, service) => {
  const directory = await directoryOf(service);
  const place = placeOf(query, service);
  const code = query.get('serviceCode');
  const quotas = (await directory.list()).filter(({ serviceCode }) => code === null || serviceCode === code);
  return { json: { quotas: quotas.map((quota) => describeQuota(quota, directory, place)) } };
});

const set = route('PUT /_emulator/service-quotas/quotas/{service}/{quota}', async ({ params, body }, service) => {
  const directory = await directoryOf(service);
  const quota = await quotaAt(directory, params);
  const { value, enforce, accountId, ...rest } = readChange(body);
  const place = {
    accountId: accountId ?? service.settings.accountId,
    region: rest.region ?? service.settings.region,
  };
  if (enforce && quota.listed) throw notEnforceable(quota.serviceCode, quota.code);
  if (value !== undefined) await directory.setValue(quota, place.accountId, place.region, value);
  // Without an account in the body the override applies to the whole server, and the value to the default account.
  if (enforce !== undefined) await directory.override(quota, accountId, enforce ?? undefined);
  return { json: describeQuota(quota, directory, place) };
});

const reset = route('DELETE /_emulator/service-quotas/quotas/{service}/{quota}', async ({ params, query }, service) => {
  const directory = await directoryOf(service);
  const quota = await quotaAt(directory, params);
  const place = placeOf(query, service);
  await directory.setValue(quota, place.accountId, place.region, undefined);
  await directory.override(quota, query.get('accountId') ?? undefined, undefined);
  return { json: describeQuota(quota, directory, place) };
});

const enforcementOf = ({ enforcement: { enforceAll, overrides } }: QuotaDirectory) => ({
  json: {
    enforceAll,
    overrides: overrides.map(
      ({ accountId, ...override }): ServiceQuotaOverride => ({
        ...override,
        ...(accountId !== undefined && { accountId }),
      }),
    ),
  },
});

const getEnforcement = route('GET /_emulator/service-quotas/enforcement', async (_request, service) =>
  enforcementOf(await directoryOf(service)),
);

const putEnforcement = route('PUT /_emulator/service-quotas/enforcement', async ({ body }, service) => {
  const directory = await directoryOf(service);
  const change = readEnforcement(body);
  for (const { serviceCode, quotaCode } of change.overrides ?? []) {
    const quota = await directory.find(serviceCode, quotaCode);
    if (!quota || quota.listed) throw notEnforceable(serviceCode, quotaCode);
  }
  await directory.setEnforcement(change);
  return enforcementOf(directory);
});

const getApproval = route('GET /_emulator/service-quotas/request-approval', async (_request, service) => ({
  json: { mode: (await service.capability(requestApproval))!.mode },
}));

const putApproval = route('PUT /_emulator/service-quotas/request-approval', async ({ body }, service) => {
  const approval = (await service.capability(requestApproval))!;
  approval.mode = readApproval(body);
  return { json: { mode: approval.mode } };
});

interface Found {
  readonly state: ServicequotasState;
  readonly request: Request;
}

const describeRequest = ({ state, request }: Found): ServiceQuotaRequest => ({
  accountId: state.accountId,
  region: state.region,
  id: request.id,
  serviceCode: request.serviceCode,
  quotaCode: request.quotaCode,
  quotaName: request.quotaName,
  desiredValue: request.desiredValue,
  status: request.status,
  requester: request.requester,
  created: new Date(request.createdAt).toISOString(),
  lastUpdated: new Date(request.updatedAt).toISOString(),
});

const allRequests = (service: Handle): Found[] =>
  [...service.states()].flatMap(({ state }) => [...state.requests.values()].map((request) => ({ state, request })));

/** @throws ControlError 404 */
function requestAt(service: Handle, { id = '' }: Readonly<Record<string, string>>): Found {
  const found = allRequests(service).find(({ request }) => request.id === id);
  if (!found) throw new ControlError(404, 'RequestNotFound', `The quota increase request ${id} does not exist.`);
  return found;
}

const listRequests = route('GET /_emulator/service-quotas/requests', ({ query }, service) => {
  const { accountId, status } = readRequestQuery(query);
  const found = allRequests(service)
    .filter(({ state }) => accountId === undefined || state.accountId === accountId)
    .filter(({ request }) => status === undefined || request.status === status)
    .sort((one, other) => (ageKey(one.request) < ageKey(other.request) ? 1 : -1));
  return { json: { requests: found.map(describeRequest) } };
});

const conflict = (message: string) => new ControlError(409, 'RequestConflict', message);

const approveRequest = route('POST /_emulator/service-quotas/requests/{id}/approve', async ({ params }, service) => {
  const { state, request: asked } = requestAt(service, params);
  const directory = await directoryOf(service);
  const quota = await quotaAt(directory, { service: asked.serviceCode, quota: asked.quotaCode });
  const objection = await reasonToDeny(quota, asked.desiredValue, directory, state.accountId, state.region);
  // Read again, because it may have been decided or reset meanwhile.
  const { request } = requestAt(service, params);
  if (!isOpen(request)) throw conflict(`The request is ${request.status}; only open requests can be approved.`);
  if (objection !== undefined) throw conflict(objection);
  return { json: describeRequest({ state, request: await approve(state, request, quota, directory) }) };
});

const denyRequest = route('POST /_emulator/service-quotas/requests/{id}/deny', ({ params, body }, service) => {
  const { state, request } = requestAt(service, params);
  const status = readDenial(body);
  if (request.status !== 'PENDING')
    throw conflict(`The request is ${request.status}; only a request that is PENDING can be denied.`);
  return { json: describeRequest({ state, request: setStatus(state, request.id, status) }) };
});

/** Control routes of Service Quotas. */
export const control: readonly ControlRoute<ServicequotasState>[] = [
  list,
  set,
  reset,
  getEnforcement,
  putEnforcement,
  getApproval,
  putApproval,
  listRequests,
  approveRequest,
  denyRequest,
];

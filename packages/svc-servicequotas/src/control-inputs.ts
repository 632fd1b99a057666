import type {
  ServiceQuotaChange,
  ServiceQuotaDenial,
  ServiceQuotaEnforcementChange,
  ServiceQuotaOverride,
  ServiceQuotaRequestApproval,
  ServiceQuotaRequestStatus,
} from '@emu/control-client';
import { ControlError, type Place, type ServiceHandle } from '@emu/core/service';
import { isObject } from '@emu/wire';

type Fields = Readonly<Record<string, unknown>>;

const STATUSES: readonly ServiceQuotaRequestStatus[] = [
  'PENDING',
  'CASE_OPENED',
  'APPROVED',
  'DENIED',
  'CASE_CLOSED',
  'NOT_APPROVED',
  'INVALID_REQUEST',
];
const DENIALS: readonly ServiceQuotaDenial[] = ['DENIED', 'NOT_APPROVED', 'CASE_CLOSED', 'INVALID_REQUEST'];

/** Creates the error for an invalid request. */
export const badRequest = (message: string): ControlError => new ControlError(400, 'InvalidRequest', message);

/** @throws ControlError for another value than an object with these members */
function fieldsOf(value: unknown, members: readonly string[]): Fields {
  if (!isObject(value)) throw badRequest('The body must be a JSON object.');
  for (const name of Object.keys(value))
    if (!members.includes(name)) throw badRequest(`${name} is not a member of the request.`);
  return value as Fields;
}

/** Returns a string member; undefined if missing. @throws ControlError for another value */
function textMember(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value !== undefined && (typeof value !== 'string' || value === '')) throw badRequest(`${name} must be a string.`);
  return value as string | undefined;
}

function accountOf(fields: Fields): string | undefined {
  const accountId = textMember(fields, 'accountId');
  if (accountId !== undefined && !/^\d{12}$/.test(accountId)) throw badRequest('accountId must have twelve digits.');
  return accountId;
}

/**
 * Returns the account and region of a query, by default the server's.
 * @throws ControlError for an invalid account
 */
export function placeOf(query: URLSearchParams, { settings }: Pick<ServiceHandle, 'settings'>): Place {
  const accountId = accountOf({ accountId: query.get('accountId') ?? undefined });
  return { accountId: accountId ?? settings.accountId, region: query.get('region') ?? settings.region };
}

/** @throws ControlError for an invalid change of a quota */
export function readChange(body: unknown): ServiceQuotaChange {
  const fields = fieldsOf(body, ['accountId', 'region', 'value', 'enforce']);
  const { value, enforce } = fields;
  if (value !== undefined && (typeof value !== 'number' || !Number.isFinite(value) || value < 0))
    throw badRequest('value must be a number that is not negative.');
  if (enforce !== undefined && enforce !== null && typeof enforce !== 'boolean')
    throw badRequest('enforce must be true, false or null.');
  const accountId = accountOf(fields);
  const region = textMember(fields, 'region');
  return {
    ...(accountId !== undefined && { accountId }),
    ...(region !== undefined && { region }),
    ...(value !== undefined && { value }),
    ...(enforce !== undefined && { enforce }),
  };
}

function readOverride(value: unknown): ServiceQuotaOverride {
  const fields = fieldsOf(value, ['serviceCode', 'quotaCode', 'enforce', 'accountId']);
  const { enforce } = fields;
  const serviceCode = textMember(fields, 'serviceCode');
  const quotaCode = textMember(fields, 'quotaCode');
  const accountId = accountOf(fields);
  if (serviceCode === undefined || quotaCode === undefined || typeof enforce !== 'boolean')
    throw badRequest('An override has serviceCode, quotaCode and enforce.');
  return { serviceCode, quotaCode, enforce, ...(accountId !== undefined && { accountId }) };
}

/** @throws ControlError for an invalid change of enforcement */
export function readEnforcement(body: unknown): ServiceQuotaEnforcementChange {
  const { enforceAll, overrides } = fieldsOf(body, ['enforceAll', 'overrides']);
  if (enforceAll !== undefined && typeof enforceAll !== 'boolean')
    throw badRequest('enforceAll must be true or false.');
  if (overrides !== undefined && !Array.isArray(overrides)) throw badRequest('overrides must be a list.');
  return {
    ...(enforceAll !== undefined && { enforceAll }),
    ...(overrides !== undefined && { overrides: overrides.map(readOverride) }),
  };
}

/** @throws ControlError for an invalid approval mode */
export function readApproval(body: unknown): ServiceQuotaRequestApproval['mode'] {
  const { mode } = fieldsOf(body, ['mode']);
  if (mode !== 'auto' && mode !== 'manual') throw badRequest('mode must be auto or manual.');
  return mode;
}

/** @throws ControlError for an invalid status of a denied request */
export function readDenial(body: unknown): ServiceQuotaDenial {
  const { status = 'DENIED' } = body === undefined ? {} : fieldsOf(body, ['status']);
  const denial = DENIALS.find((one) => one === status);
  if (!denial) throw badRequest(`status must be one of ${DENIALS.join(', ')}.`);
  return denial;
}

/** Returns the filter for increase requests in a query. @throws ControlError for an invalid account or status */
export function readRequestQuery(query: URLSearchParams): {
  accountId: string | undefined;
  status: ServiceQuotaRequestStatus | undefined;
} {
  const given = query.get('status') ?? undefined;
  const status = STATUSES.find((one) => one === given);
  if (given !== status) throw badRequest(`status must be one of ${STATUSES.join(', ')}.`);
  return { accountId: accountOf({ accountId: query.get('accountId') ?? undefined }), status };
}

import type { AccountAndRegionQuery, Located, Timestamp } from './common.ts';

/** A quota in one account and region. */
export interface ServiceQuota extends Located {
  serviceCode: string;
  quotaCode: string;
  quotaName: string;
  unit: string;
  adjustable: boolean;
  defaultValue: number;
  appliedValue: number;
  /** Absent where usage cannot be counted. */
  usage?: number;
  /** Whether the emulator is able to enforce it. */
  enforceable: boolean;
  /** Whether it is enforced now. */
  enforced: boolean;
}

/** Sets a quota; what is left out stays. */
export interface ServiceQuotaChange {
  accountId?: string;
  region?: string;
  /** The applied value; may be below AWS's default. */
  value?: number;
  /** Overrides the global switch for this quota; null takes the override back. */
  enforce?: boolean | null;
}

/** An override of enforcement. */
export interface ServiceQuotaOverride {
  serviceCode: string;
  quotaCode: string;
  enforce: boolean;
  /** Only this account; server-wide without it. */
  accountId?: string;
}

/** What is enforced. */
export interface ServiceQuotaEnforcement {
  /** Whether every enforceable quota is enforced unless overridden. */
  enforceAll: boolean;
  overrides: ServiceQuotaOverride[];
}

/** Changes enforcement; what is left out stays. Overrides that are given replace those of the server. */
export interface ServiceQuotaEnforcementChange {
  enforceAll?: boolean;
  overrides?: ServiceQuotaOverride[];
}

/** How increase requests are decided: on submission, or by the approve and deny routes. */
export interface ServiceQuotaRequestApproval {
  mode: 'auto' | 'manual';
}

/** Statuses of an increase request. */
export type ServiceQuotaRequestStatus =
  | 'PENDING'
  | 'CASE_OPENED'
  | 'APPROVED'
  | 'DENIED'
  | 'CASE_CLOSED'
  | 'NOT_APPROVED'
  | 'INVALID_REQUEST';

/** A request to increase a quota. */
export interface ServiceQuotaRequest extends Located {
  id: string;
  serviceCode: string;
  quotaCode: string;
  quotaName: string;
  desiredValue: number;
  status: ServiceQuotaRequestStatus;
  requester: string;
  created: Timestamp;
  lastUpdated: Timestamp;
}

/** Statuses a request can be denied with. */
export type ServiceQuotaDenial = 'DENIED' | 'NOT_APPROVED' | 'CASE_CLOSED' | 'INVALID_REQUEST';

/** Control routes of Service Quotas. Requests come newest first. */
export interface ServiceQuotasRoutes {
  'GET /_emulator/service-quotas/quotas': {
    query?: AccountAndRegionQuery & { serviceCode?: string };
    response: { quotas: ServiceQuota[] };
  };
  'PUT /_emulator/service-quotas/quotas/{service}/{quota}': { body: ServiceQuotaChange; response: ServiceQuota };
  'DELETE /_emulator/service-quotas/quotas/{service}/{quota}': {
    query?: AccountAndRegionQuery;
    response: ServiceQuota;
  };
  'GET /_emulator/service-quotas/enforcement': { response: ServiceQuotaEnforcement };
  'PUT /_emulator/service-quotas/enforcement': {
    body: ServiceQuotaEnforcementChange;
    response: ServiceQuotaEnforcement;
  };
  'GET /_emulator/service-quotas/request-approval': { response: ServiceQuotaRequestApproval };
  'PUT /_emulator/service-quotas/request-approval': {
    body: ServiceQuotaRequestApproval;
    response: ServiceQuotaRequestApproval;
  };
  'GET /_emulator/service-quotas/requests': {
    query?: { accountId?: string; status?: ServiceQuotaRequestStatus };
    response: { requests: ServiceQuotaRequest[] };
  };
  'POST /_emulator/service-quotas/requests/{id}/approve': { response: ServiceQuotaRequest };
  'POST /_emulator/service-quotas/requests/{id}/deny': {
    body?: { status?: ServiceQuotaDenial };
    response: ServiceQuotaRequest;
  };
}

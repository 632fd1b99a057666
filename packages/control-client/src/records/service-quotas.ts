import type { Located, Timestamp } from './common.ts';

/** A quota in one account and region. */
export interface ServiceQuota extends Located {
  serviceCode: string;
  quotaCode: string;
  quotaName: string;
  unit: string;
  adjustable: boolean;
  defaultValue: number;
  appliedValue: number;
  /** Absent if the usage cannot be counted. */
  usage?: number;
  /** Whether the emulator can enforce it. */
  enforceable: boolean;
  /** Whether it is currently enforced. */
  enforced: boolean;
}

/** Changes a quota. Absent members do not change. */
export interface ServiceQuotaChange {
  accountId?: string;
  region?: string;
  /** Applied value, which may be below AWS's default. */
  value?: number;
  /** Overrides the global switch for this quota; null removes the override. */
  enforce?: boolean | null;
}

/** An override of enforcement. */
export interface ServiceQuotaOverride {
  serviceCode: string;
  quotaCode: string;
  enforce: boolean;
  /** Only this account; server-wide by default. */
  accountId?: string;
}

/** Enforcement settings. */
export interface ServiceQuotaEnforcement {
  /** Whether all enforceable quotas are enforced unless overridden. */
  enforceAll: boolean;
  overrides: ServiceQuotaOverride[];
}

/** Changes the enforcement settings. Absent members do not change. Given overrides replace those of the server. */
export interface ServiceQuotaEnforcementChange {
  enforceAll?: boolean;
  overrides?: ServiceQuotaOverride[];
}

/** Approval mode of increase requests: at submission, or by the approve and deny routes. */
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

/** Statuses of a denied request. */
export type ServiceQuotaDenial = 'DENIED' | 'NOT_APPROVED' | 'CASE_CLOSED' | 'INVALID_REQUEST';

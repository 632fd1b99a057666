import type { AccountAndRegionQuery } from '../records/common.ts';
import type {
  ServiceQuota,
  ServiceQuotaChange,
  ServiceQuotaDenial,
  ServiceQuotaEnforcement,
  ServiceQuotaEnforcementChange,
  ServiceQuotaRequest,
  ServiceQuotaRequestApproval,
  ServiceQuotaRequestStatus,
} from '../records/service-quotas.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of Service Quotas. */
export const serviceQuotas = {
  /**
   * Lists quotas with default and applied value, usage and enforcement. `GET /_emulator/service-quotas/quotas`
   * @param filter by account, region or service
   */
  quotas: json<{ quotas: ServiceQuota[] }>()(
    'GET /_emulator/service-quotas/quotas',
    (filter?: AccountAndRegionQuery & { serviceCode?: string }) => ({ query: filter }),
  ),

  /**
   * Sets a quota's applied value, its enforcement, or both. `PUT /_emulator/service-quotas/quotas/{service}/{quota}`
   * @returns the updated quota
   * @throws ApiError 404 for an unknown quota
   */
  setQuota: json<ServiceQuota>()(
    'PUT /_emulator/service-quotas/quotas/{service}/{quota}',
    (serviceCode: string, quotaCode: string, change: ServiceQuotaChange) => ({
      params: { service: serviceCode, quota: quotaCode },
      body: change,
    }),
  ),

  /**
   * Resets a quota to its default and removes its enforcement override. `DELETE
   * /_emulator/service-quotas/quotas/{service}/{quota}`
   * @param scope account and region, by default the server's
   * @returns the updated quota
   * @throws ApiError 404 for an unknown quota
   */
  resetQuota: json<ServiceQuota>()(
    'DELETE /_emulator/service-quotas/quotas/{service}/{quota}',
    (serviceCode: string, quotaCode: string, scope?: AccountAndRegionQuery) => ({
      params: { service: serviceCode, quota: quotaCode },
      query: scope,
    }),
  ),

  /** Returns the enforcement settings. `GET /_emulator/service-quotas/enforcement` */
  enforcement: json<ServiceQuotaEnforcement>()('GET /_emulator/service-quotas/enforcement'),

  /**
   * Changes the enforcement settings. `PUT /_emulator/service-quotas/enforcement`
   * @returns the new settings
   */
  setEnforcement: json<ServiceQuotaEnforcement>()(
    'PUT /_emulator/service-quotas/enforcement',
    (change: ServiceQuotaEnforcementChange) => ({ body: change }),
  ),

  /** Returns the approval mode of increase requests. `GET /_emulator/service-quotas/request-approval` */
  requestApproval: json<ServiceQuotaRequestApproval>()('GET /_emulator/service-quotas/request-approval'),

  /** Sets the approval mode of increase requests. `PUT /_emulator/service-quotas/request-approval` */
  setRequestApproval: json<ServiceQuotaRequestApproval>()(
    'PUT /_emulator/service-quotas/request-approval',
    (mode: ServiceQuotaRequestApproval['mode']) => ({ body: { mode } }),
  ),

  /**
   * Lists the increase requests of all accounts, newest first. `GET /_emulator/service-quotas/requests`
   * @param filter by account or status
   */
  requests: json<{ requests: ServiceQuotaRequest[] }>()(
    'GET /_emulator/service-quotas/requests',
    (filter?: { accountId?: string; status?: ServiceQuotaRequestStatus }) => ({ query: filter }),
  ),

  /**
   * Approves an increase request. The applied value never falls. `POST /_emulator/service-quotas/requests/{id}/approve`
   * @throws ApiError 404 for an unknown request, 409 if AWS would no longer approve the value
   */
  approveRequest: json<ServiceQuotaRequest>()('POST /_emulator/service-quotas/requests/{id}/approve', (id: string) => ({
    params: { id },
  })),

  /**
   * Denies an increase request. The applied value does not change. `POST /_emulator/service-quotas/requests/{id}/deny`
   * @param status new status, by default `DENIED`
   * @throws ApiError 404 for an unknown request
   */
  denyRequest: json<ServiceQuotaRequest>()(
    'POST /_emulator/service-quotas/requests/{id}/deny',
    (id: string, status?: ServiceQuotaDenial): { params: { id: string }; body?: { status?: ServiceQuotaDenial } } => ({
      params: { id },
      body: status === undefined ? undefined : { status },
    }),
  ),
};

/** Methods for the control routes of Service Quotas. */
export interface ServiceQuotasControl extends MethodsOf<typeof serviceQuotas> {}

/** Control routes of Service Quotas by name. */
export type ServiceQuotasRoutes = RoutesOf<typeof serviceQuotas>;

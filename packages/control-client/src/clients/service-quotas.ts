import type { AccountAndRegionQuery } from '../routes/common.ts';
import type {
  ServiceQuota,
  ServiceQuotaChange,
  ServiceQuotaDenial,
  ServiceQuotaEnforcement,
  ServiceQuotaEnforcementChange,
  ServiceQuotaRequest,
  ServiceQuotaRequestApproval,
  ServiceQuotaRequestStatus,
} from '../routes/service-quotas.ts';
import { AreaControl } from './area.ts';

/** Control routes of Service Quotas. */
export class ServiceQuotasControl extends AreaControl {
  /**
   * Quotas with default and applied value, usage and enforcement. `GET /_emulator/service-quotas/quotas`
   * @param filter only those of an account, region or service
   */
  quotas(filter?: AccountAndRegionQuery & { serviceCode?: string }): Promise<{ quotas: ServiceQuota[] }> {
    return this.transport.json('GET /_emulator/service-quotas/quotas', { query: filter });
  }

  /**
   * Sets a quota's applied value, its enforcement, or both. `PUT /_emulator/service-quotas/quotas/{service}/{quota}`
   * @returns the quota as it is now
   * @throws ApiError 404 for an unknown quota
   */
  setQuota(serviceCode: string, quotaCode: string, change: ServiceQuotaChange): Promise<ServiceQuota> {
    return this.transport.json('PUT /_emulator/service-quotas/quotas/{service}/{quota}', {
      params: { service: serviceCode, quota: quotaCode },
      body: change,
    });
  }

  /**
   * Gives a quota its default back and drops its override. `DELETE /_emulator/service-quotas/quotas/{service}/{quota}`
   * @param scope account and region, by default the server's
   * @returns the quota as it is now
   * @throws ApiError 404 for an unknown quota
   */
  resetQuota(serviceCode: string, quotaCode: string, scope?: AccountAndRegionQuery): Promise<ServiceQuota> {
    return this.transport.json('DELETE /_emulator/service-quotas/quotas/{service}/{quota}', {
      params: { service: serviceCode, quota: quotaCode },
      query: scope,
    });
  }

  /** Which quotas are enforced. `GET /_emulator/service-quotas/enforcement` */
  enforcement(): Promise<ServiceQuotaEnforcement> {
    return this.transport.json('GET /_emulator/service-quotas/enforcement');
  }

  /**
   * Changes which quotas are enforced. `PUT /_emulator/service-quotas/enforcement`
   * @returns which are enforced now
   */
  setEnforcement(change: ServiceQuotaEnforcementChange): Promise<ServiceQuotaEnforcement> {
    return this.transport.json('PUT /_emulator/service-quotas/enforcement', { body: change });
  }

  /** How increase requests are decided. `GET /_emulator/service-quotas/request-approval` */
  requestApproval(): Promise<ServiceQuotaRequestApproval> {
    return this.transport.json('GET /_emulator/service-quotas/request-approval');
  }

  /** Sets how increase requests are decided. `PUT /_emulator/service-quotas/request-approval` */
  setRequestApproval(mode: ServiceQuotaRequestApproval['mode']): Promise<ServiceQuotaRequestApproval> {
    return this.transport.json('PUT /_emulator/service-quotas/request-approval', { body: { mode } });
  }

  /**
   * Increase requests of all accounts, newest first. `GET /_emulator/service-quotas/requests`
   * @param filter only those of an account or with a status
   */
  requests(filter?: {
    accountId?: string;
    status?: ServiceQuotaRequestStatus;
  }): Promise<{ requests: ServiceQuotaRequest[] }> {
    return this.transport.json('GET /_emulator/service-quotas/requests', { query: filter });
  }

  /**
   * Approves an increase request; the applied value rises, and never falls.
   * `POST /_emulator/service-quotas/requests/{id}/approve`
   * @throws ApiError 404 for an unknown request, 409 where AWS would not approve the value any more
   */
  approveRequest(id: string): Promise<ServiceQuotaRequest> {
    return this.transport.json('POST /_emulator/service-quotas/requests/{id}/approve', { params: { id } });
  }

  /**
   * Denies an increase request; the applied value stays. `POST /_emulator/service-quotas/requests/{id}/deny`
   * @param status the status it gets, by default `DENIED`
   * @throws ApiError 404 for an unknown request
   */
  denyRequest(id: string, status?: ServiceQuotaDenial): Promise<ServiceQuotaRequest> {
    return this.transport.json('POST /_emulator/service-quotas/requests/{id}/deny', {
      params: { id },
      body: status === undefined ? undefined : { status },
    });
  }
}

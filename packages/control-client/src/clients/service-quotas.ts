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
   * Lists quotas with default and applied value, usage and enforcement. `GET /_emulator/service-quotas/quotas`
   * @param filter by account, region or service
   */
  quotas(filter?: AccountAndRegionQuery & { serviceCode?: string }): Promise<{ quotas: ServiceQuota[] }> {
    return this.transport.json('GET /_emulator/service-quotas/quotas', { query: filter });
  }

  /**
   * Sets a quota's applied value, its enforcement, or both. `PUT /_emulator/service-quotas/quotas/{service}/{quota}`
   * @returns the updated quota
   * @throws ApiError 404 for an unknown quota
   */
  setQuota(serviceCode: string, quotaCode: string, change: ServiceQuotaChange): Promise<ServiceQuota> {
    return this.transport.json('PUT /_emulator/service-quotas/quotas/{service}/{quota}', {
      params: { service: serviceCode, quota: quotaCode },
      body: change,
    });
  }

  /**
   * Resets a quota to its default and removes its enforcement override. `DELETE
   * /_emulator/service-quotas/quotas/{service}/{quota}`
   * @param scope account and region, by default the server's
   * @returns the updated quota
   * @throws ApiError 404 for an unknown quota
   */
  resetQuota(serviceCode: string, quotaCode: string, scope?: AccountAndRegionQuery): Promise<ServiceQuota> {
    return this.transport.json('DELETE /_emulator/service-quotas/quotas/{service}/{quota}', {
      params: { service: serviceCode, quota: quotaCode },
      query: scope,
    });
  }

  /** Returns the enforcement settings. `GET /_emulator/service-quotas/enforcement` */
  enforcement(): Promise<ServiceQuotaEnforcement> {
    return this.transport.json('GET /_emulator/service-quotas/enforcement');
  }

  /**
   * Changes the enforcement settings. `PUT /_emulator/service-quotas/enforcement`
   * @returns the new settings
   */
  setEnforcement(change: ServiceQuotaEnforcementChange): Promise<ServiceQuotaEnforcement> {
    return this.transport.json('PUT /_emulator/service-quotas/enforcement', { body: change });
  }

  /** Returns the approval mode of increase requests. `GET /_emulator/service-quotas/request-approval` */
  requestApproval(): Promise<ServiceQuotaRequestApproval> {
    return this.transport.json('GET /_emulator/service-quotas/request-approval');
  }

  /** Sets the approval mode of increase requests. `PUT /_emulator/service-quotas/request-approval` */
  setRequestApproval(mode: ServiceQuotaRequestApproval['mode']): Promise<ServiceQuotaRequestApproval> {
    return this.transport.json('PUT /_emulator/service-quotas/request-approval', { body: { mode } });
  }

  /**
   * Lists the increase requests of all accounts, newest first. `GET /_emulator/service-quotas/requests`
   * @param filter by account or status
   */
  requests(filter?: {
    accountId?: string;
    status?: ServiceQuotaRequestStatus;
  }): Promise<{ requests: ServiceQuotaRequest[] }> {
    return this.transport.json('GET /_emulator/service-quotas/requests', { query: filter });
  }

  /**
   * Approves an increase request. The applied value never falls. `POST /_emulator/service-quotas/requests/{id}/approve`
   * @throws ApiError 404 for an unknown request, 409 if AWS would no longer approve the value
   */
  approveRequest(id: string): Promise<ServiceQuotaRequest> {
    return this.transport.json('POST /_emulator/service-quotas/requests/{id}/approve', { params: { id } });
  }

  /**
   * Denies an increase request. The applied value does not change. `POST /_emulator/service-quotas/requests/{id}/deny`
   * @param status new status, by default `DENIED`
   * @throws ApiError 404 for an unknown request
   */
  denyRequest(id: string, status?: ServiceQuotaDenial): Promise<ServiceQuotaRequest> {
    return this.transport.json('POST /_emulator/service-quotas/requests/{id}/deny', {
      params: { id },
      body: status === undefined ? undefined : { status },
    });
  }
}

import type { Timestamp } from '../routes/common.ts';
import type { Route53Dnssec, Route53HealthStatus } from '../routes/route53.ts';
import { AreaControl } from './area.ts';

/** Control routes of Route 53. `ControlClient.dnsResolve` resolves names. */
export class Route53Control extends AreaControl {
  /**
   * Sets a health check to healthy or unhealthy. `POST /_emulator/route53/health-checks/{id}/status`
   * @throws ApiError 404 for an unknown health check
   */
  setHealthCheckStatus(
    id: string,
    status: Route53HealthStatus,
  ): Promise<{ healthCheckId: string; status: Route53HealthStatus }> {
    return this.transport.json('POST /_emulator/route53/health-checks/{id}/status', {
      params: { id },
      body: { status },
    });
  }

  /**
   * Returns the DNSSEC configuration of a zone. `GET /_emulator/route53/zones/{id}/dnssec`
   * @param zoneId without `/hostedzone/`
   * @throws ApiError 404 for an unknown zone
   */
  zoneDnssec(zoneId: string): Promise<Route53Dnssec> {
    return this.transport.json('GET /_emulator/route53/zones/{id}/dnssec', { params: { id: zoneId } });
  }

  /**
   * Signs the records of a zone. `POST /_emulator/route53/zones/{id}/dnssec/sign`
   * @param zoneId without `/hostedzone/`
   * @throws ApiError 404 for an unknown zone
   */
  signZone(zoneId: string): Promise<{ hostedZoneId: string; signedRecordSets: number; signedAt: Timestamp }> {
    return this.transport.json('POST /_emulator/route53/zones/{id}/dnssec/sign', { params: { id: zoneId } });
  }
}

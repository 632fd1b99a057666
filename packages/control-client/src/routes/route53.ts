import type { Timestamp } from '../records/common.ts';
import type { Route53Dnssec, Route53HealthStatus } from '../records/route53.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of Route 53. `ControlClient.dnsResolve` resolves names. */
export const route53 = {
  /**
   * Sets a health check to healthy or unhealthy. `POST /_emulator/route53/health-checks/{id}/status`
   * @throws ApiError 404 for an unknown health check
   */
  setHealthCheckStatus: json<{ healthCheckId: string; status: Route53HealthStatus }>()(
    'POST /_emulator/route53/health-checks/{id}/status',
    (id: string, status: Route53HealthStatus) => ({
      params: { id },
      body: { status },
    }),
  ),

  /**
   * Returns the DNSSEC configuration of a zone. `GET /_emulator/route53/zones/{id}/dnssec`
   * @param zoneId without `/hostedzone/`
   * @throws ApiError 404 for an unknown zone
   */
  zoneDnssec: json<Route53Dnssec>()('GET /_emulator/route53/zones/{id}/dnssec', (zoneId: string) => ({
    params: { id: zoneId },
  })),

  /**
   * Signs the records of a zone. `POST /_emulator/route53/zones/{id}/dnssec/sign`
   * @param zoneId without `/hostedzone/`
   * @throws ApiError 404 for an unknown zone
   */
  signZone: json<{ hostedZoneId: string; signedRecordSets: number; signedAt: Timestamp }>()(
    'POST /_emulator/route53/zones/{id}/dnssec/sign',
    (zoneId: string) => ({ params: { id: zoneId } }),
  ),
};

/** Methods for the control routes of Route 53. */
export interface Route53Control extends MethodsOf<typeof route53> {}

/** Control routes of Route 53 by name. */
export type Route53Routes = RoutesOf<typeof route53>;

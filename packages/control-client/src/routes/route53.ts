import type { Timestamp } from './common.ts';

/** Status of a health check. */
export type Route53HealthStatus = 'healthy' | 'unhealthy';

/** A key signing key of a zone. */
export interface Route53KeySigningKey {
  name: string;
  status: string;
  keyTag: number;
  /** e.g. `ECDSAP256SHA256`. */
  signingAlgorithm: string;
  /** Base64. */
  publicKey: string;
  /** DS record for the parent zone. */
  dsRecord: string;
  createdDate: Timestamp;
}

/** DNSSEC configuration of a zone. */
export interface Route53Dnssec {
  hostedZoneId: string;
  zoneName: string;
  /** e.g. `SIGNING` or `NOT_SIGNING`. */
  serveSignature: string;
  keySigningKeys: Route53KeySigningKey[];
  /** Time of the last signing; absent before the first. */
  signedAt?: Timestamp;
}

/** Control routes of Route 53, except name resolution. */
export interface Route53Routes {
  'POST /_emulator/route53/health-checks/{id}/status': {
    body: { status: Route53HealthStatus };
    response: { healthCheckId: string; status: Route53HealthStatus };
  };
  'GET /_emulator/route53/zones/{id}/dnssec': { response: Route53Dnssec };
  'POST /_emulator/route53/zones/{id}/dnssec/sign': {
    response: { hostedZoneId: string; signedRecordSets: number; signedAt: Timestamp };
  };
}

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

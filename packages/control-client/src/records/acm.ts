import type { Timestamp } from './common.ts';

/** Statuses of a certificate. */
export type AcmCertificateStatus =
  | 'PENDING_VALIDATION'
  | 'ISSUED'
  | 'INACTIVE'
  | 'EXPIRED'
  | 'VALIDATION_TIMED_OUT'
  | 'REVOKED'
  | 'FAILED';

/** Change of a certificate's status. */
export interface AcmCertificateStatusChange {
  status: AcmCertificateStatus;
  /** Shown by DescribeCertificate with the status `FAILED`, e.g. `CAA_ERROR`. */
  failureReason?: string;
}

/** A certificate's status after a change. */
export interface AcmCertificateStatusRecord {
  certificateArn: string;
  status: AcmCertificateStatus;
  failureReason?: string;
}

/** One certificate of a chain. */
export interface AcmChainCertificate {
  /** Distinguished name. */
  subject: string;
  /** Distinguished name. */
  issuer: string;
  serialNumber: string;
  notBefore: Timestamp;
  notAfter: Timestamp;
}

/** An issued certificate, as parsed from the X.509 certificate. */
export interface AcmChainInfo extends AcmChainCertificate {
  certificateArn: string;
  subjectAlternativeNames: string[];
  /** Issuers, nearest first. */
  chain: AcmChainCertificate[];
}

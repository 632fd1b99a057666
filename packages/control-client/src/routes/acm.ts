import type { Timestamp } from './common.ts';

/** States of a certificate. */
export type AcmCertificateStatus =
  | 'PENDING_VALIDATION'
  | 'ISSUED'
  | 'INACTIVE'
  | 'EXPIRED'
  | 'VALIDATION_TIMED_OUT'
  | 'REVOKED'
  | 'FAILED';

/** Gives a certificate a status. */
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

/** A certificate as it was issued, read from the X.509 certificate itself. */
export interface AcmChainInfo extends AcmChainCertificate {
  certificateArn: string;
  subjectAlternativeNames: string[];
  /** The issuers, nearest first. */
  chain: AcmChainCertificate[];
}

/** Control routes of ACM. A certificate is named by its ARN or by the id at the ARN's end. */
export interface AcmRoutes {
  'POST /_emulator/acm/certificates/{arn_or_id}/status': {
    body: AcmCertificateStatusChange;
    response: AcmCertificateStatusRecord;
  };
  'POST /_emulator/acm/certificates/{arn_or_id}/approve': { response: AcmCertificateStatusRecord };
  'GET /_emulator/acm/certificates/{arn_or_id}/chain-info': { response: AcmChainInfo };
}

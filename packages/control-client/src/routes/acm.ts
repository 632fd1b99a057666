import type { AcmCertificateStatusChange, AcmCertificateStatusRecord, AcmChainInfo } from '../records/acm.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of ACM. A certificate is named by its ARN or by the id at the end of the ARN. */
export const acm = {
  /**
   * Sets the status of a certificate. `POST /_emulator/acm/certificates/{arn_or_id}/status`
   * @param change the status and, for a failed certificate, the reason
   * @returns the certificate's new status
   * @throws ApiError 404 for an unknown certificate
   */
  setCertificateStatus: json<AcmCertificateStatusRecord>()(
    'POST /_emulator/acm/certificates/{arn_or_id}/status',
    (arnOrId: string, change: AcmCertificateStatusChange) => ({
      params: { arn_or_id: arnOrId },
      body: change,
    }),
  ),

  /**
   * Approves a certificate that is pending validation. `POST /_emulator/acm/certificates/{arn_or_id}/approve`
   * @returns the certificate's new status
   * @throws ApiError 404 for an unknown certificate
   */
  approveCertificate: json<AcmCertificateStatusRecord>()(
    'POST /_emulator/acm/certificates/{arn_or_id}/approve',
    (arnOrId: string) => ({
      params: { arn_or_id: arnOrId },
    }),
  ),

  /**
   * Returns subject, issuer, alternative names and validity of an issued certificate and its chain. `GET
   * /_emulator/acm/certificates/{arn_or_id}/chain-info`
   * @throws ApiError 404 for an unknown certificate
   */
  certificateChainInfo: json<AcmChainInfo>()(
    'GET /_emulator/acm/certificates/{arn_or_id}/chain-info',
    (arnOrId: string) => ({
      params: { arn_or_id: arnOrId },
    }),
  ),
};

/** Methods for the control routes of ACM. */
export interface AcmControl extends MethodsOf<typeof acm> {}

/** Control routes of ACM by name. */
export type AcmRoutes = RoutesOf<typeof acm>;

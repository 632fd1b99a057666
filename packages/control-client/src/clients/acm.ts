import type { AcmCertificateStatusChange, AcmCertificateStatusRecord, AcmChainInfo } from '../routes/acm.ts';
import { AreaControl } from './area.ts';

/** Control routes of ACM. A certificate is named by its ARN or by the id at the end of the ARN. */
export class AcmControl extends AreaControl {
  /**
   * Sets the status of a certificate. `POST /_emulator/acm/certificates/{arn_or_id}/status`
   * @param change the status and, for a failed certificate, the reason
   * @returns the certificate's new status
   * @throws ApiError 404 for an unknown certificate
   */
  setCertificateStatus(arnOrId: string, change: AcmCertificateStatusChange): Promise<AcmCertificateStatusRecord> {
    return this.transport.json('POST /_emulator/acm/certificates/{arn_or_id}/status', {
      params: { arn_or_id: arnOrId },
      body: change,
    });
  }

  /**
   * Approves a certificate that is pending validation. `POST /_emulator/acm/certificates/{arn_or_id}/approve`
   * @returns the certificate's new status
   * @throws ApiError 404 for an unknown certificate
   */
  approveCertificate(arnOrId: string): Promise<AcmCertificateStatusRecord> {
    return this.transport.json('POST /_emulator/acm/certificates/{arn_or_id}/approve', {
      params: { arn_or_id: arnOrId },
    });
  }

  /**
   * Returns subject, issuer, alternative names and validity of an issued certificate and its chain. `GET
   * /_emulator/acm/certificates/{arn_or_id}/chain-info`
   * @throws ApiError 404 for an unknown certificate
   */
  certificateChainInfo(arnOrId: string): Promise<AcmChainInfo> {
    return this.transport.json('GET /_emulator/acm/certificates/{arn_or_id}/chain-info', {
      params: { arn_or_id: arnOrId },
    });
  }
}

import type { CloudFrontDistribution, CloudFrontDistributionStatus } from '../routes/cloudfront.ts';
import { AreaControl } from './area.ts';

/** Control routes of CloudFront. */
export class CloudFrontControl extends AreaControl {
  /** Lists the distributions of all accounts. `GET /_emulator/cloudfront/distributions` */
  distributions(): Promise<{ distributions: CloudFrontDistribution[] }> {
    return this.transport.json('GET /_emulator/cloudfront/distributions');
  }

  /**
   * Sets the status of a distribution. `POST /_emulator/cloudfront/distributions/{id}/status`
   * @throws ApiError 404 for an unknown distribution
   */
  setDistributionStatus(
    id: string,
    status: CloudFrontDistributionStatus,
  ): Promise<{ id: string; status: CloudFrontDistributionStatus }> {
    return this.transport.json('POST /_emulator/cloudfront/distributions/{id}/status', {
      params: { id },
      body: { status },
    });
  }
}

import type { CloudFrontDistribution, CloudFrontDistributionStatus } from '../records/cloudfront.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of CloudFront. */
export const cloudfront = {
  /** Lists the distributions of all accounts. `GET /_emulator/cloudfront/distributions` */
  distributions: json<{ distributions: CloudFrontDistribution[] }>()('GET /_emulator/cloudfront/distributions'),

  /**
   * Sets the status of a distribution. `POST /_emulator/cloudfront/distributions/{id}/status`
   * @throws ApiError 404 for an unknown distribution
   */
  setDistributionStatus: json<{ id: string; status: CloudFrontDistributionStatus }>()(
    'POST /_emulator/cloudfront/distributions/{id}/status',
    (id: string, status: CloudFrontDistributionStatus) => ({
      params: { id },
      body: { status },
    }),
  ),
};

/** Methods for the control routes of CloudFront. */
export interface CloudFrontControl extends MethodsOf<typeof cloudfront> {}

/** Control routes of CloudFront by name. */
export type CloudFrontRoutes = RoutesOf<typeof cloudfront>;

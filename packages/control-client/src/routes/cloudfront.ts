/** A distribution of any account. */
export interface CloudFrontDistribution {
  id: string;
  /** Value of the `Host` header to reach the distribution on the emulator's port. */
  domainName: string;
  enabled: boolean;
  /** Whether it is enabled and serves requests. */
  served: boolean;
}

/** Statuses that can be set for a distribution. */
export type CloudFrontDistributionStatus = 'deployed' | 'in-progress' | 'failed';

/** Control routes of CloudFront. */
export interface CloudFrontRoutes {
  'GET /_emulator/cloudfront/distributions': { response: { distributions: CloudFrontDistribution[] } };
  'POST /_emulator/cloudfront/distributions/{id}/status': {
    body: { status: CloudFrontDistributionStatus };
    response: { id: string; status: CloudFrontDistributionStatus };
  };
}

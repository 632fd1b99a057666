/** A distribution of any account. */
export interface CloudFrontDistribution {
  id: string;
  /** To be sent as the `Host` header to reach the distribution on the emulator's own port. */
  domainName: string;
  enabled: boolean;
  /** Whether it is enabled and requests to it are served. */
  served: boolean;
}

/** States a distribution can be put in. */
export type CloudFrontDistributionStatus = 'deployed' | 'in-progress' | 'failed';

/** Control routes of CloudFront. */
export interface CloudFrontRoutes {
  'GET /_emulator/cloudfront/distributions': { response: { distributions: CloudFrontDistribution[] } };
  'POST /_emulator/cloudfront/distributions/{id}/status': {
    body: { status: CloudFrontDistributionStatus };
    response: { id: string; status: CloudFrontDistributionStatus };
  };
}

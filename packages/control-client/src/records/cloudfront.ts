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

import type {
  AbacStatus,
  AccelerateConfiguration,
  AnalyticsConfiguration,
  CORSRule,
  DefaultRetention,
  IntelligentTieringConfiguration,
  InventoryConfiguration,
  LifecycleRule,
  LoggingEnabled,
  MetricsConfiguration,
  NotificationConfiguration,
  ObjectOwnership,
  PublicAccessBlockConfiguration,
  ReplicationConfiguration,
  RequestPaymentConfiguration,
  ServerSideEncryptionRule,
  TransitionDefaultMinimumObjectSize,
  WebsiteConfiguration,
} from '@emu/service-types/s3';

/**
 * Bucket settings by subresource name, as given. Code that evaluates a setting reads it here; the operations that put
 * and get it are in `operations/`.
 */
export interface BucketConfigurations {
  abac?: AbacStatus;
  accelerate?: AccelerateConfiguration;
  analytics?: Record<string, AnalyticsConfiguration>;
  cors?: CORSRule[];
  encryption?: ServerSideEncryptionRule[];
  intelligentTiering?: Record<string, IntelligentTieringConfiguration>;
  inventory?: Record<string, InventoryConfiguration>;
  lifecycle?: { rules: LifecycleRule[]; minimumObjectSize: TransitionDefaultMinimumObjectSize };
  logging?: LoggingEnabled;
  metrics?: Record<string, MetricsConfiguration>;
  notification?: NotificationConfiguration;
  /** Default retention of new objects, in a bucket with object lock. */
  objectLock?: DefaultRetention;
  /** Undefined after deletion; new buckets have `BucketOwnerEnforced`. */
  ownership?: ObjectOwnership;
  /** JSON text as given. */
  policy?: string;
  /** Undefined after deletion; new buckets block all public access. */
  publicAccessBlock?: PublicAccessBlockConfiguration;
  replication?: ReplicationConfiguration;
  requestPayment?: RequestPaymentConfiguration;
  website?: WebsiteConfiguration;
}

/**
 * Returns the default settings of new buckets. @see
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/create-bucket-overview.html
 */
export function defaultConfigurations(): BucketConfigurations {
  return {
    ownership: 'BucketOwnerEnforced',
    publicAccessBlock: {
      BlockPublicAcls: true,
      IgnorePublicAcls: true,
      BlockPublicPolicy: true,
      RestrictPublicBuckets: true,
    },
  };
}

/** Restores dates that JSON converted to text: only lifecycle rules contain any. */
export function revived(configurations: BucketConfigurations): BucketConfigurations {
  for (const rule of configurations.lifecycle?.rules ?? [])
    for (const part of [rule.Expiration, ...(rule.Transitions ?? [])])
      if (part?.Date !== undefined) part.Date = new Date(part.Date);
  return configurations;
}

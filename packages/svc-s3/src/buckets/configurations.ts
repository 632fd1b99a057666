import type {
  AbacStatus,
  AccelerateConfiguration,
  AnalyticsConfiguration,
  CORSRule,
  DefaultRetention,
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
 * Settings of a bucket by the name of their subresource, as they were put. Whatever evaluates one reads it here; the
 * operations that put and get them are under `operations/`.
 */
export interface BucketConfigurations {
  abac?: AbacStatus;
  accelerate?: AccelerateConfiguration;
  analytics?: Record<string, AnalyticsConfiguration>;
  cors?: CORSRule[];
  encryption?: ServerSideEncryptionRule[];
  inventory?: Record<string, InventoryConfiguration>;
  lifecycle?: { rules: LifecycleRule[]; minimumObjectSize: TransitionDefaultMinimumObjectSize };
  logging?: LoggingEnabled;
  metrics?: Record<string, MetricsConfiguration>;
  notification?: NotificationConfiguration;
  /** Retention of new objects, in a bucket with object lock. */
  objectLock?: DefaultRetention;
  /** Undefined once it was deleted; new buckets have `BucketOwnerEnforced`. */
  ownership?: ObjectOwnership;
  /** The JSON text, as it was put. */
  policy?: string;
  /** Undefined once it was deleted; new buckets block everything. */
  publicAccessBlock?: PublicAccessBlockConfiguration;
  replication?: ReplicationConfiguration;
  requestPayment?: RequestPaymentConfiguration;
  website?: WebsiteConfiguration;
}

/** What AWS gives a new bucket. @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/create-bucket-overview.html */
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

/** Turns dates that JSON made texts of back into dates: only lifecycle rules have any. */
export function revived(configurations: BucketConfigurations): BucketConfigurations {
  for (const rule of configurations.lifecycle?.rules ?? [])
    for (const part of [rule.Expiration, ...(rule.Transitions ?? [])])
      if (part?.Date !== undefined) part.Date = new Date(part.Date);
  return configurations;
}

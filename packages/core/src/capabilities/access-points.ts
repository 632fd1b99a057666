import { type Capability, defineCapability } from '../base/capability.ts';

/** Settings of S3 Block Public Access. @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_control_PublicAccessBlockConfiguration.html */
export interface PublicAccessSettings {
  readonly BlockPublicAcls: boolean;
  readonly IgnorePublicAcls: boolean;
  readonly BlockPublicPolicy: boolean;
  readonly RestrictPublicBuckets: boolean;
}

/** What every kind of access point has. */
interface AnyAccessPoint {
  readonly arn: string;
  readonly name: string;
  /** Account that the access point, not necessarily its bucket, belongs to. */
  readonly accountId: string;
  readonly alias: string;
  /** JSON text of its policy; undefined where it has none. */
  readonly policy: string | undefined;
  readonly publicAccessBlock: PublicAccessSettings;
}

/** An access point of one bucket. */
export interface BucketAccessPoint extends AnyAccessPoint {
  readonly kind: 'access-point';
  readonly region: string;
  readonly bucket: string;
  readonly bucketAccountId: string;
  readonly networkOrigin: 'Internet' | 'VPC';
  readonly vpcId: string | undefined;
  /** What alone may be done through it; undefined where it is not limited. */
  readonly scope: { readonly prefixes: readonly string[]; readonly permissions: readonly string[] } | undefined;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** An access point whose answers a Lambda function transforms. */
export interface ObjectLambdaAccessPoint extends AnyAccessPoint {
  readonly kind: 'object-lambda';
  readonly region: string;
  readonly supportingAccessPoint: string;
  /** E.g. `GetObject-Range`. */
  readonly allowedFeatures: readonly string[];
  readonly transformations: readonly {
    /** Operations that the function transforms, e.g. `GetObject`. */
    readonly actions: readonly string[];
    readonly functionArn: string;
    readonly payload: string | undefined;
  }[];
}

/** An access point that routes to buckets in several regions. */
export interface MultiRegionAccessPoint extends AnyAccessPoint {
  readonly kind: 'multi-region';
  /** @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/MultiRegionAccessPointRequestRouting.html */
  readonly routes: readonly {
    readonly bucket: string;
    readonly region: string;
    /** Whether requests are routed to it: its traffic dial is at 100. */
    readonly active: boolean;
  }[];
}

export type AccessPointEntry = BucketAccessPoint | ObjectLambdaAccessPoint | MultiRegionAccessPoint;

/** What S3 Control knows, for S3: by which names buckets are reached, and what accounts keep from being public. */
export interface AccessPointDirectory {
  /**
   * @param name an ARN, an alias, or `<name>-<account>` as in the names of access points' hosts
   * @param region region of the request, which the last form does not say
   */
  find(name: string, region: string): AccessPointEntry | undefined;
  /** Every access point of a bucket. */
  all(): Iterable<BucketAccessPoint>;
  /** The public access block of an account; undefined where it has none. */
  publicAccessBlock(accountId: string, partition: string): PublicAccessSettings | undefined;
}

/** Access points of S3 and what accounts block from being public. */
export const accessPointDirectory: Capability<AccessPointDirectory> = defineCapability('access points');

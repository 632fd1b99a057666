import { type Capability, defineCapability } from '../base/capability.ts';

/** Settings of S3 Block Public Access. @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_control_PublicAccessBlockConfiguration.html */
export interface PublicAccessSettings {
  readonly BlockPublicAcls: boolean;
  readonly IgnorePublicAcls: boolean;
  readonly BlockPublicPolicy: boolean;
  readonly RestrictPublicBuckets: boolean;
}

/** Common fields of all kinds of access points. */
interface AnyAccessPoint {
  readonly arn: string;
  readonly name: string;
  /** Account of the access point, which may differ from the bucket's. */
  readonly accountId: string;
  readonly alias: string;
  /** JSON text of its policy, if any. */
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
  readonly tags: readonly { readonly Key: string; readonly Value: string }[];
  /** Allowed object prefixes and operations; undefined for no limit. */
  readonly scope: { readonly prefixes: readonly string[]; readonly permissions: readonly string[] } | undefined;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** An access point whose responses a Lambda function transforms. */
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
    /** Whether requests are routed to it: its traffic dial is 100. */
    readonly active: boolean;
  }[];
}

export type AccessPointEntry = BucketAccessPoint | ObjectLambdaAccessPoint | MultiRegionAccessPoint;

/** S3 Control's data for S3: access points of buckets, and public access blocks of accounts. */
export interface AccessPointDirectory {
  /**
   * @param name an ARN, an alias, or `<name>-<account>` as in the names of access points' hosts
   * @param region region of the request, which the last form lacks
   */
  find(name: string, region: string): AccessPointEntry | undefined;
  /** Returns the access points of a bucket. */
  all(): Iterable<BucketAccessPoint>;
  /** Returns the public access block of an account, if any. */
  publicAccessBlock(accountId: string, partition: string): PublicAccessSettings | undefined;
}

/** Access points of S3 and public access blocks of accounts. */
export const accessPointDirectory: Capability<AccessPointDirectory> = defineCapability('access points');

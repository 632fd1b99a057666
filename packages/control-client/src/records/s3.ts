import type { Located, Timestamp } from './common.ts';

/** A notification that a bucket sent. */
export interface S3Notification extends Located {
  bucket: string;
  key: string;
  /** e.g. `ObjectCreated:Put`. */
  eventName: string;
  versionId?: string;
  eTag?: string;
  /** Bytes. */
  size?: number;
  /** Id of the matching notification configuration. */
  configurationId: string;
  /** ARN of the queue, topic or function; `eventbridge` for EventBridge. */
  destination: string;
  status: 'delivered' | 'failed';
  error?: string;
  timestamp: Timestamp;
}

/** Result of one evaluation of lifecycle rules. */
export interface S3LifecycleTickResult {
  processedBuckets: number;
  expiredObjects: number;
  transitionedObjects: number;
  expiredDeleteMarkers: number;
  abortedMultipartUploads: number;
}

/** An access point. */
export interface S3AccessPoint extends Located {
  name: string;
  arn: string;
  alias: string;
  bucket: string;
  networkOrigin: 'Internet' | 'VPC';
  vpcId?: string;
  createdAt: Timestamp;
}

/** A response of an Object Lambda function. */
export interface S3ObjectLambdaResponse {
  requestRoute: string;
  requestToken: string;
  statusCode: number;
  contentType?: string;
  metadata: Record<string, string>;
  /** Base64. */
  body: string;
  errorCode?: string;
  errorMessage?: string;
  timestamp: Timestamp;
}

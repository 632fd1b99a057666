import type { ResourceUrl } from '../records/common.ts';
import type { S3AccessPoint, S3LifecycleTickResult, S3Notification, S3ObjectLambdaResponse } from '../records/s3.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of S3. */
export const s3 = {
  /** Lists the notifications that buckets sent, oldest first. `GET /_emulator/s3/notifications` */
  notifications: json<{ notifications: S3Notification[] }>()('GET /_emulator/s3/notifications'),

  /** Lists the local addresses of all websites of buckets. `GET /_emulator/s3/urls` */
  urls: json<{ urls: ResourceUrl[] }>()('GET /_emulator/s3/urls'),

  /** Evaluates lifecycle rules once. `POST /_emulator/s3/lifecycle-processor/tick` */
  lifecycleTick: json<S3LifecycleTickResult>()('POST /_emulator/s3/lifecycle-processor/tick'),

  /** Lists the access points of all accounts. `GET /_emulator/s3/access-points` */
  accessPoints: json<{ accessPoints: S3AccessPoint[] }>()('GET /_emulator/s3/access-points'),

  /** Lists the responses of Object Lambda functions. `GET /_emulator/s3/object-lambda-responses` */
  objectLambdaResponses: json<{ responses: S3ObjectLambdaResponse[] }>()('GET /_emulator/s3/object-lambda-responses'),
};

/** Methods for the control routes of S3. */
export interface S3Control extends MethodsOf<typeof s3> {}

/** Control routes of S3 by name. */
export type S3Routes = RoutesOf<typeof s3>;

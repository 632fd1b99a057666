import type { S3AccessPoint, S3LifecycleTickResult, S3Notification, S3ObjectLambdaResponse } from '../routes/s3.ts';
import { AreaControl } from './area.ts';

/** Control routes of S3. */
export class S3Control extends AreaControl {
  /** Lists the notifications that buckets sent, oldest first. `GET /_emulator/s3/notifications` */
  notifications(): Promise<{ notifications: S3Notification[] }> {
    return this.transport.json('GET /_emulator/s3/notifications');
  }

  /** Evaluates lifecycle rules once. `POST /_emulator/s3/lifecycle-processor/tick` */
  lifecycleTick(): Promise<S3LifecycleTickResult> {
    return this.transport.json('POST /_emulator/s3/lifecycle-processor/tick');
  }

  /** Lists the access points of all accounts. `GET /_emulator/s3/access-points` */
  accessPoints(): Promise<{ accessPoints: S3AccessPoint[] }> {
    return this.transport.json('GET /_emulator/s3/access-points');
  }

  /** Lists the responses of Object Lambda functions. `GET /_emulator/s3/object-lambda-responses` */
  objectLambdaResponses(): Promise<{ responses: S3ObjectLambdaResponse[] }> {
    return this.transport.json('GET /_emulator/s3/object-lambda-responses');
  }
}

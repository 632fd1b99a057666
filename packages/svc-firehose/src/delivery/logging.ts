import type { DeepReadonly } from '@emu/core/service';
import type { CloudWatchLoggingOptions } from '@emu/service-types/firehose';
import { asRole } from '../destinations/s3.ts';
import type { DeliveryScope, DeliveryStream } from '../registry.ts';

/** A delivery failure. */
export interface Failure {
  /** e.g. `S3.NoSuchBucket`. */
  code: string;
  message: string;
  /** ARN of the bucket, or URL. */
  destination: string;
  /** ARN of the failed function. */
  processor?: string;
}

/** Logging options and role of a failure's log. */
interface Logged {
  readonly RoleARN?: string | undefined;
  readonly CloudWatchLoggingOptions?: DeepReadonly<CloudWatchLoggingOptions> | undefined;
}

/**
 * Writes a failure to CloudWatch Logs, if the destination has logging enabled.
 * @see https://docs.aws.amazon.com/firehose/latest/dev/monitoring-with-cloudwatch-logs.html
 */
export async function reportFailure(
  state: DeliveryScope,
  stream: DeliveryStream,
  { RoleARN, CloudWatchLoggingOptions: options }: Logged,
  { code, message, destination, processor }: Failure,
): Promise<void> {
  state.log.warn(`the delivery stream ${stream.name} cannot deliver to ${destination}: ${code}: ${message}`);
  if (!options?.Enabled) return;
  const { LogGroupName: logGroupName, LogStreamName: logStreamName } = options;
  const text = JSON.stringify({
    deliveryStreamARN: state.arnOf(stream.name),
    destination,
    deliveryStreamVersionId: stream.version,
    message,
    errorCode: code,
    ...(processor !== undefined && { processor }),
  });
  const logEvents = [{ timestamp: Math.floor(state.clock.now()), message: text }];
  try {
    await state.call(
      'logs',
      'PutLogEvents',
      { logGroupName: logGroupName!, logStreamName: logStreamName!, logEvents },
      RoleARN === undefined ? {} : asRole(RoleARN, stream),
    );
  } catch (error) {
    state.log.warn(`the delivery stream ${stream.name} cannot write to the log group ${logGroupName}`, { error });
  }
}

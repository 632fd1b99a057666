import {
  type Clock,
  type Collection,
  type Ids,
  type Logger,
  logWriter,
  parseArn,
  type ServiceCaller,
  type ServiceHandle,
} from '@emu/core/service';
import type { EventSourceName, LogConfigurationType, LogLevel } from '@emu/service-types/cognito-idp';
import type { LogDeliveryRecord } from '../records.ts';

/** Source names in log events. */
const NAMES: Readonly<Record<EventSourceName, string>> = {
  userNotification: 'USER_NOTIFICATION',
  userAuthEvents: 'USER_ACTIVITY',
};

/** State whose pools export logs. */
export interface LogHost {
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly service: ServiceHandle;
  readonly call: ServiceCaller['call'];
  readonly logDeliveries: Collection<LogDeliveryRecord>;
}

/** Maximum number of pending log events; further ones are dropped. */
const MAX_WAITING = 1_000;

/**
 * Delivers pools' log events to CloudWatch Logs, S3 and Firehose, in order and in the background.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/exporting-quotas-and-usage.html
 */
export class LogDeliveries {
  private last: Promise<void> = Promise.resolve();
  private waiting = 0;

  constructor(private readonly state: LogHost) {}

  /** Whether a pool has a destination for a log source. */
  wants(poolId: string, source: EventSourceName): boolean {
    return this.configurationOf(poolId, source) !== undefined;
  }

  /** Logs an event if the pool has a destination for it. */
  log(poolId: string, source: EventSourceName, logLevel: LogLevel, message: Readonly<Record<string, unknown>>): void {
    const configuration = this.configurationOf(poolId, source);
    if (!configuration || this.waiting >= MAX_WAITING) return;
    const at = this.state.clock.now();
    const text = JSON.stringify({
      eventTimestamp: String(at),
      eventSource: NAMES[source],
      logLevel,
      message,
      logSourceId: { userPoolId: poolId },
    });
    this.waiting++;
    this.last = this.last
      .then(() => this.deliver(configuration, poolId, at, text))
      .catch((error: unknown) => {
        this.state.log.warn(`A log event of the user pool ${poolId} was not delivered: ${(error as Error).message}`);
      })
      .finally(() => {
        this.waiting--;
      });
  }

  private configurationOf(poolId: string, source: EventSourceName): LogConfigurationType | undefined {
    const record = this.state.logDeliveries.get(poolId);
    return record?.configurations.find(({ EventSource }) => EventSource === source) as LogConfigurationType | undefined;
  }

  private async deliver(
    { CloudWatchLogsConfiguration: logs, S3Configuration: s3, FirehoseConfiguration: firehose }: LogConfigurationType,
    poolId: string,
    timestamp: number,
    message: string,
  ): Promise<void> {
    const { state } = this;
    if (logs?.LogGroupArn !== undefined) {
      const { accountId, region, resource } = parseArn(logs.LogGroupArn)!;
      const writer = await state.service.capability(logWriter);
      const place = { accountId, region, group: resource.split(':')[1]!, stream: poolId };
      await writer?.write(place, [{ timestamp, message }]);
    }
    if (s3?.BucketArn !== undefined) {
      const Key = `AWSLogs/${state.accountId}/CognitoUserPools/${state.region}/${poolId}/${timestamp}_${state.ids.hex(8)}.log`;
      await state.call('s3', 'PutObject', {
        Bucket: parseArn(s3.BucketArn)!.resource,
        Key,
        Body: Buffer.from(message),
      });
    }
    if (firehose?.StreamArn !== undefined) {
      const { accountId, region, resource } = parseArn(firehose.StreamArn)!;
      const record = { DeliveryStreamName: resource.split('/')[1]!, Record: { Data: Buffer.from(`${message}\n`) } };
      await state.call('firehose', 'PutRecord', record, { accountId, region });
    }
  }
}

import { createHash } from 'node:crypto';
import {
  type CallOptions,
  type Clock,
  type DeepReadonly,
  type Ids,
  roleSessionPrincipal,
  ServiceRole,
} from '@emu/core/service';
import { AwsError } from '@emu/wire';
import type { Caller, Outcome } from '../messages/outcome.ts';
import type { Platform } from '../mobile/platform.ts';
import { type SmsSender, smsParts } from '../mobile/sms-delivery.ts';
import type { StoredMessage } from '../records.ts';
import type { Subscriber } from '../subscriptions/subscriber.ts';
import { type Feedback, feedbackOfApplication } from '../topics/feedback.ts';

const SESSION = 'SNSFeedback';
/** Roles that write delivery status logs. */
const feedbackRole = new ServiceRole({ service: 'sns', session: SESSION });
/** Limit of remembered log streams. */
const MAX_STREAMS = 1000;

/** Account and region of the topics. */
export interface StatusLogScope extends Caller, Pick<SmsSender, 'smsAttributes'> {
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly platform: Platform;
}

/** A finished delivery. */
export interface FinishedDelivery {
  readonly message: DeepReadonly<StoredMessage>;
  readonly outcome: Outcome;
  readonly attempts: number;
}

/** A delivery to a log group. */
interface Logged {
  readonly feedback: Feedback | undefined;
  /** Log group of successes; that of failures has `/Failure` in addition. */
  readonly group: string;
  readonly message: DeepReadonly<StoredMessage>;
  readonly outcome: Outcome;
  /** ARN of the resource with the setting, for the trust policy of the role. */
  readonly sourceArn?: string;
  /** Returns AWS's record. */
  record(): object;
}

/**
 * Delivery status logs: CloudWatch Logs that SNS writes with the roles in the attributes of a topic, a platform
 * application, or an account's SMS.
 * @see https://docs.aws.amazon.com/sns/latest/dg/sns-topic-attributes.html
 */
export class StatusLog {
  /** Current stream of each log group. */
  private readonly streams = new Map<string, string>();

  constructor(private readonly scope: StatusLogScope) {}

  /** Logs a finished delivery if its topic has a role for it. A role without permissions leads to a warning only. */
  async add(subscriber: Subscriber, delivery: FinishedDelivery): Promise<void> {
    const { feedback, topic, record } = subscriber;
    const { message, outcome } = delivery;
    await this.log({
      feedback,
      group: `sns/${topic.region}/${topic.accountId}/${topic.name}`,
      message,
      outcome,
      sourceArn: topic.arn,
      record: () => this.recordOf(subscriber, delivery),
    });
    if (record.protocol === 'application') await this.addPush(record.endpoint, message, outcome);
  }

  /**
   * Logs the delivery of a push notification if its platform application has a role for it.
   * @see https://docs.aws.amazon.com/sns/latest/dg/sns-msg-status.html
   */
  async addPush(endpointArn: string, message: DeepReadonly<StoredMessage>, outcome: Outcome): Promise<void> {
    const { accountId, region, platform } = this.scope;
    const endpoint = platform.endpointAt(endpointArn);
    const application = endpoint && platform.application(endpoint.application);
    if (!application) return;
    await this.log({
      feedback: feedbackOfApplication(application.attributes),
      group: `sns/${region}/${accountId}/app/${endpoint.application}`,
      message,
      outcome,
      sourceArn: endpointArn.slice(0, endpointArn.lastIndexOf('/')).replace(':endpoint/', ':app/'),
      record: () => ({
        status: statusOf(outcome),
        notification: { timestamp: timestampOf(message), messageId: message.id },
        delivery: {
          statusCode: outcome.delivered ? 200 : 400,
          dwellTimeMs: 0,
          token: endpoint.attributes.Token,
          attempts: 1,
          providerResponse: outcome.delivered ? '' : outcome.error,
          destination: endpointArn,
        },
      }),
    });
  }

  /**
   * Logs an SMS to a phone number if the account has a role for it.
   * @see https://docs.aws.amazon.com/sns/latest/dg/sms_stats_cloudwatch.html
   */
  async addSms(
    phoneNumber: string,
    sms: { readonly text: string; readonly type: string },
    message: DeepReadonly<StoredMessage>,
    outcome: Outcome,
  ): Promise<void> {
    const { accountId, region, smsAttributes: attributes } = this.scope;
    const { DeliveryStatusIAMRole: role, DeliveryStatusSuccessSamplingRate: rate } = attributes;
    await this.log({
      feedback: role ? { successRole: role, failureRole: role, sampleRate: Number(rate || 100) } : undefined,
      group: `sns/${region}/${accountId}/DirectPublishToPhoneNumber`,
      message,
      outcome,
      record: () => ({
        notification: { messageId: message.id, timestamp: timestampOf(message) },
        delivery: {
          mnc: 0,
          numberOfMessageParts: smsParts(sms.text),
          destination: phoneNumber,
          priceInUSD: 0,
          smsType: sms.type,
          mcc: 0,
          providerResponse: outcome.delivered ? 'Message has been accepted by phone carrier' : outcome.error,
          dwellTimeMs: 0,
          dwellTimeMsUntilDeviceAck: 0,
        },
        status: statusOf(outcome),
      }),
    });
  }

  private async log({ feedback, group: successes, message, outcome, sourceArn, record }: Logged): Promise<void> {
    const { delivered } = outcome;
    const role = delivered ? feedback?.successRole : feedback?.failureRole;
    if (!feedback || role === undefined) return;
    const { scope } = this;
    if (delivered && scope.ids.random() * 100 >= feedback.sampleRate) return;
    const group = `${successes}${delivered ? '' : '/Failure'}`;
    try {
      const { cause } = message;
      await feedbackRole.check(role, scope, { ...(sourceArn !== undefined && { sourceArn }), cause });
      const options = { principal: roleSessionPrincipal(role, SESSION), authorize: {}, cause };
      await this.write(group, JSON.stringify(record()), options);
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      scope.log.warn(`a delivery status of SNS could not be logged: ${error.code}: ${error.message}`, { group, role });
    }
  }

  /** Returns AWS's record of a delivery. Those of functions have no number of attempts. */
  private recordOf({ record, topic }: Subscriber, { message, outcome, attempts }: FinishedDelivery): object {
    const { response, sentAt = this.scope.clock.now() } = outcome;
    return {
      notification: {
        messageMD5Sum: createHash('md5').update(message.text).digest('hex'),
        messageId: message.id,
        topicArn: topic.arn,
        timestamp: timestampOf(message),
      },
      delivery: {
        deliveryId: this.scope.ids.uuid(),
        destination: record.endpoint,
        providerResponse: response?.text ?? (outcome.delivered ? '' : outcome.error),
        dwellTimeMs: sentAt - message.publishedAt,
        ...(record.protocol !== 'lambda' && { attempts }),
        ...(response?.statusCode !== undefined && { statusCode: response.statusCode }),
      },
      status: statusOf(outcome),
    };
  }

  private async write(logGroupName: string, message: string, options: CallOptions): Promise<void> {
    const { scope } = this;
    const timestamp = scope.clock.now();
    const put = (logStreamName: string) =>
      scope.call('logs', 'PutLogEvents', { logGroupName, logStreamName, logEvents: [{ timestamp, message }] }, options);
    const stream = this.streams.get(logGroupName);
    if (stream !== undefined && (await unlessMissing(put(stream)))) return;
    const logStreamName = scope.ids.uuid();
    const create = () => scope.call('logs', 'CreateLogStream', { logGroupName, logStreamName }, options);
    if (!(await unlessMissing(create()))) {
      await scope.call('logs', 'CreateLogGroup', { logGroupName }, options);
      await create();
    }
    if (this.streams.size >= MAX_STREAMS) this.streams.clear();
    this.streams.set(logGroupName, logStreamName);
    await put(logStreamName);
  }
}

const statusOf = ({ delivered }: Outcome): string => (delivered ? 'SUCCESS' : 'FAILURE');

/** Returns the time of publication, e.g. `2026-01-31 12:00:00.000`. */
const timestampOf = ({ publishedAt }: DeepReadonly<StoredMessage>): string =>
  new Date(publishedAt).toISOString().replace('T', ' ').slice(0, -1);

/** Whether a call found its log group and stream. */
async function unlessMissing(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof AwsError && error.code === 'ResourceNotFoundException') return false;
    throw error;
  }
}

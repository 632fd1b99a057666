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
import type { StoredMessage } from '../records.ts';
import type { Subscriber } from '../subscriptions/subscriber.ts';

const SESSION = 'SNSFeedback';
/** Roles that write delivery status logs. */
const feedbackRole = new ServiceRole({ service: 'sns', session: SESSION });
/** Limit of remembered log streams. */
const MAX_STREAMS = 1000;

/** Account and region of the topics. */
export interface StatusLogScope extends Caller {
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** A finished delivery. */
export interface FinishedDelivery {
  readonly message: DeepReadonly<StoredMessage>;
  readonly outcome: Outcome;
  readonly attempts: number;
}

/**
 * Delivery status logs of topics: CloudWatch Logs that SNS writes with the roles in the attributes of a topic.
 * @see https://docs.aws.amazon.com/sns/latest/dg/sns-topic-attributes.html
 */
export class StatusLog {
  /** Current stream of each log group. */
  private readonly streams = new Map<string, string>();

  constructor(private readonly scope: StatusLogScope) {}

  /** Logs a finished delivery if its topic has a role for it. A role without permissions leads to a warning only. */
  async add(subscriber: Subscriber, delivery: FinishedDelivery): Promise<void> {
    const { feedback, topic } = subscriber;
    const { delivered } = delivery.outcome;
    const role = delivered ? feedback?.successRole : feedback?.failureRole;
    if (!feedback || role === undefined) return;
    const { scope } = this;
    if (delivered && scope.ids.random() * 100 >= feedback.sampleRate) return;
    const group = `sns/${topic.region}/${topic.accountId}/${topic.name}${delivered ? '' : '/Failure'}`;
    try {
      const { cause } = delivery.message;
      await feedbackRole.check(role, scope, { sourceArn: topic.arn, cause });
      const options = { principal: roleSessionPrincipal(role, SESSION), authorize: {}, cause };
      await this.write(group, JSON.stringify(this.recordOf(subscriber, delivery)), options);
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
        timestamp: new Date(message.publishedAt).toISOString().replace('T', ' ').slice(0, -1),
      },
      delivery: {
        deliveryId: this.scope.ids.uuid(),
        destination: record.endpoint,
        providerResponse: response?.text ?? (outcome.delivered ? '' : outcome.error),
        dwellTimeMs: sentAt - message.publishedAt,
        ...(record.protocol !== 'lambda' && { attempts }),
        ...(response?.statusCode !== undefined && { statusCode: response.statusCode }),
      },
      status: outcome.delivered ? 'SUCCESS' : 'FAILURE',
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

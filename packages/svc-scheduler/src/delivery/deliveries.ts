import {
  type CallOptions,
  type Collection,
  type DeepReadonly,
  DueTimers,
  type InterruptedWork,
  interruptedRecords,
  parseArn,
  roleSessionPrincipal,
  type StateScope,
  type Worker,
} from '@emu/core/service';
import type { DeliveryRecord } from '../records.ts';
import { scheduleType } from '../resources.ts';
import { scheduleKey } from '../schedule-key.ts';
import { type InvocationFacts, timeText } from '../targets/input.ts';
import { requestFor } from '../targets/request.ts';
import { parametersFor, universalArn } from '../targets/universal.ts';
import { type Exhausted, type Failure, failureOf, failureOfEntries, nextAttempt } from './retries.ts';

type Delivery = DeepReadonly<DeliveryRecord>;

/** Outcome of a delivery. */
export interface Outcome {
  status: 'delivered' | 'failed' | 'dead-lettered';
  error?: { code: string; message: string };
}

/** Calls targets and retries failed calls by their retry policies. Undeliverable events go to the dead-letter queue. */
export class Deliveries implements Worker {
  private readonly timers: DueTimers;
  private closed = false;

  /** @param ended called after each delivery, whether it succeeded or failed */
  constructor(
    private readonly scope: StateScope,
    private readonly records: Collection<DeliveryRecord>,
    private readonly ended: (delivery: Delivery) => void,
  ) {
    this.timers = new DueTimers(scope.clock);
  }

  interrupted(): InterruptedWork[] {
    return interruptedRecords(this.records, {
      name: ({ executionId }) => `delivery ${executionId}`,
      resume: (delivery) => {
        if (delivery.dueAt <= this.scope.clock.now()) return this.run(delivery);
        this.wait(delivery);
        return Promise.resolve();
      },
      fail: (delivery, message) => this.giveUp(delivery, message),
    });
  }

  private async giveUp(delivery: Delivery, message: string): Promise<void> {
    const failure = { code: 'AWS.Scheduler.InternalServerError', message, retryable: false };
    await this.end({ ...delivery, attempts: delivery.attempts + 1 }, failure, undefined);
  }

  close(): void {
    this.closed = true;
  }

  /** Whether a schedule has a delivery in progress. */
  has(group: string, name: string): boolean {
    for (const delivery of this.records.values()) if (delivery.group === group && delivery.name === name) return true;
    return false;
  }

  /** Starts a delivery. It is recorded before this function returns its promise, so that a restart does not lose it. */
  begin(delivery: DeliveryRecord): Promise<void> {
    return this.run(this.records.put(delivery.executionId, delivery));
  }

  /** Calls a target once, without retries. A failure becomes a dead letter immediately. */
  async once(delivery: DeliveryRecord): Promise<Outcome> {
    const failure = await this.attempt(delivery);
    if (!failure) return { status: 'delivered' };
    const buried = await this.sendDeadLetter({ ...delivery, attempts: 1 }, failure, undefined);
    const { code, message } = failure;
    return { status: buried ? 'dead-lettered' : 'failed', error: { code, message } };
  }

  private wait(delivery: Delivery): void {
    this.timers.set(delivery.executionId, delivery.dueAt, () => this.run(delivery));
  }

  private async run(delivery: Delivery): Promise<void> {
    const failure = await this.attempt(delivery);
    // After the state has ended, the next state continues the delivery.
    if (this.closed) return;
    if (failure) {
      const failed: DeliveryRecord = { ...(delivery as DeliveryRecord), attempts: delivery.attempts + 1 };
      const next = failure.retryable ? nextAttempt(failed, this.scope.clock.now()) : undefined;
      if (typeof next === 'number') {
        this.wait(this.records.put(delivery.executionId, { ...failed, dueAt: next }));
        return;
      }
      await this.end(failed, failure, next);
      return;
    }
    this.records.delete(delivery.executionId);
    this.ended(delivery);
  }

  /** Ends a failed delivery. */
  private async end(delivery: Delivery, failure: Failure, exhausted: Exhausted | undefined): Promise<void> {
    await this.sendDeadLetter(delivery, failure, exhausted);
    if (this.closed) return;
    this.records.delete(delivery.executionId);
    this.ended(delivery);
  }

  /** Returns the caller of the target: the target's role, whose permissions apply. */
  private optionsFor({ target, executionId, cause }: Delivery): CallOptions {
    return { principal: roleSessionPrincipal(target.RoleArn, executionId), authorize: {}, cause };
  }

  private factsOf({ group, name, executionId, scheduledAt, attempts }: Delivery): InvocationFacts {
    const { accountId, region } = this.scope;
    return { accountId, region, group, name, executionId, scheduledAt, attempt: attempts + 1 };
  }

  /** Calls the target. @returns the failure, if any */
  private async attempt(delivery: Delivery): Promise<Failure | undefined> {
    const options = this.optionsFor(delivery);
    try {
      const { group, name, encryption } = delivery;
      const scheduleArn = scheduleType.arn({ group, name }, this.scope);
      if (encryption) await scheduleKey.decrypt(encryption, scheduleArn, this.scope, options);
      const { isUniversal, service, operation, parameters, accountId, region } = requestFor(
        delivery,
        this.factsOf(delivery),
      );
      const input = isUniversal
        ? parametersFor(await this.scope.service.modelOf(service), service, operation, parameters, this.scope.ids)
        : parameters;
      const answer = await this.scope.callJson(service, operation, input, { ...options, accountId, region });
      return failureOfEntries(answer);
    } catch (error) {
      return failureOf(error);
    }
  }

  /**
   * Sends a dead letter. @returns whether a dead-letter queue is configured and accepted the message
   * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/configuring-schedule-dlq.html
   */
  private async sendDeadLetter(
    delivery: Delivery,
    failure: Failure,
    exhausted: Exhausted | undefined,
  ): Promise<boolean> {
    const queue = delivery.target.DeadLetterConfig?.Arn;
    const arn = queue === undefined ? undefined : parseArn(queue);
    if (!arn) return false;
    const { group, name } = delivery;
    const text = (StringValue: string) => ({ DataType: 'String', StringValue });
    try {
      const last = this.factsOf({ ...delivery, attempts: delivery.attempts - 1 });
      const { payload, universal } = requestFor(delivery, last);
      await this.scope.call(
        'sqs',
        'SendMessage',
        {
          QueueUrl: `http://sqs.${arn.region}/${arn.accountId}/${arn.resource}`,
          MessageBody: payload,
          MessageAttributes: {
            ERROR_CODE: text(failure.code),
            ERROR_MESSAGE: text(failure.message || failure.code),
            EXECUTION_ID: text(delivery.executionId),
            ...(exhausted !== undefined && { EXHAUSTED_RETRY_CONDITION: text(exhausted) }),
            IS_PAYLOAD_TRUNCATED: text('false'),
            RETRY_ATTEMPTS: text(String(delivery.attempts - 1)),
            SCHEDULED_TIME: text(timeText(delivery.scheduledAt)),
            SCHEDULE_ARN: text(scheduleType.arn({ group, name }, this.scope)),
            TARGET_ARN: text(universalArn(this.scope.region, universal)),
          },
        },
        { ...this.optionsFor(delivery), accountId: arn.accountId, region: arn.region },
      );
      return true;
    } catch (error) {
      this.scope.log.warn(`the dead-letter queue ${queue} did not take an event of EventBridge Scheduler`, { error });
      return false;
    }
  }
}

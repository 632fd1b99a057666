import { type InterruptedWork, interruptedRecords, recordsBy, type Worker } from '@emu/core/service';
import { textFor } from '../messages/message.ts';
import type { StoredMessage, SubscriptionRecord } from '../records.ts';
import { FilterableMessage } from '../subscriptions/filter-policy.ts';
import { readReplayPolicy } from '../subscriptions/replay-policy.ts';
import type { Subscriber } from '../subscriptions/subscriber.ts';
import type { Subscriptions } from '../subscriptions/subscriptions.ts';
import type { Archive } from '../topics/archive.ts';
import { type AttemptScope, attempt, envelopesFor } from './attempt.ts';
import type { StatusLog } from './status-log.ts';

/** Account and region of the subscriptions. */
export interface ReplayScope extends AttemptScope {
  readonly statusLog: StatusLog;
  readonly subscriptions: Subscriptions;
  readonly archive: Archive;
  /** Returns a subscription, including pending and cancelled ones. */
  anySubscriber(id: string): Subscriber | undefined;
}

type Status = NonNullable<SubscriptionRecord['replayStatus']>;

/**
 * Replays archived messages to subscriptions.
 * @see https://docs.aws.amazon.com/sns/latest/dg/message-archiving-and-replay-subscriber.html
 */
export class Replays implements Worker {
  private closed = false;

  constructor(private readonly scope: ReplayScope) {}

  /** Restarts replays interrupted by a restart. FIFO queues drop the duplicates. */
  interrupted(): InterruptedWork[] {
    const { subscriptions } = this.scope;
    return interruptedRecords(
      recordsBy(
        () => subscriptions.list(),
        ({ id }) => id,
        (id) => subscriptions.get(id),
      ),
      {
        name: ({ id }) => `replay for subscription ${id}`,
        idOf: ({ attributes }) => attributes.ReplayPolicy,
        isLeft: ({ replayStatus }) => replayStatus === 'Pending' || replayStatus === 'In progress',
        resume: ({ id }) => {
          this.note(id, 'Pending');
          return this.run(id);
        },
        fail: ({ id }) => this.note(id, 'Failed'),
      },
    );
  }

  /**
   * Starts the replay of a subscription's ReplayPolicy.
   * @param cause id of the request that set it
   */
  start(subscription: string, cause: string): void {
    this.note(subscription, 'Pending', cause);
    this.schedule(subscription);
  }

  private schedule(subscription: string): void {
    this.scope.clock.after(0, () => this.run(subscription));
  }

  close(): void {
    this.closed = true;
  }

  private note(subscription: string, status: Status, cause?: string): void {
    this.scope.subscriptions.update(subscription, (draft) => {
      draft.replayStatus = status;
      if (cause !== undefined) draft.replayCause = cause;
    });
  }

  /** Whether a policy is still that of its subscription. A replaced policy has its own replay. */
  private isCurrent(subscription: string, policy: string | undefined): policy is string {
    const record = this.closed ? undefined : this.scope.subscriptions.get(subscription);
    return policy !== undefined && record?.attributes.ReplayPolicy === policy;
  }

  private async run(subscription: string): Promise<void> {
    const { scope } = this;
    const record = this.closed ? undefined : scope.subscriptions.get(subscription);
    const policy = record?.attributes.ReplayPolicy;
    if (!record || !this.isCurrent(subscription, policy)) return;
    this.note(subscription, 'In progress');
    const { start, end } = readReplayPolicy(policy);
    for (const archived of [...scope.archive.between(record.topic, start, end)]) {
      const subscriber = this.isCurrent(subscription, policy) ? scope.anySubscriber(subscription) : undefined;
      if (!subscriber) return;
      const { filter, filterScope } = subscriber;
      const message: StoredMessage = { ...(archived as StoredMessage), replayed: true };
      if (record.replayCause !== undefined) message.cause = record.replayCause;
      const filterable = new FilterableMessage(message.attributes);
      if (filter && !filterable.matches(filter, filterScope, textFor(message, record.protocol))) continue;
      const outcome = await attempt(scope, subscriber, message, await envelopesFor(scope, message, subscriber, false));
      await scope.statusLog.add(subscriber, { message, outcome, attempts: 1 });
      if (outcome.delivered) continue;
      if (this.isCurrent(subscription, policy)) this.note(subscription, 'Failed');
      return;
    }
    if (this.isCurrent(subscription, policy)) this.note(subscription, 'Completed');
  }
}

import type { Clock, Ids, Logger, Place } from '@emu/core/service';
import { opsItemType } from './resources.ts';
import type { OpsItem, OpsStore } from './store.ts';

/** OpsItem type of node access requests. */
export const ACCESS_REQUEST = '/aws/accessrequest';

/** Author of a change to an OpsItem, with the scope in which it is announced. */
export interface ItemAuthor extends Place {
  readonly state: {
    readonly ops: Pick<OpsStore, 'events'>;
    announce(detailType: 'OpsItem Create' | 'OpsItem Update', arn: string, detail: object, cause: string): void;
  };
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Logger;
  /** ARN of the principal. */
  readonly by: string;
  /** Id of the request or run that caused the change. */
  readonly cause: string;
  /** Publishes a message to an SNS topic. */
  publish(message: { TopicArn: string; Subject: string; Message: string }): Promise<unknown>;
}

/** Sends a change of an OpsItem to EventBridge and its topics, and adds it to the OpsItem's history. */
export function announceItem(detailType: 'OpsItem Create' | 'OpsItem Update', item: OpsItem, author: ItemAuthor): void {
  const { state, ids, clock, by, cause } = author;
  const detail = {
    'created-by': item.createdBy,
    'created-time': new Date(item.createdAt).toISOString(),
    ...(detailType === 'OpsItem Update' && {
      'modified-by': item.modifiedBy,
      'modified-time': new Date(item.modifiedAt).toISOString(),
    }),
    source: item.source,
    status: item.status,
    'ops-item-id': item.id,
    title: item.title,
    'ops-item-type': item.type,
    description: item.description,
  };
  const id = ids.uuid();
  const text = JSON.stringify(detail);
  state.ops.events.put(id, { id, opsItemId: item.id, detailType, detail: text, at: clock.now(), by });
  state.announce(detailType, opsItemType.arn({ id: item.id }, author), detail, cause);
  const topics = new Set(item.notifications.map(({ Arn }) => Arn));
  topics.delete(undefined);
  void notify([...topics] as string[], item.id, { Subject: detailType, Message: text }, author);
}

/** Publishes a message to topics; failures are logged together. Never rejects. */
async function notify(
  topics: readonly string[],
  itemId: string,
  message: { Subject: string; Message: string },
  { publish, log }: ItemAuthor,
): Promise<void> {
  const sent = await Promise.allSettled(topics.map((TopicArn) => publish({ TopicArn, ...message })));
  const failed = sent.filter(({ status }) => status === 'rejected');
  const [first] = failed as PromiseRejectedResult[];
  if (first)
    log.warn(`${failed.length} of ${topics.length} notifications of OpsItem ${itemId} could not be sent`, {
      error: first.reason as unknown,
    });
}

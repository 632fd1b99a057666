import type { Clock, Ids, Logger, Place } from '@emu/core';
import { opsItemType } from './resources.ts';
import type { OpsItem, OpsStore } from './store.ts';

/** The type of the OpsItems that requests for access to nodes are. */
export const ACCESS_REQUEST = '/aws/accessrequest';

/** Who has made or changed an OpsItem, and where that is told. */
export interface ItemAuthor extends Place {
  readonly state: {
    readonly ops: Pick<OpsStore, 'events'>;
    announce(detailType: 'OpsItem Create' | 'OpsItem Update', arn: string, detail: object, cause: string): void;
  };
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Logger;
  /** ARN of who did it. */
  readonly by: string;
  /** Id of the request or run that did it. */
  readonly cause: string;
  /** Sends a message to a topic of SNS. */
  publish(message: { TopicArn: string; Subject: string; Message: string }): Promise<unknown>;
}

/** Tells EventBridge, the OpsItem's topics and its own history what became of it. */
export function tellOfItem(detailType: 'OpsItem Create' | 'OpsItem Update', item: OpsItem, author: ItemAuthor): void {
  const { state, ids, clock, log, by, cause } = author;
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
  for (const { Arn } of item.notifications)
    if (Arn !== undefined)
      void author.publish({ TopicArn: Arn, Subject: detailType, Message: text }).catch((error: unknown) => {
        log.warn(`a notification of OpsItem ${item.id} could not be sent`, { error });
      });
}

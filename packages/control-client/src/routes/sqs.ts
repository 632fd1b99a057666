import type { AccountAndRegionQuery, ResourceUrl } from '../records/common.ts';
import type { SqsMessage } from '../records/sqs.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of SQS. */
export const sqs = {
  /** Lists the messages in all queues of all accounts and regions. `GET /_emulator/sqs/messages` */
  messages: json<{ messages: SqsMessage[] }>()('GET /_emulator/sqs/messages'),

  /** Lists the URLs of all queues. `GET /_emulator/sqs/urls` */
  urls: json<{ urls: ResourceUrl[] }>()('GET /_emulator/sqs/urls'),

  /**
   * Deletes messages older than the retention period of their queue. `POST /_emulator/sqs/expiration-processor/tick`
   * @returns the number of deleted messages
   */
  expirationTick: json<{ expiredMessages: number }>()('POST /_emulator/sqs/expiration-processor/tick'),

  /**
   * Moves a queue's in-flight messages to its dead-letter queue. `POST /_emulator/sqs/{queue_name}/force-dlq`
   * @param scope account and region of the queue, by default the server's; queues of the same name elsewhere are
   * unaffected
   * @returns the number of moved messages
   * @throws ApiError 404 for an unknown queue, 400 for one without a dead-letter queue
   */
  forceDlq: json<{ movedMessages: number }>()(
    'POST /_emulator/sqs/{queue_name}/force-dlq',
    (queueName: string, scope?: AccountAndRegionQuery) => ({
      params: { queue_name: queueName },
      query: scope,
    }),
  ),
};

/** Methods for the control routes of SQS. */
export interface SqsControl extends MethodsOf<typeof sqs> {}

/** Control routes of SQS by name. */
export type SqsRoutes = RoutesOf<typeof sqs>;

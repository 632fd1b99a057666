import type { AccountAndRegionQuery } from '../routes/common.ts';
import type { SqsMessage } from '../routes/sqs.ts';
import { AreaControl } from './area.ts';

/** Control routes of SQS. */
export class SqsControl extends AreaControl {
  /** Lists the messages in all queues of all accounts and regions. `GET /_emulator/sqs/messages` */
  messages(): Promise<{ messages: SqsMessage[] }> {
    return this.transport.json('GET /_emulator/sqs/messages');
  }

  /**
   * Deletes messages older than the retention period of their queue. `POST /_emulator/sqs/expiration-processor/tick`
   * @returns the number of deleted messages
   */
  expirationTick(): Promise<{ expiredMessages: number }> {
    return this.transport.json('POST /_emulator/sqs/expiration-processor/tick');
  }

  /**
   * Moves a queue's in-flight messages to its dead-letter queue. `POST /_emulator/sqs/{queue_name}/force-dlq`
   * @param scope account and region of the queue, by default the server's; queues of the same name elsewhere are
   * unaffected
   * @returns the number of moved messages
   * @throws ApiError 404 for an unknown queue, 400 for one without a dead-letter queue
   */
  forceDlq(queueName: string, scope?: AccountAndRegionQuery): Promise<{ movedMessages: number }> {
    return this.transport.json('POST /_emulator/sqs/{queue_name}/force-dlq', {
      params: { queue_name: queueName },
      query: scope,
    });
  }
}

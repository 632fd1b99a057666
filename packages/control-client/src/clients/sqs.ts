import type { AccountAndRegionQuery } from '../routes/common.ts';
import type { SqsMessage } from '../routes/sqs.ts';
import { AreaControl } from './area.ts';

/** Control routes of SQS. */
export class SqsControl extends AreaControl {
  /** Messages in all queues of all accounts and regions. `GET /_emulator/sqs/messages` */
  messages(): Promise<{ messages: SqsMessage[] }> {
    return this.transport.json('GET /_emulator/sqs/messages');
  }

  /**
   * Removes messages that are older than their queue keeps them. `POST /_emulator/sqs/expiration-processor/tick`
   * @returns how many went
   */
  expirationTick(): Promise<{ expiredMessages: number }> {
    return this.transport.json('POST /_emulator/sqs/expiration-processor/tick');
  }

  /**
   * Moves a queue's in-flight messages to its dead-letter queue. `POST /_emulator/sqs/{queue_name}/force-dlq`
   * @param scope account and region of the queue, by default the server's; same-named queues elsewhere stay as they are
   * @returns how many moved
   * @throws ApiError 404 for an unknown queue, 400 for one without a dead-letter queue
   */
  forceDlq(queueName: string, scope?: AccountAndRegionQuery): Promise<{ movedMessages: number }> {
    return this.transport.json('POST /_emulator/sqs/{queue_name}/force-dlq', {
      params: { queue_name: queueName },
      query: scope,
    });
  }
}

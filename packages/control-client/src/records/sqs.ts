import type { Located, MessageAttribute, Timestamp } from './common.ts';

/**
 * A message in a queue. `region` and `queueArn` distinguish queues of the same name, because queue URLs contain no
 * region.
 */
export interface SqsMessage extends Located {
  queueUrl: string;
  queueName: string;
  queueArn: string;
  messageId: string;
  body: string;
  /** MD5 of the body in hex. */
  md5OfBody: string;
  messageAttributes: Record<string, MessageAttribute>;
  /** X-Ray trace header. */
  awsTraceHeader?: string;
  state: 'visible' | 'delayed' | 'in-flight';
  sentTimestamp: Timestamp;
  /** Time from which it can be received (again); absent if it was never invisible. */
  visibleTimestamp?: Timestamp;
  receiveCount: number;
  firstReceiveTimestamp?: Timestamp;
  /** Identity of the sender. */
  senderId: string;
  messageGroupId?: string;
  messageDeduplicationId?: string;
  /** For messages in FIFO queues. */
  sequenceNumber?: string;
  /** For messages moved to a dead-letter queue. */
  deadLetterQueueSourceArn?: string;
}

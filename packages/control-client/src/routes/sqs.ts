import type { AccountAndRegionQuery, Located, MessageAttribute, Timestamp } from './common.ts';

/** A message in a queue. Same-named queues are told apart by `region` and `queueArn`; queue URLs carry no region. */
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
  /** When it can be received, or could first be received again; absent where it never was out of sight. */
  visibleTimestamp?: Timestamp;
  receiveCount: number;
  firstReceiveTimestamp?: Timestamp;
  /** Identity of who sent it. */
  senderId: string;
  messageGroupId?: string;
  messageDeduplicationId?: string;
  /** Of messages in FIFO queues. */
  sequenceNumber?: string;
  /** Of messages that came to a dead-letter queue. */
  deadLetterQueueSourceArn?: string;
}

/** Control routes of SQS. */
export interface SqsRoutes {
  'GET /_emulator/sqs/messages': { response: { messages: SqsMessage[] } };
  'POST /_emulator/sqs/expiration-processor/tick': { response: { expiredMessages: number } };
  'POST /_emulator/sqs/{queue_name}/force-dlq': {
    query?: AccountAndRegionQuery;
    response: { movedMessages: number };
  };
}

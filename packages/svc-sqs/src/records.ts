import { defineCollection } from '@emu/core/service';

/** Whether deduplication ids apply to the whole queue or per message group. */
export type DeduplicationScope = 'queue' | 'messageGroup';

/** A queue, keyed by name. */
export interface QueueRecord {
  name: string;
  /** Distinguishes the queue from others that had the same name; part of its receipt handles. */
  id: string;
  /** Epoch milliseconds. */
  createdAt: number;
  /** Last change of an attribute in epoch milliseconds. */
  modifiedAt: number;
  /** Set attributes in AWS's text form; others have their defaults. */
  attributes: Record<string, string>;
  tags: Record<string, string>;
  /** Effective scope: AWS keeps the one set at creation even if the attribute changes. */
  deduplicationScope: DeduplicationScope;
  /** Last PurgeQueue in epoch milliseconds. */
  purgedAt?: number;
  /** Latest data key of a queue with a customer key, encrypted by KMS: base64. */
  dataKey?: { keyId: string; ciphertext: string };
}

/** A stored message attribute: `binary` is base64. */
export interface StoredAttribute {
  type: string;
  string?: string;
  binary?: string;
}

/** A sent message, immutable. Keyed by sequence number. */
export interface MessageRecord {
  /** Name of the queue it was sent to. */
  queue: string;
  id: string;
  body: string;
  /** MD5 of the body in hexadecimal. */
  md5: string;
  senderId: string;
  /** Epoch milliseconds. */
  sentAt: number;
  /** Id of the sending request: the cause of its internal receivers' actions. */
  cause?: string;
  /** Delay in a standard queue as epoch milliseconds; undefined without delay. */
  delayedUntil?: number;
  attributes?: Record<string, StoredAttribute>;
  traceHeader?: string;
  groupId?: string;
  deduplicationId?: string;
}

/**
 * State of a message since it was sent, with the same sequence number as key; created by its first receive or move. It
 * is small, so that a receive never rewrites the message.
 */
export interface DeliveryRecord {
  /** Name of its current queue. */
  queue: string;
  /** Its position in that queue, lowest first. */
  order: number;
  /** Epoch milliseconds from which it is available (again). */
  visibleAt: number;
  /** Number of receives in all queues; also the number of its latest receipt. */
  receives: number;
  /** Number of those receives in queues it was dead-lettered from. */
  receivesBefore: number;
  /** First receive from this queue in epoch milliseconds. */
  firstReceivedAt?: number;
  /** Latest receive in epoch milliseconds, at which the twelve-hour limit of invisibility starts. */
  receivedAt?: number;
  /** Start of retention in epoch milliseconds, if not the time of sending. */
  enqueuedAt?: number;
  /** Name of the queue that dead-lettered it. */
  deadLetteredBy?: string;
}

/** A deduplication id during its five minutes, keyed by queue, scope and id. */
export interface DeduplicationRecord {
  queue: string;
  messageId: string;
  sequence: string;
  /** Expiry of the id in epoch milliseconds. */
  expiresAt: number;
}

export type MoveTaskStatus = 'RUNNING' | 'COMPLETED' | 'CANCELLED' | 'FAILED';

/** A message move task, keyed by id. */
export interface MoveTaskRecord {
  id: string;
  /** Name of the dead-letter queue. */
  source: string;
  /** Name of the destination queue; undefined to return each message to its source. */
  destination?: string;
  messagesPerSecond?: number;
  status: MoveTaskStatus;
  failureReason?: string;
  moved: number;
  /** Number of messages at the start. */
  toMove: number;
  /** Epoch milliseconds. */
  startedAt: number;
}

/** End of the reserved block of sequence numbers: a restart continues after it. */
export interface SequenceRecord {
  reserved: number;
}

/** A name that cannot be reused yet. */
export interface DeletedQueueRecord {
  /** Epoch milliseconds. */
  deletedAt: number;
}

export const queueCollection = defineCollection<QueueRecord>('queues', 'region');
export const messageCollection = defineCollection<MessageRecord>('messages', 'region', {
  content: ['body', 'attributes'],
});
export const deliveryCollection = defineCollection<DeliveryRecord>('deliveries', 'region');
export const deduplicationCollection = defineCollection<DeduplicationRecord>('deduplications', 'region');
export const moveTaskCollection = defineCollection<MoveTaskRecord>('move-tasks', 'region');
export const sequenceCollection = defineCollection<SequenceRecord>('sequence', 'region');
export const deletedQueueCollection = defineCollection<DeletedQueueRecord>('deleted-queues', 'region');

/** All collections of SQS. */
export const collections = [
  queueCollection,
  messageCollection,
  deliveryCollection,
  deduplicationCollection,
  moveTaskCollection,
  sequenceCollection,
  deletedQueueCollection,
];

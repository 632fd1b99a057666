import { defineCollection } from '@emu/core/service';

/** Whether equal deduplication ids meet in the whole queue or in a message group only. */
export type DeduplicationScope = 'queue' | 'messageGroup';

/** A queue, kept by its name. */
export interface QueueRecord {
  name: string;
  /** Tells the queue from an earlier or later one of the same name; part of its receipt handles. */
  id: string;
  /** Epoch milliseconds. */
  createdAt: number;
  /** Epoch milliseconds of the last change of an attribute. */
  modifiedAt: number;
  /** Attributes that were set, in AWS's string form; the others have their defaults. */
  attributes: Record<string, string>;
  tags: Record<string, string>;
  /** The scope in effect: AWS goes on as at creation when the attribute of that name changes later. */
  deduplicationScope: DeduplicationScope;
  /** Epoch milliseconds of the last PurgeQueue. */
  purgedAt?: number;
  /** The latest data key of a queue that is encrypted with a customer's key, as KMS encrypted it: base64. */
  dataKey?: { keyId: string; ciphertext: string };
}

/** A message attribute as it is kept: `binary` is base64. */
export interface StoredAttribute {
  type: string;
  string?: string;
  binary?: string;
}

/** What a sender handed in; never changes. Kept by the message's sequence number. */
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
  /** Id of the request that sent it, which causes what its receivers in the emulator do. */
  cause?: string;
  /** Epoch milliseconds until which a standard queue holds it back; undefined without a delay. */
  delayedUntil?: number;
  attributes?: Record<string, StoredAttribute>;
  traceHeader?: string;
  groupId?: string;
  deduplicationId?: string;
}

/**
 * What became of a message since it was sent; kept by the same sequence number, from its first receive or move on. It is
 * small, so that receiving a message never writes the message again.
 */
export interface DeliveryRecord {
  /** Name of the queue it is in now. */
  queue: string;
  /** Its place in that queue: lower comes first. */
  order: number;
  /** Epoch milliseconds from which it can be received (again). */
  visibleAt: number;
  /** How often it was received, in all queues; also the number of its latest receipt. */
  receives: number;
  /** How many of those receives happened in queues it was dead-lettered from. */
  receivesBefore: number;
  /** Epoch milliseconds of the first receive from this queue. */
  firstReceivedAt?: number;
  /** Epoch milliseconds of the latest receive, from which the twelve hours of invisibility count. */
  receivedAt?: number;
  /** Epoch milliseconds its retention counts from, where that is not when it was sent. */
  enqueuedAt?: number;
  /** Name of the queue that dead-lettered it. */
  deadLetteredBy?: string;
}

/** A deduplication id in its five minutes; kept by queue, scope and id. */
export interface DeduplicationRecord {
  queue: string;
  messageId: string;
  sequence: string;
  /** Epoch milliseconds at which the id may be used again. */
  expiresAt: number;
}

export type MoveTaskStatus = 'RUNNING' | 'COMPLETED' | 'CANCELLED' | 'FAILED';

/** A message move task, kept by its id. */
export interface MoveTaskRecord {
  id: string;
  /** Name of the dead-letter queue it empties. */
  source: string;
  /** Name of the queue the messages go to; undefined for where each came from. */
  destination?: string;
  messagesPerSecond?: number;
  status: MoveTaskStatus;
  failureReason?: string;
  moved: number;
  /** Messages in the queue when the task began. */
  toMove: number;
  /** Epoch milliseconds. */
  startedAt: number;
}

/** The end of the block of sequence numbers in use: a restart goes on behind it. */
export interface SequenceRecord {
  reserved: number;
}

/** A name that cannot be used again yet. */
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

/** Everything SQS keeps. */
export const collections = [
  queueCollection,
  messageCollection,
  deliveryCollection,
  deduplicationCollection,
  moveTaskCollection,
  sequenceCollection,
  deletedQueueCollection,
];

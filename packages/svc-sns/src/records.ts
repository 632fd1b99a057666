import { defineCollection } from '@emu/core/service';

/** A published message, stored while it is being delivered or archived. */
export interface StoredMessage {
  id: string;
  /** Undefined for a message to a phone number or an endpoint. */
  topicArn?: string;
  /** Text; for `MessageStructure=json` the default one. */
  text: string;
  /** Texts by protocol, for `MessageStructure=json`. */
  texts?: Record<string, string>;
  subject?: string;
  attributes?: Record<string, StoredAttribute>;
  /** Epoch milliseconds. */
  publishedAt: number;
  groupId?: string;
  deduplicationId?: string;
  /** 20 digits, for FIFO topics. */
  sequence?: string;
  /** X-Ray header of the request. */
  traceHeader?: string;
  /** Id of the request that published or replayed it, which is the cause of its deliveries. */
  cause?: string;
  /** Base URL of links in messages, without a trailing slash. */
  baseUrl: string;
  /** Whether it is replayed from the archive. */
  replayed?: true;
}

/** A message attribute. A binary value is in base64. */
export interface StoredAttribute {
  type: string;
  value: string;
}

/** A topic, keyed by name. */
export interface TopicRecord {
  name: string;
  /** Epoch milliseconds. */
  createdAt: number;
  /** Attributes that were set, in AWS's spelling. */
  attributes: Record<string, string>;
  tags: Record<string, string>;
  dataProtectionPolicy?: string;
  /** Number of deleted subscriptions. */
  deletedSubscriptions: number;
  /** Start of archiving in epoch milliseconds. */
  archivedSince?: number;
}

/** A subscription, keyed by the id at the end of its ARN. */
export interface SubscriptionRecord {
  id: string;
  /** Name of the topic, in the same account and region. */
  topic: string;
  protocol: string;
  endpoint: string;
  /** Account of the subscriber. */
  owner: string;
  /** ARN of the subscriber. */
  principal: string;
  attributes: Record<string, string>;
  /** Epoch milliseconds. */
  createdAt: number;
  confirmed: boolean;
  authenticated: boolean;
  /** Whether unsubscribing requires a signed request. */
  authenticateOnUnsubscribe: boolean;
  /** Confirmation token, while pending or cancelled. */
  token?: string;
  /** Start of the token's lifetime in epoch milliseconds. */
  tokenCreatedAt?: number;
  /** Id of the request that started the latest replay. */
  replayCause?: string;
  /** State of the latest replay, for subscriptions with a ReplayPolicy. */
  replayStatus?: 'Pending' | 'In progress' | 'Completed' | 'Failed';
}

/** Contents of a delivery. */
export type NotificationType = 'Notification' | 'SubscriptionConfirmation' | 'UnsubscribeConfirmation';

/** A delivery that waits for its next attempt, keyed by an id. */
export interface DeliveryRecord {
  id: string;
  subscription: string;
  type: NotificationType;
  message: StoredMessage;
  /** Number of attempts so far. */
  attempts: number;
  /** Time of the next attempt in epoch milliseconds. */
  dueAt: number;
  token?: string;
}

/** A deduplication id within its five minutes, keyed by topic, group and id. */
export interface DeduplicationRecord {
  messageId: string;
  sequence: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Latest sequence number of a FIFO topic, keyed by the topic's name. */
export interface SequenceRecord {
  last: string;
}

/** An archived message, keyed by topic and sequence number. */
export interface ArchiveRecord {
  topic: string;
  message: StoredMessage;
}

/** A platform application, keyed by `<platform>/<name>`. */
export interface ApplicationRecord {
  platform: string;
  name: string;
  attributes: Record<string, string>;
}

/** A platform endpoint, keyed by `<platform>/<application>/<id>`. */
export interface EndpointRecord {
  /** Key of its application. */
  application: string;
  id: string;
  attributes: Record<string, string>;
}

/** SMS attributes that were set, keyed by `attributes`. */
export type SmsAttributesRecord = Record<string, string>;

/** A destination number of the SMS sandbox, keyed by number. */
export interface SandboxNumberRecord {
  number: string;
  verified: boolean;
  /** One-time password sent to it. */
  password: string;
  /** Epoch milliseconds. */
  sentAt: number;
  attempts: number;
}

/** A recipient that opted out of SMS, keyed by number. */
export interface OptOutRecord {
  /** Epoch milliseconds. */
  optedOutAt: number;
}

/** The signing key for messages, keyed by `current`. */
export interface SigningKeyRecord {
  /** Private key, PEM. */
  key: string;
  /** Certificate, PEM. */
  certificate: string;
}

/** Members of a message that are the publisher's content. */
const MESSAGE_CONTENT = ['text', 'texts', 'subject', 'attributes'];

export const topicCollection = defineCollection<TopicRecord>('topics', 'region');
export const subscriptionCollection = defineCollection<SubscriptionRecord>('subscriptions', 'region');
/** Ended subscriptions that their endpoints can still restore. */
export const cancelledCollection = defineCollection<SubscriptionRecord>('cancelled-subscriptions', 'region');
export const deliveryCollection = defineCollection<DeliveryRecord>('deliveries', 'region', {
  content: MESSAGE_CONTENT,
});
export const deduplicationCollection = defineCollection<DeduplicationRecord>('deduplications', 'region');
export const sequenceCollection = defineCollection<SequenceRecord>('sequences', 'region');
export const archiveCollection = defineCollection<ArchiveRecord>('archive', 'region', { content: MESSAGE_CONTENT });
export const applicationCollection = defineCollection<ApplicationRecord>('applications', 'region');
export const endpointCollection = defineCollection<EndpointRecord>('endpoints', 'region');
export const smsAttributesCollection = defineCollection<SmsAttributesRecord>('sms-attributes', 'region');
export const sandboxNumberCollection = defineCollection<SandboxNumberRecord>('sandbox-numbers', 'region');
export const optOutCollection = defineCollection<OptOutRecord>('opt-outs', 'region');
export const signingKeyCollection = defineCollection<SigningKeyRecord>('signing-key', 'global');

/** Collections of SNS. */
export const collections = [
  topicCollection,
  subscriptionCollection,
  cancelledCollection,
  deliveryCollection,
  deduplicationCollection,
  sequenceCollection,
  archiveCollection,
  applicationCollection,
  endpointCollection,
  smsAttributesCollection,
  sandboxNumberCollection,
  optOutCollection,
  signingKeyCollection,
];

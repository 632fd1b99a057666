import { defineCollection } from '@emu/core';

/** A message as it was published, kept as long as it is on its way or archived. */
export interface StoredMessage {
  id: string;
  /** Undefined where it was published to a phone number or an endpoint. */
  topicArn?: string;
  /** The text, of `MessageStructure=json` the default one. */
  text: string;
  /** Texts by protocol, of `MessageStructure=json`. */
  texts?: Record<string, string>;
  subject?: string;
  attributes?: Record<string, StoredAttribute>;
  /** Epoch milliseconds. */
  publishedAt: number;
  groupId?: string;
  deduplicationId?: string;
  /** 20 digits; of FIFO topics. */
  sequence?: string;
  /** X-Ray's header of the request. */
  traceHeader?: string;
  /** Id of the request that published it, or that asked for its replay, which causes its deliveries. */
  cause?: string;
  /** URL that the links in messages begin with, without a trailing slash. */
  baseUrl: string;
  /** Whether it comes from the archive. */
  replayed?: true;
}

/** A message attribute: the value of a binary one is base64. */
export interface StoredAttribute {
  type: string;
  value: string;
}

/** A topic, kept by its name. */
export interface TopicRecord {
  name: string;
  /** Epoch milliseconds. */
  createdAt: number;
  /** Attributes that were set, as AWS spells them. */
  attributes: Record<string, string>;
  tags: Record<string, string>;
  dataProtectionPolicy?: string;
  /** How many subscriptions were deleted. */
  deletedSubscriptions: number;
  /** Epoch milliseconds since which messages are archived. */
  archivedSince?: number;
}

/** A subscription, kept by the id at the end of its ARN. */
export interface SubscriptionRecord {
  id: string;
  /** Name of the topic, which is in the same account and region. */
  topic: string;
  protocol: string;
  endpoint: string;
  /** Account that subscribed. */
  owner: string;
  /** ARN of who subscribed. */
  principal: string;
  attributes: Record<string, string>;
  /** Epoch milliseconds. */
  createdAt: number;
  confirmed: boolean;
  authenticated: boolean;
  /** Whether only signed requests may unsubscribe. */
  authenticateOnUnsubscribe: boolean;
  /** What confirms it, while it is pending or cancelled. */
  token?: string;
  /** Epoch milliseconds from which the token counts. */
  tokenCreatedAt?: number;
  /** Id of the request that asked for the latest replay. */
  replayCause?: string;
  /** State of the latest replay; of subscriptions with a ReplayPolicy. */
  replayStatus?: 'Pending' | 'In progress' | 'Completed' | 'Failed';
}

/** What a delivery sends. */
export type NotificationType = 'Notification' | 'SubscriptionConfirmation' | 'UnsubscribeConfirmation';

/** A delivery that waits for its next attempt, kept by an id of its own. */
export interface DeliveryRecord {
  id: string;
  subscription: string;
  type: NotificationType;
  message: StoredMessage;
  /** Attempts that were made. */
  attempts: number;
  /** Epoch milliseconds of the next attempt. */
  dueAt: number;
  token?: string;
}

/** A deduplication id in its five minutes, kept by topic, group and id. */
export interface DeduplicationRecord {
  messageId: string;
  sequence: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** The latest sequence number of a FIFO topic, kept by the topic's name. */
export interface SequenceRecord {
  last: string;
}

/** An archived message, kept by topic and sequence number. */
export interface ArchiveRecord {
  topic: string;
  message: StoredMessage;
}

/** A platform application, kept by `<platform>/<name>`. */
export interface ApplicationRecord {
  platform: string;
  name: string;
  attributes: Record<string, string>;
}

/** A platform endpoint, kept by `<platform>/<application>/<id>`. */
export interface EndpointRecord {
  /** Key of its application. */
  application: string;
  id: string;
  attributes: Record<string, string>;
}

/** SMS attributes that were set, kept by the key `attributes`. */
export type SmsAttributesRecord = Record<string, string>;

/** A destination number of the SMS sandbox, kept by the number. */
export interface SandboxNumberRecord {
  number: string;
  verified: boolean;
  /** The password that was sent to it. */
  password: string;
  /** Epoch milliseconds. */
  sentAt: number;
  attempts: number;
}

/** A recipient that wants no SMS any more, kept by the number. */
export interface OptOutRecord {
  /** Epoch milliseconds. */
  optedOutAt: number;
}

/** The key that messages are signed with, kept by the key `current`. */
export interface SigningKeyRecord {
  /** Private key, PEM. */
  key: string;
  /** Certificate, PEM. */
  certificate: string;
}

/** Members of a message that are the publisher's own. */
const MESSAGE_CONTENT = ['text', 'texts', 'subject', 'attributes'];

export const topicCollection = defineCollection<TopicRecord>('topics', 'region');
export const subscriptionCollection = defineCollection<SubscriptionRecord>('subscriptions', 'region');
/** Subscriptions that their endpoints may still take back. */
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

/** Everything SNS keeps. */
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

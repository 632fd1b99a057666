import type { Located, MessageAttribute, Timestamp } from './common.ts';

/** Outcome of a message at one subscriber. */
export interface SnsDelivery {
  subscriptionArn: string;
  protocol: string;
  endpoint: string;
  status: 'delivered' | 'filtered' | 'failed' | 'dead-lettered';
  /** HTTP status of the subscriber's response, for HTTP endpoints. */
  statusCode?: number;
  error?: string;
}

/** A published message. Exactly one of `topicArn`, `targetArn` and `phoneNumber` is set. */
export interface SnsMessage extends Located {
  messageId: string;
  topicArn?: string;
  targetArn?: string;
  phoneNumber?: string;
  subject?: string;
  message: string;
  /** `json` if the message has a text for each protocol. */
  messageStructure?: string;
  messageAttributes: Record<string, MessageAttribute>;
  messageGroupId?: string;
  messageDeduplicationId?: string;
  sequenceNumber?: string;
  deliveries: SnsDelivery[];
  timestamp: Timestamp;
}

/** An unconfirmed subscription. */
export interface SnsPendingConfirmation extends Located {
  subscriptionArn: string;
  topicArn: string;
  protocol: string;
  endpoint: string;
  /** Token for ConfirmSubscription. */
  token: string;
  createdAt: Timestamp;
}

/** A delivered SMS. */
export interface SnsSms extends Located {
  messageId: string;
  phoneNumber: string;
  message: string;
  senderId?: string;
  smsType?: 'Promotional' | 'Transactional';
  /** Topic of the message; absent for a message published to the number. */
  topicArn?: string;
  timestamp: Timestamp;
}

import type { AccountAndRegionQuery, Located, MessageAttribute, Timestamp } from './common.ts';

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

/** Control routes of SNS. */
export interface SnsRoutes {
  'GET /_emulator/sns/messages': { response: { messages: SnsMessage[] } };
  'GET /_emulator/sns/pending-confirmations': { response: { pendingConfirmations: SnsPendingConfirmation[] } };
  'POST /_emulator/sns/confirm-subscription': {
    body: { subscriptionArn: string };
    response: { subscriptionArn: string; confirmed: true };
  };
  'GET /_emulator/sns/sms': { response: { messages: SnsSms[] } };
  /** The phone number opts out of SMS, as by the reply STOP. */
  'POST /_emulator/sns/sms/opt-out': {
    query?: AccountAndRegionQuery;
    body: { phoneNumber: string };
    response: { phoneNumber: string; optedOut: true };
  };
  /** PEM, of the content type `application/x-pem-file`. */
  'GET /_emulator/sns/cert.pem': { response: string };
}

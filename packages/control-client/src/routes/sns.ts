import type { AccountAndRegionQuery, Located, MessageAttribute, Timestamp } from './common.ts';

/** What became of a message at one subscriber. */
export interface SnsDelivery {
  subscriptionArn: string;
  protocol: string;
  endpoint: string;
  status: 'delivered' | 'filtered' | 'failed' | 'dead-lettered';
  /** HTTP status of the subscriber's answer, for HTTP endpoints. */
  statusCode?: number;
  error?: string;
}

/** A published message. One of `topicArn`, `targetArn` and `phoneNumber` is set. */
export interface SnsMessage extends Located {
  messageId: string;
  topicArn?: string;
  targetArn?: string;
  phoneNumber?: string;
  subject?: string;
  message: string;
  /** `json` where the message has a text for each protocol. */
  messageStructure?: string;
  messageAttributes: Record<string, MessageAttribute>;
  messageGroupId?: string;
  messageDeduplicationId?: string;
  sequenceNumber?: string;
  deliveries: SnsDelivery[];
  timestamp: Timestamp;
}

/** A subscription that waits for its confirmation. */
export interface SnsPendingConfirmation extends Located {
  subscriptionArn: string;
  topicArn: string;
  protocol: string;
  endpoint: string;
  /** What ConfirmSubscription takes. */
  token: string;
  createdAt: Timestamp;
}

/** An SMS that was delivered. */
export interface SnsSms extends Located {
  messageId: string;
  phoneNumber: string;
  message: string;
  senderId?: string;
  smsType?: 'Promotional' | 'Transactional';
  /** The topic it came from; absent where it was published to the number. */
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
  /** The number's owner wants no SMS any more, as by answering STOP. */
  'POST /_emulator/sns/sms/opt-out': {
    query?: AccountAndRegionQuery;
    body: { phoneNumber: string };
    response: { phoneNumber: string; optedOut: true };
  };
  /** PEM, of the content type `application/x-pem-file`. */
  'GET /_emulator/sns/cert.pem': { response: string };
}

import type { Located, Tags, Timestamp } from './common.ts';

/** Recipients of an e-mail. */
export interface SesDestination {
  toAddresses: string[];
  ccAddresses: string[];
  bccAddresses: string[];
}

/** A sent e-mail. */
export interface SesEmail extends Located {
  messageId: string;
  /** Origin: `SendEmail`, `SendRawEmail`, …, `SMTP`, or an e-mail of SES itself, e.g. `VerifyEmailIdentity`. */
  operation: string;
  from: string;
  destination: SesDestination;
  replyToAddresses: string[];
  /** Envelope sender for bounces. */
  returnPath?: string;
  subject?: string;
  textBody?: string;
  htmlBody?: string;
  /** Complete MIME message as sent. */
  raw?: string;
  headers: { name: string; value: string }[];
  attachments: { filename?: string; contentType: string; contentId?: string; bytes: number }[];
  templateName?: string;
  /** JSON. */
  templateData?: string;
  configurationSetName?: string;
  tags: Tags;
  timestamp: Timestamp;
}

/** Result of a check of a received e-mail. */
export type SesVerdict = 'PASS' | 'FAIL' | 'GRAY' | 'PROCESSING_FAILED';

/** An e-mail to receive. */
export interface SesInboundRequest {
  from: string;
  recipients: string[];
  subject?: string;
  textBody?: string;
  htmlBody?: string;
  /** A complete MIME message instead of subject and bodies. */
  raw?: string;
  /** Results of the checks, each `PASS` by default. */
  verdicts?: { [Check in 'spam' | 'virus' | 'spf' | 'dkim' | 'dmarc']?: SesVerdict };
  /** Sender's IP address, for receipt filters. */
  sourceIp?: string;
  /** By default the server's. */
  accountId?: string;
  /** By default the server's. */
  region?: string;
}

/** Results of the active rule set. */
export interface SesInboundResult {
  messageId: string;
  matchedRules: string[];
  actions: { ruleName: string; type: string; status: 'done' | 'failed'; error?: string }[];
}

/** Sandbox status of an account and region. */
export interface SesSandbox {
  /** Whether only verified addresses can receive e-mails. */
  sandbox: boolean;
  accountId?: string;
  region?: string;
}

/** Statuses of a custom MAIL FROM domain. */
export type SesMailFromStatus = 'PENDING' | 'SUCCESS' | 'FAILED' | 'TEMPORARY_FAILURE';

/** DKIM key of an identity, as published in DNS. */
export interface SesDkimPublicKey {
  identity: string;
  selector: string;
  /** Name of the TXT record. */
  recordName: string;
  /** Base64 of the DER public key. */
  publicKey: string;
}

/** Counts since the start or the last reset. */
export interface SesMetrics {
  sends: number;
  deliveries: number;
  bounces: number;
  complaints: number;
}

/** A bounce sent with SendBounce. */
export interface SesBounce extends Located {
  messageId: string;
  originalMessageId: string;
  bounceSender: string;
  explanation?: string;
  recipients: {
    recipient: string;
    bounceType?: string;
    /** Fields of the delivery status notification. */
    dsn?: { action: string; status: string; remoteMta?: string; diagnosticCode?: string };
  }[];
  timestamp: Timestamp;
}

/** Delivery events of a message at each recipient. */
export interface SesMessageInsights {
  messageId: string;
  from: string;
  subject?: string;
  insights: {
    destination: string;
    isp?: string;
    events: { type: string; timestamp: Timestamp; details?: Record<string, unknown> }[];
  }[];
}

/** A message received over SMTP. */
export interface SesSmtpSubmission {
  messageId: string;
  accountId: string;
  mailFrom: string;
  recipients: string[];
  /** The MIME message. */
  data: string;
  remoteAddress: string;
  timestamp: Timestamp;
}

/** An event sent to an event destination. */
export interface SesEventDelivery extends Located {
  configurationSetName: string;
  eventDestinationName: string;
  /** ARN of the destination. */
  destinationArn: string;
  eventType: string;
  messageId: string;
  status: 'delivered' | 'failed';
  error?: string;
  timestamp: Timestamp;
}

import type { Located, Tags, Timestamp } from './common.ts';

/** Who an e-mail goes to. */
export interface SesDestination {
  toAddresses: string[];
  ccAddresses: string[];
  bccAddresses: string[];
}

/** An e-mail that was sent. */
export interface SesEmail extends Located {
  messageId: string;
  /** How it was sent: `SendEmail`, `SendRawEmail`, …, `SMTP`, or what SES sent it for itself, e.g. `VerifyEmailIdentity`. */
  operation: string;
  from: string;
  destination: SesDestination;
  replyToAddresses: string[];
  /** Envelope sender for bounces. */
  returnPath?: string;
  subject?: string;
  textBody?: string;
  htmlBody?: string;
  /** The MIME message as it went out. */
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

/** A result of a check of an e-mail that comes in. */
export type SesVerdict = 'PASS' | 'FAIL' | 'GRAY' | 'PROCESSING_FAILED';

/** An e-mail as if it came in. */
export interface SesInboundRequest {
  from: string;
  recipients: string[];
  subject?: string;
  textBody?: string;
  htmlBody?: string;
  /** A whole MIME message, in place of subject and bodies. */
  raw?: string;
  /** Results of the checks of the mail, each `PASS` by default. */
  verdicts?: { [Check in 'spam' | 'virus' | 'spf' | 'dkim' | 'dmarc']?: SesVerdict };
  /** Where the mail comes from, for the receipt filters. */
  sourceIp?: string;
  /** By default the server's. */
  accountId?: string;
  /** By default the server's. */
  region?: string;
}

/** What the active rule set did with it. */
export interface SesInboundResult {
  messageId: string;
  matchedRules: string[];
  actions: { ruleName: string; type: string; status: 'done' | 'failed'; error?: string }[];
}

/** The sending sandbox of an account and region. */
export interface SesSandbox {
  /** Whether only verified addresses can be written to. */
  sandbox: boolean;
  accountId?: string;
  region?: string;
}

/** States of a custom MAIL FROM domain. */
export type SesMailFromStatus = 'PENDING' | 'SUCCESS' | 'FAILED' | 'TEMPORARY_FAILURE';

/** The DKIM key of an identity, as published in DNS. */
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

/** A bounce made by SendBounce. */
export interface SesBounce extends Located {
  messageId: string;
  originalMessageId: string;
  bounceSender: string;
  explanation?: string;
  recipients: {
    recipient: string;
    bounceType?: string;
    /** Delivery status notification fields. */
    dsn?: { action: string; status: string; remoteMta?: string; diagnosticCode?: string };
  }[];
  timestamp: Timestamp;
}

/** What became of a message at each recipient. */
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

/** A message that came in by SMTP. */
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
  /** ARN of what it was sent to. */
  destinationArn: string;
  eventType: string;
  messageId: string;
  status: 'delivered' | 'failed';
  error?: string;
  timestamp: Timestamp;
}

/** Control routes of SES. */
export interface SesRoutes {
  'GET /_emulator/ses/emails': { response: { emails: SesEmail[] } };
  'POST /_emulator/ses/inbound': { body: SesInboundRequest; response: SesInboundResult };
  'POST /_emulator/ses/account/sandbox': { body: SesSandbox; response: SesSandbox };
  'POST /_emulator/ses/identities/{name}/mail-from-status': {
    body: { status: SesMailFromStatus };
    response: { identity: string; status: SesMailFromStatus };
  };
  'GET /_emulator/ses/identities/{name}/dkim-public-key': { response: SesDkimPublicKey };
  'GET /_emulator/ses/metrics': { response: SesMetrics };
  'GET /_emulator/ses/bounces': { response: { bounces: SesBounce[] } };
  'GET /_emulator/ses/messages/{message_id}/insights': { response: SesMessageInsights };
  /** `address` is where the SMTP server listens; absent where it does not. */
  'GET /_emulator/ses/smtp/submissions': { response: { address?: string; submissions: SesSmtpSubmission[] } };
  'GET /_emulator/ses/event-destinations/deliveries': { response: { deliveries: SesEventDelivery[] } };
}

import type { DeepReadonly } from '@emu/core/service';
import type { NotificationType, StoredMessage } from '../records.ts';
import { textFor } from './message.ts';
import type { Signer } from './signature.ts';

type Message = DeepReadonly<StoredMessage>;

/** Data of a notification besides the message. */
export interface EnvelopeAddress {
  readonly subscriptionArn: string;
  readonly protocol: string;
}

/** Data that confirms or restores a subscription. */
export interface Confirmation {
  readonly type: Exclude<NotificationType, 'Notification'>;
  readonly token: string;
}

/** Returns the URL of the certificate that verifies signatures. */
const certificateUrl = (baseUrl: string): string => `${baseUrl}/_emulator/sns/cert.pem`;

const API_VERSION = '2010-03-31';

/** Returns the URL that ends a subscription by GET. */
const unsubscribeUrl = (baseUrl: string, subscriptionArn: string): string =>
  unsubscribeStart(baseUrl) + subscriptionArn + UNSUBSCRIBE_END;

const unsubscribeStart = (baseUrl: string): string => `${baseUrl}/?Action=Unsubscribe&SubscriptionArn=`;
const UNSUBSCRIBE_END = `&Version=${API_VERSION}`;

/** Returns the URL that confirms a subscription by GET. */
const subscribeUrl = (baseUrl: string, topicArn: string, token: string): string =>
  `${baseUrl}/?Action=ConfirmSubscription&TopicArn=${topicArn}&Token=${token}&Version=${API_VERSION}`;

/** Builds the bodies for subscribers of a message. Common parts, including the signature, are built once. */
export class Envelopes {
  private readonly beginnings = new Map<string, string>();
  private readonly signatures = new Map<string, string>();
  /** Text after the ARN in the last link. */
  private readonly ending: string;
  private readonly timestamp: string;

  /**
   * @param signer undefined for messages of FIFO topics, which are not signed
   * @param version SignatureVersion of the topic
   */
  constructor(
    private readonly message: Message,
    private readonly signer: Signer | undefined,
    private readonly version: string,
  ) {
    this.timestamp = new Date(message.publishedAt).toISOString();
    const entries = Object.entries(message.attributes ?? {}).map(
      ([name, { type, value }]) => `    ${text(name)} : {"Type":${text(type)},"Value":${text(value)}}`,
    );
    const attributes = entries.length ? `,\n  "MessageAttributes" : {\n${entries.join(',\n')}\n  }` : '';
    // ARNs have no characters that JSON escapes.
    this.ending = `${UNSUBSCRIBE_END}"${attributes}\n}`;
  }

  /** Returns the JSON for queues, HTTP endpoints, streams and mail recipients. */
  notification({ subscriptionArn, protocol }: EnvelopeAddress): string {
    const own = textFor(this.message, protocol);
    let beginning = this.beginnings.get(own);
    if (beginning === undefined) {
      beginning = this.beginningOf(own);
      this.beginnings.set(own, beginning);
    }
    return `${beginning}${subscriptionArn}${this.ending}`;
  }

  /** Text before the ARN in the unsubscribe link. */
  private beginningOf(own: string): string {
    const { message, signer } = this;
    const lines = open([
      ['Type', 'Notification'],
      ['MessageId', message.id],
      ['SequenceNumber', message.sequence],
      ['TopicArn', message.topicArn],
      ['Subject', message.subject],
      ['Message', own],
      ['Timestamp', this.timestamp],
      ...(message.replayed ? ([['Replayed', 'true']] as const) : []),
      ...(signer ? this.signatureLines(this.signatureOf(own)) : []),
    ]);
    return `${lines},\n  "UnsubscribeURL" : ${text(unsubscribeStart(message.baseUrl)).slice(0, -1)}`;
  }

  /** Returns the event for functions. */
  lambdaEvent({ subscriptionArn, protocol }: EnvelopeAddress): string {
    const { message, signer } = this;
    const own = textFor(message, protocol);
    const attributes = Object.entries(message.attributes ?? {}).map(([name, { type, value }]) => [
      name,
      { Type: type, Value: value },
    ]);
    const notification = {
      ...(signer && { SignatureVersion: this.version }),
      Timestamp: this.timestamp,
      ...(signer && { Signature: this.signatureOf(own), SigningCertUrl: certificateUrl(message.baseUrl) }),
      MessageId: message.id,
      Message: own,
      MessageAttributes: Object.fromEntries(attributes),
      Type: 'Notification',
      UnsubscribeUrl: unsubscribeUrl(message.baseUrl, subscriptionArn),
      TopicArn: message.topicArn,
      Subject: message.subject ?? null,
    };
    const record = {
      EventSource: 'aws:sns',
      EventVersion: '1.0',
      EventSubscriptionArn: subscriptionArn,
      Sns: notification,
    };
    return JSON.stringify({ Records: [record] });
  }

  /** Returns the JSON that requests a confirmation or announces the end of a subscription. */
  confirmation({ type, token }: Confirmation): string {
    const { message, signer } = this;
    const url = subscribeUrl(message.baseUrl, message.topicArn!, token);
    const signed = {
      Message: message.text,
      MessageId: message.id,
      SubscribeURL: url,
      Timestamp: this.timestamp,
      Token: token,
      TopicArn: message.topicArn,
      Type: type,
    };
    const lines = open([
      ['Type', type],
      ['MessageId', message.id],
      ['Token', token],
      ['TopicArn', message.topicArn],
      ['Message', message.text],
      ['SubscribeURL', url],
      ['Timestamp', this.timestamp],
      ...(signer ? this.signatureLines(signer.sign(signed, this.version)) : []),
    ]);
    return `${lines}\n}`;
  }

  private signatureLines(signature: string): readonly (readonly [string, string])[] {
    return [
      ['SignatureVersion', this.version],
      ['Signature', signature],
      ['SigningCertURL', certificateUrl(this.message.baseUrl)],
    ];
  }

  private signatureOf(own: string): string {
    let signature = this.signatures.get(own);
    if (signature === undefined) {
      const { id, topicArn, subject } = this.message;
      const signed = {
        Message: own,
        MessageId: id,
        Subject: subject,
        Timestamp: this.timestamp,
        TopicArn: topicArn,
        Type: 'Notification',
      };
      signature = this.signer!.sign(signed, this.version);
      this.signatures.set(own, signature);
    }
    return signature;
  }
}

const text = (value: string): string => JSON.stringify(value);

/** Formats members as SNS does, without the closing brace. */
const open = (members: readonly (readonly [string, string | undefined])[]): string =>
  `{\n${members.flatMap(([name, value]) => (value === undefined ? [] : `  ${text(name)} : ${text(value)}`)).join(',\n')}`;

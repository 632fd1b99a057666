import type { DeepReadonly } from '@emu/core';
import type { NotificationType, StoredMessage } from '../records.ts';
import { textFor } from './message.ts';
import type { Signer } from './signature.ts';

type Message = DeepReadonly<StoredMessage>;

/** What a subscriber is told besides the message. */
export interface EnvelopeAddress {
  readonly subscriptionArn: string;
  readonly protocol: string;
}

/** What confirms or restores a subscription. */
export interface Confirmation {
  readonly type: Exclude<NotificationType, 'Notification'>;
  readonly token: string;
}

/** Where the certificate is that signatures verify by. */
const certificateUrl = (baseUrl: string): string => `${baseUrl}/_emulator/sns/cert.pem`;

const API_VERSION = '2010-03-31';

/** What a GET request ends a subscription by. */
const unsubscribeUrl = (baseUrl: string, subscriptionArn: string): string =>
  unsubscribeStart(baseUrl) + subscriptionArn + UNSUBSCRIBE_END;

const unsubscribeStart = (baseUrl: string): string => `${baseUrl}/?Action=Unsubscribe&SubscriptionArn=`;
const UNSUBSCRIBE_END = `&Version=${API_VERSION}`;

/** What a GET request confirms a subscription by. */
const subscribeUrl = (baseUrl: string, topicArn: string, token: string): string =>
  `${baseUrl}/?Action=ConfirmSubscription&TopicArn=${topicArn}&Token=${token}&Version=${API_VERSION}`;

/**
 * Writes the bodies that subscribers of a message get. What they have in common, with its signature, is written once.
 */
export class Envelopes {
  private readonly beginnings = new Map<string, string>();
  private readonly signatures = new Map<string, string>();
  /** What follows the ARN in the last link. */
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
    // ARNs have no character that JSON writes otherwise.
    this.ending = `${UNSUBSCRIBE_END}"${attributes}\n}`;
  }

  /** The JSON that queues, HTTP endpoints, streams and mail recipients get. */
  notification({ subscriptionArn, protocol }: EnvelopeAddress): string {
    const own = textFor(this.message, protocol);
    let beginning = this.beginnings.get(own);
    if (beginning === undefined) {
      beginning = this.beginningOf(own);
      this.beginnings.set(own, beginning);
    }
    return `${beginning}${subscriptionArn}${this.ending}`;
  }

  /** Everything up to the ARN in the link that ends the subscription. */
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

  /** The event that functions get. */
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

  /** The JSON that asks an endpoint to confirm its subscription, or tells it that it ended. */
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

/** Members as SNS lays them out, without the closing brace. */
const open = (members: readonly (readonly [string, string | undefined])[]): string =>
  `{\n${members.flatMap(([name, value]) => (value === undefined ? [] : `  ${text(name)} : ${text(value)}`)).join(',\n')}`;

import type { SnsSms } from '@emu/control-client';
import {
  type Clock,
  type Collection,
  type DeepReadonly,
  type Ids,
  type Logger,
  metricsOf,
  RecordBuffer,
  type RegionMetrics,
  type ServiceHandle,
  type StateScope,
  type Worker,
  type WorkingState,
} from '@emu/core/service';
import { Deliveries } from './delivery/deliveries.ts';
import { HttpDeliveries } from './delivery/http.ts';
import { Replays } from './delivery/replay.ts';
import { StatusLog } from './delivery/status-log.ts';
import { MessageLog } from './messages/log.ts';
import { certificateOf, type Signer, signerOf } from './messages/signature.ts';
import { Platform } from './mobile/platform.ts';
import { SNS_OPTIONS } from './options.ts';
import {
  applicationCollection,
  archiveCollection,
  deduplicationCollection,
  deliveryCollection,
  endpointCollection,
  type OptOutRecord,
  optOutCollection,
  type SandboxNumberRecord,
  type SigningKeyRecord,
  type SmsAttributesRecord,
  sandboxNumberCollection,
  sequenceCollection,
  signingKeyCollection,
  smsAttributesCollection,
  type TopicRecord,
  topicCollection,
} from './records.ts';
import type { ResourceRegistry } from './registry.ts';
import { topicType } from './resources.ts';
import type { Subscriber } from './subscriptions/subscriber.ts';
import { Subscriptions } from './subscriptions/subscriptions.ts';
import { Archive } from './topics/archive.ts';
import { Deduplication } from './topics/fifo.ts';
import { type Topic, toTopic } from './topics/topic.ts';

/** Interval of the removal of expired records. */
const SWEEP_INTERVAL = 60 * 60 * 1000;
const SMS_ATTRIBUTES = 'attributes';

/** Topics, subscriptions, applications and phone numbers of one account and region. */
export class SnsState implements ResourceRegistry, WorkingState {
  readonly workers: readonly Worker[];
  readonly accountId: string;
  readonly region: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly call: StateScope['call'];
  readonly subscriptions: Subscriptions;
  readonly deliveries: Deliveries;
  readonly deduplication: Deduplication;
  readonly archive: Archive;
  readonly replays: Replays;
  readonly platform: Platform;
  readonly http: HttpDeliveries;
  readonly statusLog: StatusLog;
  readonly messages = new MessageLog();
  readonly sms = new RecordBuffer<SnsSms>();
  readonly optedOut: Collection<OptOutRecord>;
  readonly sandboxNumbers: Collection<SandboxNumberRecord>;
  /** Whether only verified numbers receive SMS. */
  readonly inSandbox: boolean;
  private readonly service: ServiceHandle;
  private readonly reported: RegionMetrics | undefined;
  private readonly topicRecords: Collection<TopicRecord>;
  private readonly topics = new Map<string, Topic>();
  private readonly smsAttributeRecords: Collection<SmsAttributesRecord>;
  private readonly signingKeys: Collection<SigningKeyRecord>;

  constructor(scope: StateScope) {
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.clock = scope.clock;
    this.ids = scope.ids;
    this.log = scope.log;
    this.call = scope.call;
    this.service = scope.service;
    this.http = new HttpDeliveries(scope.service.names);
    this.topicRecords = scope.collection(topicCollection);
    for (const record of this.topicRecords.values()) this.remember(record);
    this.subscriptions = new Subscriptions(scope, (name) => this.topics.get(name));
    this.deduplication = new Deduplication(
      scope.collection(deduplicationCollection),
      scope.collection(sequenceCollection),
    );
    this.archive = new Archive(scope.collection(archiveCollection));
    this.platform = new Platform(scope.collection(applicationCollection), scope.collection(endpointCollection));
    this.optedOut = scope.collection(optOutCollection);
    this.sandboxNumbers = scope.collection(sandboxNumberCollection);
    this.inSandbox = scope.service.settings.of(SNS_OPTIONS).EMULATOR_SNS_SMS_SANDBOX;
    this.smsAttributeRecords = scope.collection(smsAttributesCollection);
    this.signingKeys = scope.collection(signingKeyCollection);
    this.reported = metricsOf(scope.service, scope.accountId, scope.region);
    this.statusLog = new StatusLog(this);
    this.deliveries = new Deliveries(this, scope.collection(deliveryCollection));
    this.replays = new Replays(this);
    const sweeper: Worker = { resume: () => void this.clock.every(SWEEP_INTERVAL, () => this.sweep()) };
    this.workers = [this.http, this.deliveries, this.replays, sweeper];
  }

  /**
   * Reports a metric of a topic.
   * @see https://docs.aws.amazon.com/sns/latest/dg/sns-monitoring-using-cloudwatch.html
   */
  report(topic: string, metric: string, value = 1, unit = 'Count'): void {
    this.reported?.resource('AWS/SNS', { TopicName: topic }).add(metric, value, this.clock.now(), unit);
  }

  /** Signs messages; a promise until the key exists. */
  signer(): Signer | Promise<Signer> {
    return signerOf(this.service, this.signingKeys, this.clock);
  }

  /** Returns the certificate of the signing key in PEM. */
  certificate(): Promise<string> {
    return certificateOf(this.service, this.signingKeys, this.clock);
  }

  arnOfTopic(name: string): string {
    return topicType.arn({ name }, this);
  }

  topic(name: string): Topic | undefined {
    return this.topics.get(name);
  }

  get topicNumber(): number {
    return this.topics.size;
  }

  listTopics(): Iterable<Topic> {
    return this.topics.values();
  }

  createTopic(record: TopicRecord): Topic {
    return this.remember(this.topicRecords.put(record.name, record));
  }

  updateTopic(name: string, change: (draft: TopicRecord) => void): Topic {
    const topic = this.remember(this.topicRecords.update(name, change));
    this.subscriptions.topicChanged(name);
    return topic;
  }

  /** Deletes a topic and everything that belongs to it. */
  deleteTopic(name: string): void {
    this.subscriptions.deleteOf(name);
    this.deduplication.discard(name);
    this.archive.discard(name);
    this.topicRecords.delete(name);
    this.topics.delete(name);
  }

  /** Returns the confirmed subscriptions of a topic, in order of creation. */
  subscribersOf(topic: string): readonly Subscriber[] {
    return this.subscriptions.subscribersOf(topic);
  }

  /** Returns a subscription, including pending and cancelled ones. */
  anySubscriber(id: string): Subscriber | undefined {
    return this.subscriptions.anySubscriber(id);
  }

  get smsAttributes(): DeepReadonly<SmsAttributesRecord> {
    return this.smsAttributeRecords.get(SMS_ATTRIBUTES) ?? {};
  }

  /** Sets attributes. Empty values restore the defaults. */
  setSmsAttributes(attributes: Readonly<Record<string, string>>): void {
    const all = Object.entries({ ...this.smsAttributes, ...attributes }).filter(([, value]) => value !== '');
    this.smsAttributeRecords.put(SMS_ATTRIBUTES, Object.fromEntries(all));
  }

  private remember(record: DeepReadonly<TopicRecord>): Topic {
    const { accountId, region } = this;
    const topic = toTopic(record, this.arnOfTopic(record.name), accountId, region);
    this.topics.set(record.name, topic);
    return topic;
  }

  private sweep(): void {
    const now = this.clock.now();
    this.subscriptions.dropExpired(now);
    this.deduplication.dropExpired(now);
    for (const { name, archiveDays } of this.topics.values())
      if (archiveDays !== undefined) this.archive.dropExpired(name, archiveDays, now);
  }
}

/** Creates the state of an account and region. */
export function createState(scope: StateScope): SnsState {
  return new SnsState(scope);
}

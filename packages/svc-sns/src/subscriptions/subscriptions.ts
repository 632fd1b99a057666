import type { Collection, DeepReadonly, StateScope } from '@emu/core/service';
import { cancelledCollection, type SubscriptionRecord, subscriptionCollection } from '../records.ts';
import type { Topic } from '../topics/topic.ts';
import { type Subscriber, toSubscriber } from './subscriber.ts';

/** Lifetime of a token in milliseconds. Subscriptions unconfirmed after it are removed. */
const TOKEN_LIFETIME = 2 * 24 * 60 * 60 * 1000;

const SEPARATOR = '\u0000';

/** A stored subscription. */
export type StoredSubscription = DeepReadonly<SubscriptionRecord>;

/** Subscriptions to the topics of an account and region. */
export class Subscriptions {
  private readonly records: Collection<SubscriptionRecord>;
  /** Ended subscriptions that their endpoints can restore with a token. */
  private readonly cancelled: Collection<SubscriptionRecord>;
  private readonly byTopic = new Map<string, Set<string>>();
  private readonly byEndpoint = new Map<string, string>();
  /** Filter policies by topic. Topics without one have no entry. */
  private readonly filterPolicies = new Map<string, number>();
  private pendingNumber = 0;
  private filterPolicyNumber = 0;
  private readonly subscribers = new WeakMap<object, Subscriber>();
  private readonly lists = new Map<string, readonly Subscriber[]>();

  /** @param topicOf returns the topic with a name */
  constructor(
    scope: StateScope,
    private readonly topicOf: (name: string) => Topic | undefined,
  ) {
    this.records = scope.collection(subscriptionCollection);
    this.cancelled = scope.collection(cancelledCollection);
    for (const record of this.records.values()) this.index(record);
  }

  /** Subscriptions that wait for confirmation. */
  get pending(): number {
    return this.pendingNumber;
  }

  /** Returns the subscriptions to a topic in every state except ended. */
  numberOf(topic: string): number {
    return this.byTopic.get(topic)?.size ?? 0;
  }

  /** Returns the number of subscriptions with a filter policy, of one topic or all. */
  filterPoliciesOf(topic?: string): number {
    return topic === undefined ? this.filterPolicyNumber : (this.filterPolicies.get(topic) ?? 0);
  }

  get(id: string): StoredSubscription | undefined {
    return this.records.get(id);
  }

  list(): Iterable<StoredSubscription> {
    return this.records.values();
  }

  /** Returns the subscriptions to a topic, in order of creation. */
  *listOf(topic: string): Iterable<StoredSubscription> {
    for (const id of this.byTopic.get(topic) ?? []) yield this.records.get(id)!;
  }

  /** Returns the numbers of a topic's subscriptions by state. */
  countsOf(topic: string): { confirmed: number; pending: number } {
    let confirmed = 0;
    let pending = 0;
    for (const record of this.listOf(topic)) record.confirmed ? confirmed++ : pending++;
    return { confirmed, pending };
  }

  /** Returns the subscription of an endpoint to a topic. */
  find(topic: string, protocol: string, endpoint: string): StoredSubscription | undefined {
    const id = this.byEndpoint.get(endpointKey(topic, protocol, endpoint));
    return id === undefined ? undefined : this.records.get(id);
  }

  put(record: SubscriptionRecord): void {
    this.index(this.records.put(record.id, record));
    this.lists.delete(record.topic);
  }

  update(id: string, change: (draft: SubscriptionRecord) => void): StoredSubscription {
    const before = this.records.get(id);
    const record = this.records.update(id, change);
    if (before) this.tally(before, -1);
    this.tally(record, 1);
    this.lists.delete(record.topic);
    return record;
  }

  /** Ends a subscription. @param token that restores it; undefined if it cannot be restored */
  delete(record: StoredSubscription, token?: { value: string; now: number }): void {
    const { id, topic, protocol, endpoint } = record;
    const current = this.records.get(id);
    if (current) this.tally(current, -1);
    this.records.delete(id);
    this.byTopic.get(topic)?.delete(id);
    this.byEndpoint.delete(endpointKey(topic, protocol, endpoint));
    this.lists.delete(topic);
    if (token)
      this.cancelled.put(id, {
        ...(record as SubscriptionRecord),
        token: token.value,
        tokenCreatedAt: token.now,
      });
  }

  deleteOf(topic: string): void {
    for (const record of [...this.listOf(topic)]) this.delete(record);
    for (const [id, record] of this.cancelled.entries()) if (record.topic === topic) this.cancelled.delete(id);
    this.byTopic.delete(topic);
    this.filterPolicies.delete(topic);
  }

  /**
   * Confirms the subscription with a token, or restores it after its end.
   * @returns undefined for an unknown or expired token
   */
  confirm(
    topic: string,
    token: string,
    now: number,
    change: (draft: SubscriptionRecord) => void,
  ): StoredSubscription | undefined {
    const valid = (record: StoredSubscription) =>
      record.topic === topic && record.token === token && now < (record.tokenCreatedAt ?? 0) + TOKEN_LIFETIME;
    for (const record of this.listOf(topic))
      if (valid(record))
        return this.update(record.id, (draft) => {
          draft.confirmed = true;
          change(draft);
        });
    for (const [id, record] of this.cancelled.entries()) {
      if (!valid(record)) continue;
      this.cancelled.delete(id);
      // The endpoint may have been subscribed again meanwhile.
      const current = this.find(topic, record.protocol, record.endpoint);
      if (current) return current;
      this.put({ ...(record as SubscriptionRecord), confirmed: true });
      return this.records.get(id);
    }
    return undefined;
  }

  /** Removes subscriptions that were not confirmed or restored in time. */
  dropExpired(now: number): void {
    const old = ({ tokenCreatedAt }: StoredSubscription) => (tokenCreatedAt ?? 0) + TOKEN_LIFETIME <= now;
    for (const record of [...this.records.values()]) if (!record.confirmed && old(record)) this.delete(record);
    for (const [id, record] of this.cancelled.entries()) if (old(record)) this.cancelled.delete(id);
  }

  /** Handles changed attributes of a topic, on which deliveries to its subscribers depend. */
  topicChanged(topic: string): void {
    this.lists.delete(topic);
  }

  /** Returns the confirmed subscriptions of a topic. */
  subscribersOf(topic: string): readonly Subscriber[] {
    let list = this.lists.get(topic);
    if (!list) {
      list = [...this.listOf(topic)].flatMap((record) => (record.confirmed ? (this.subscriberOf(record) ?? []) : []));
      this.lists.set(topic, list);
    }
    return list;
  }

  /** Returns a subscription in any state. */
  anySubscriber(id: string): Subscriber | undefined {
    const record = this.records.get(id) ?? this.cancelled.get(id);
    return record && this.subscriberOf(record);
  }

  private subscriberOf(record: StoredSubscription): Subscriber | undefined {
    const topic = this.topicOf(record.topic);
    if (!topic) return undefined;
    const known = this.subscribers.get(record);
    if (known?.topic === topic) return known;
    const subscriber = toSubscriber(record, topic);
    this.subscribers.set(record, subscriber);
    return subscriber;
  }

  private index(record: StoredSubscription): void {
    const { id, topic, protocol, endpoint } = record;
    const ids = this.byTopic.get(topic);
    if (ids) ids.add(id);
    else this.byTopic.set(topic, new Set([id]));
    this.byEndpoint.set(endpointKey(topic, protocol, endpoint), id);
    this.tally(record, 1);
  }

  /** Counts an added subscription, or with -1 a removed one. */
  private tally({ topic, confirmed, attributes }: StoredSubscription, by: number): void {
    if (!confirmed) this.pendingNumber += by;
    if (!attributes.FilterPolicy) return;
    this.filterPolicyNumber += by;
    this.filterPolicies.set(topic, this.filterPoliciesOf(topic) + by);
  }
}

const endpointKey = (topic: string, protocol: string, endpoint: string): string =>
  [topic, protocol, endpoint].join(SEPARATOR);

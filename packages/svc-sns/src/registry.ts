import type { DeepReadonly } from '@emu/core/service';
import type { ApplicationRecord, EndpointRecord, SubscriptionRecord, TopicRecord } from './records.ts';
import type { Topic } from './topics/topic.ts';

/** Resources of an account and region, for look-ups. */
export interface ResourceRegistry {
  topic(name: string): Topic | undefined;
  updateTopic(name: string, change: (draft: TopicRecord) => void): Topic;
  readonly topicNumber: number;
  listTopics(): Iterable<Topic>;
  readonly subscriptions: {
    get(id: string): DeepReadonly<SubscriptionRecord> | undefined;
    list(): Iterable<DeepReadonly<SubscriptionRecord>>;
  };
  readonly platform: {
    /** @param key `<platform>/<name>` */
    application(key: string): DeepReadonly<ApplicationRecord> | undefined;
    listApplications(): Iterable<DeepReadonly<ApplicationRecord>>;
    /** @param key `<platform>/<application>/<id>` */
    endpoint(key: string): DeepReadonly<EndpointRecord> | undefined;
    /** @param application key of the application; undefined for all endpoints */
    listEndpoints(application?: string): Iterable<DeepReadonly<EndpointRecord>>;
  };
}

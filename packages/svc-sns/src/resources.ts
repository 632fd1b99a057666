import { defineResource, type Place, type ResourceAddress, type ResourceType, taggedResource } from '@emu/core/service';
import { keyOfApplication, keyOfEndpoint } from './mobile/keys.ts';
import type { EndpointRecord } from './records.ts';
import type { ResourceRegistry } from './registry.ts';
import { tagging } from './tags.ts';
import { policyOf } from './topics/topic.ts';

type Input = Readonly<Record<string, unknown>>;

/** Returns the first input member that is a string. */
const textIn = (input: Input, ...members: readonly string[]): string | undefined =>
  members.map((member) => input[member]).find((value) => typeof value === 'string');

/** Identifies the resource whose ARN is in one of the input's members. */
function named<Key>(type: ResourceType<Key>, input: Input, ...members: readonly string[]) {
  const arn = textIn(input, ...members);
  return arn === undefined ? undefined : type.parse(arn);
}

const sorted = <Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Item[] =>
  [...items].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));

/**
 * Topics, named by ARN or, at creation, by name.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonsns.html
 */
export const topicType = defineResource({
  name: 'topic',
  service: 'sns',
  scope: 'region',
  format: '{name}',
  cloudFormation: 'AWS::SNS::Topic',
  identify: (input, place) => identifyTopic(input, place),
  find: (registry: ResourceRegistry, { name }) => (registry.topic(name) ? { name } : undefined),
  list: (registry) => sorted(registry.listTopics(), ({ name }) => name).map(({ name }) => ({ name })),
  count: ({ topicNumber }) => topicNumber,
  tagged: {
    tagging,
    find: (registry, { name }) =>
      taggedResource(
        () => registry.topic(name)?.record,
        (change) => registry.updateTopic(name, change),
      ),
  },
  policy(registry, { name }) {
    const topic = registry.topic(name);
    return topic && policyOf(topic);
  },
});

function identifyTopic(input: Input, place: Place): ResourceAddress<{ name: string }> | undefined {
  const address = named(topicType, input, 'TopicArn', 'TargetArn', 'ResourceArn');
  if (address) return address;
  // A platform application is created by name and platform.
  const name = input.Platform === undefined ? textIn(input, 'Name') : undefined;
  return name === undefined ? undefined : { key: { name }, place };
}

/** Subscriptions in every state except ended. */
export const subscriptionType = defineResource({
  name: 'subscription',
  service: 'sns',
  scope: 'region',
  format: '{topic}:{id}',
  cloudFormation: 'AWS::SNS::Subscription',
  identify: (input): ResourceAddress<{ topic: string; id: string }> | undefined =>
    named(subscriptionType, input, 'SubscriptionArn'),
  find({ subscriptions }: ResourceRegistry, { topic, id }) {
    const record = subscriptions.get(id);
    return record?.topic === topic ? { topic, id } : undefined;
  },
  list: ({ subscriptions }) => sorted(subscriptions.list(), ({ id }) => id).map(({ topic, id }) => ({ topic, id })),
});

/** Platform applications. */
export const applicationType = defineResource({
  name: 'platform application',
  service: 'sns',
  scope: 'region',
  format: 'app/{platform}/{name}',
  identify: (input, place) => identifyApplication(input, place),
  find: ({ platform }: ResourceRegistry, key) => (platform.application(keyOfApplication(key)) ? key : undefined),
  list: ({ platform }) =>
    sorted(platform.listApplications(), keyOfApplication).map(({ platform: of, name }) => ({ platform: of, name })),
});

function identifyApplication(
  input: Input,
  place: Place,
): ResourceAddress<{ platform: string; name: string }> | undefined {
  const address = named(applicationType, input, 'PlatformApplicationArn');
  if (address) return address;
  const platform = textIn(input, 'Platform');
  const name = textIn(input, 'Name');
  return platform === undefined || name === undefined ? undefined : { key: { platform, name }, place };
}

/** Endpoints of platform applications. */
export const endpointType = defineResource({
  name: 'platform endpoint',
  service: 'sns',
  scope: 'region',
  format: 'endpoint/{platform}/{application}/{id}',
  identify: (input): ResourceAddress<EndpointKey> | undefined => named(endpointType, input, 'EndpointArn', 'TargetArn'),
  find: ({ platform }: ResourceRegistry, key) => (platform.endpoint(textOfKey(key)) ? key : undefined),
  list: ({ platform }) => sorted(platform.listEndpoints(), keyOfEndpoint).map(endpointKey),
});

interface EndpointKey {
  platform: string;
  application: string;
  id: string;
}

function endpointKey({ application: key, id }: Pick<EndpointRecord, 'application' | 'id'>): EndpointKey {
  const [platform = '', application = ''] = key.split('/');
  return { platform, application, id };
}

/** Returns the key of the endpoint with an ARN. */
export const textOfKey = ({ platform, application, id }: EndpointKey): string =>
  keyOfEndpoint({ application: keyOfApplication({ platform, name: application }), id });

/** Returns the ARN of a stored endpoint. */
export const endpointArn = (record: Pick<EndpointRecord, 'application' | 'id'>, place: Place): string =>
  endpointType.arn(endpointKey(record), place);

/** Resource types, the most specific first. */
export const resources = [endpointType, applicationType, subscriptionType, topicType] as const;

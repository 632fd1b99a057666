import { defineResource, type Place, type ResourceAddress, taggedRecord, taggedResource } from '@emu/core/service';
import { asString } from '@emu/wire';
import type { LogsRegistry } from './registry.ts';
import { tagging } from './tags.ts';

type Named = ResourceAddress<{ name: string }>;

/** Members that name a group by name or ARN. */
const GROUP_MEMBERS = ['logGroupName', 'logGroupIdentifier', 'resourceIdentifier', 'resourceArn'] as const;

/**
 * Log groups, identified by name or ARN; the suffix `:*` is optional.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoncloudwatchlogs.html
 */
export const groupType = defineResource({
  name: 'log-group',
  service: 'logs',
  scope: 'region',
  format: 'log-group:{name+}',
  cloudFormation: 'AWS::Logs::LogGroup',
  identify(input, place): Named | undefined {
    for (const member of GROUP_MEMBERS) {
      const given = asString(input[member]);
      if (given === undefined) continue;
      if (!given.startsWith('arn:')) return member === 'resourceArn' ? undefined : { key: { name: given }, place };
      return groupAddress(given, place);
    }
    return undefined;
  },
  find: (state: LogsRegistry, { name }) => (state.groups.find(name) ? { name } : undefined),
  list: (state) => state.groups.list().map(({ name }) => ({ name })),
  count: (state) => state.groups.size,
  tagged: {
    tagging,
    find({ groups }, { name }) {
      const group = groups.find(name);
      return taggedResource(
        () => group?.record,
        (change) => groups.update(group!, change),
      );
    },
  },
});

/** Returns the group of a name or ARN; undefined for the ARN of another resource. */
export function groupAddress(identifier: string, place: Place): Named | undefined {
  return identifier.startsWith('arn:')
    ? groupType.parse(identifier.replace(/:\*$/, ''))
    : { key: { name: identifier }, place };
}

/** Returns the ARN of a group's stream. */
export const streamArn = (groupArn: string, stream: string): string => `${groupArn}:log-stream:${stream}`;

/** Subscription destinations, with policies for other accounts. */
export const destinationType = defineResource({
  name: 'destination',
  service: 'logs',
  scope: 'region',
  format: 'destination:{name}',
  cloudFormation: 'AWS::Logs::Destination',
  arnMembers: ['resourceArn'],
  identify({ destinationName }, place): Named | undefined {
    const name = asString(destinationName);
    return name === undefined ? undefined : { key: { name }, place };
  },
  records: (state: LogsRegistry) => state.destinations,
  list: (state) => [...state.destinations.keys()].sort().map((name) => ({ name })),
  tagged: { tagging, find: ({ destinations }, { name }) => taggedRecord(destinations, name) },
  policy: (state, { name }) => state.destinations.get(name)?.accessPolicy,
});

/** Tagged records, by name or id. */
interface TaggedRecords {
  has(key: string): boolean;
  get(key: string): { readonly tags: Readonly<Record<string, string>> } | undefined;
  keys(): Iterable<string>;
}

const sortedKeys = (records: TaggedRecords): string[] => [...records.keys()].sort();

/** Returns the resource that a member of certain operations names. */
const namedBy =
  (operations: RegExp, member: string) =>
  (input: Readonly<Record<string, unknown>>, place: Place, operation: string): Named | undefined => {
    const name = operations.test(operation) ? asString(input[member]) : undefined;
    return name === undefined ? undefined : { key: { name }, place };
  };

/** Sources of deliveries. */
export const deliverySourceType = defineResource({
  name: 'delivery-source',
  service: 'logs',
  scope: 'region',
  format: 'delivery-source:{name}',
  cloudFormation: 'AWS::Logs::DeliverySource',
  identify: namedBy(/^(?:Delete|Get|Put)DeliverySource$/, 'name'),
  arnMembers: ['resourceArn'],
  records: (state: LogsRegistry) => state.deliverySources,
  list: (state) => sortedKeys(state.deliverySources).map((name) => ({ name })),
  tagged: { tagging, find: ({ deliverySources }, { name }) => taggedRecord(deliverySources, name) },
});

/** Delivery destinations, with policies for other accounts. */
export const deliveryDestinationType = defineResource({
  name: 'delivery-destination',
  service: 'logs',
  scope: 'region',
  format: 'delivery-destination:{name}',
  cloudFormation: 'AWS::Logs::DeliveryDestination',
  identify: (input, place, operation) =>
    namedBy(/^(?:Delete|Get|Put)DeliveryDestination$/, 'name')(input, place, operation) ??
    namedBy(/DeliveryDestinationPolicy$/, 'deliveryDestinationName')(input, place, operation),
  arnMembers: ['resourceArn', 'deliveryDestinationArn'],
  records: (state: LogsRegistry) => state.deliveryDestinations,
  list: (state) => sortedKeys(state.deliveryDestinations).map((name) => ({ name })),
  tagged: { tagging, find: ({ deliveryDestinations }, { name }) => taggedRecord(deliveryDestinations, name) },
  policy: (state, { name }) => state.deliveryDestinations.get(name)?.policy,
});

/** Deliveries of vended logs. */
export const deliveryType = defineResource({
  name: 'delivery',
  service: 'logs',
  scope: 'region',
  format: 'delivery:{id}',
  cloudFormation: 'AWS::Logs::Delivery',
  identify(input, place, operation): ResourceAddress<{ id: string }> | undefined {
    const id = /^(?:Delete|Get)Delivery$/.test(operation) ? asString(input.id) : undefined;
    return id === undefined ? undefined : { key: { id }, place };
  },
  arnMembers: ['resourceArn'],
  records: (state: LogsRegistry) => state.vendedDeliveries,
  list: (state) => sortedKeys(state.vendedDeliveries).map((id) => ({ id })),
  tagged: { tagging, find: ({ vendedDeliveries }, { id }) => taggedRecord(vendedDeliveries, id) },
});

/** Anomaly detectors. */
export const detectorType = defineResource({
  name: 'anomaly-detector',
  service: 'logs',
  scope: 'region',
  format: 'anomaly-detector:{id}',
  cloudFormation: 'AWS::Logs::LogAnomalyDetector',
  arnMembers: ['resourceArn', 'anomalyDetectorArn'],
  records: (state: LogsRegistry) => state.detectors,
  list: (state) => sortedKeys(state.detectors).map((id) => ({ id })),
  tagged: { tagging, find: ({ detectors }, { id }) => taggedRecord(detectors, id) },
});

/** All resource types, most specific ARNs first. */
export const resourceTypes = [
  destinationType,
  deliverySourceType,
  deliveryDestinationType,
  deliveryType,
  detectorType,
  groupType,
];

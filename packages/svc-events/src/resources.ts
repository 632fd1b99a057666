import { defineResource, type Place, type ResourceAddress, taggedRecord, taggedResource } from '@emu/core/service';
import { asString } from '@emu/wire';
import { DEFAULT_BUS } from './records.ts';
import type { ResourceRegistry } from './registry.ts';
import { tagging } from './tags.ts';

type Input = Readonly<Record<string, unknown>>;
type Named = ResourceAddress<{ name: string }>;

/** Identifies the resource whose name is in an input member. */
function named(input: Input, member: string, place: Place): Named | undefined {
  const name = asString(input[member]);
  return name === undefined ? undefined : { key: { name }, place };
}

/** Operations with a common suffix, such as `DescribeConnection`, whose `Name` identifies the resource. */
const nameIn =
  (ending: string) =>
  (input: Input, place: Place, operation: string): Named | undefined =>
    operation.endsWith(ending) ? named(input, 'Name', place) : undefined;

const sortedNames = (names: Iterable<string>): { name: string }[] => [...names].sort().map((name) => ({ name }));

/** Operations on a bus, by the member that names it. */
const BUS_MEMBERS: Readonly<Record<string, string>> = {
  CreateEventBus: 'Name',
  DeleteEventBus: 'Name',
  DescribeEventBus: 'Name',
  ListRules: 'EventBusName',
  PutPermission: 'EventBusName',
  RemovePermission: 'EventBusName',
  UpdateEventBus: 'Name',
};

/** Operations on a rule, by the member that names it. `EventBusName` names its bus. */
const RULE_MEMBERS: Readonly<Record<string, string>> = {
  DeleteRule: 'Name',
  DescribeRule: 'Name',
  DisableRule: 'Name',
  EnableRule: 'Name',
  ListTargetsByRule: 'Rule',
  PutRule: 'Name',
  PutTargets: 'Rule',
  RemoveTargets: 'Rule',
};

/**
 * Event buses. Those of partner event sources have slashes in their names.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazoneventbridge.html
 */
export const busType = defineResource({
  name: 'event-bus',
  service: 'events',
  scope: 'region',
  format: 'event-bus/{name+}',
  cloudFormation: 'AWS::Events::EventBus',
  identify(input, place, operation): Named | undefined {
    const arn = asString(input.ResourceARN);
    if (arn !== undefined) return busType.parse(arn);
    const member = BUS_MEMBERS[operation];
    return member === undefined ? undefined : busAddress(asString(input[member]), place);
  },
  find: (registry: ResourceRegistry, { name }) => (registry.bus(name) ? { name } : undefined),
  list: ({ buses }) => sortedNames(buses.keys()),
  tagged: { tagging, find: ({ buses }, { name }) => taggedRecord(buses, name) },
  policy: (registry, { name }) => registry.bus(name)?.policy,
});

/** Returns the key of a bus from a name or an ARN, whether it exists or not; the default bus if neither is given. */
export function busAddress(nameOrArn: string | undefined, place: Place): Named {
  const address = nameOrArn === undefined ? undefined : busType.parse(nameOrArn);
  return address ?? { key: { name: nameOrArn || DEFAULT_BUS }, place };
}

interface RuleKey {
  /** Undefined for rules of the default bus, whose ARNs omit it. */
  bus?: string | undefined;
  name: string;
}

/** Returns the key of a rule from its bus and name. */
export const ruleKey = (bus: string, name: string): RuleKey => (bus === DEFAULT_BUS ? { name } : { bus, name });

/** Rules: AWS's `rule-on-default-event-bus` and `rule-on-custom-event-bus`. */
export const ruleType = defineResource({
  name: 'rule',
  service: 'events',
  scope: 'region',
  format: 'rule/[{bus+}/]{name}',
  cloudFormation: 'AWS::Events::Rule',
  identify(input, place, operation): ResourceAddress<RuleKey> | undefined {
    const arn = asString(input.ResourceARN);
    if (arn !== undefined) return ruleType.parse(arn);
    const name = asString(input[RULE_MEMBERS[operation] ?? '']);
    if (name === undefined) return undefined;
    const bus = busAddress(asString(input.EventBusName), place);
    return { place: bus.place, key: ruleKey(bus.key.name, name) };
  },
  find(registry: ResourceRegistry, { bus = DEFAULT_BUS, name }): RuleKey | undefined {
    return registry.rule(bus, name) && ruleKey(bus, name);
  },
  list(registry): RuleKey[] {
    const rules = [...registry.listRules()].sort((a, b) => (a.bus + a.name < b.bus + b.name ? -1 : 1));
    return rules.map(({ bus, name }) => ruleKey(bus, name));
  },
  tagged: {
    tagging,
    find: (registry, { bus = DEFAULT_BUS, name }) =>
      taggedResource(
        () => registry.rule(bus, name),
        (change) => registry.updateRule(bus, name, change),
      ),
  },
});

/** Archives. */
export const archiveType = defineResource({
  name: 'archive',
  service: 'events',
  scope: 'region',
  format: 'archive/{name}',
  cloudFormation: 'AWS::Events::Archive',
  identify: (input, place) => named(input, 'ArchiveName', place),
  records: ({ archives }: ResourceRegistry) => archives,
  list: ({ archives }) => sortedNames(archives.keys()),
});

/** Replays. */
export const replayType = defineResource({
  name: 'replay',
  service: 'events',
  scope: 'region',
  format: 'replay/{name}',
  identify: (input, place) => named(input, 'ReplayName', place),
  records: ({ replays }: ResourceRegistry) => replays,
  list: ({ replays }) => sortedNames(replays.keys()),
});

/** Connections. The id distinguishes a connection from an earlier one with the same name. */
export const connectionType = defineResource({
  name: 'connection',
  service: 'events',
  scope: 'region',
  format: 'connection/{name}[/{id}]',
  cloudFormation: 'AWS::Events::Connection',
  identify: nameIn('Connection'),
  find: ({ connections }: ResourceRegistry, key) => withId(connections.get(key.name), key),
  list: ({ connections }) =>
    sortedNames(connections.keys()).map(({ name }) => withId(connections.get(name), { name })!),
});

/** API destinations. The id distinguishes a destination from an earlier one with the same name. */
export const apiDestinationType = defineResource({
  name: 'api-destination',
  service: 'events',
  scope: 'region',
  format: 'api-destination/{name}[/{id}]',
  cloudFormation: 'AWS::Events::ApiDestination',
  identify: nameIn('ApiDestination'),
  find: ({ apiDestinations }: ResourceRegistry, key) => withId(apiDestinations.get(key.name), key),
  list: ({ apiDestinations }) =>
    sortedNames(apiDestinations.keys()).map(({ name }) => withId(apiDestinations.get(name), { name })!),
});

interface NameAndId {
  name: string;
  id?: string | undefined;
}

/** Returns the complete key of an existing resource unless the key has another id. */
const withId = (record: Readonly<NameAndId> | undefined, { id }: NameAndId): NameAndId | undefined =>
  record && (id === undefined || id === record.id) ? { name: record.name, id: record.id } : undefined;

/** Global endpoints. */
export const endpointType = defineResource({
  name: 'endpoint',
  service: 'events',
  scope: 'region',
  format: 'endpoint/{name}',
  cloudFormation: 'AWS::Events::Endpoint',
  identify: nameIn('Endpoint'),
  records: ({ endpoints }: ResourceRegistry) => endpoints,
  list: ({ endpoints }) => sortedNames(endpoints.keys()),
});

/** Partner event sources, stored in the accounts of the customers. */
export const eventSourceType = defineResource({
  name: 'event-source',
  service: 'events',
  scope: 'region-only',
  format: 'event-source/{name+}',
  identify: (input, place, operation) =>
    operation === 'ListPartnerEventSourceAccounts'
      ? named(input, 'EventSourceName', place)
      : nameIn('EventSource')(input, place, operation),
  records: ({ eventSources }: ResourceRegistry) => eventSources,
  list: ({ eventSources }) => sortedNames(eventSources.keys()),
});

/** Resource types, the most specific first. */
export const resources = [
  ruleType,
  archiveType,
  replayType,
  connectionType,
  apiDestinationType,
  endpointType,
  eventSourceType,
  busType,
] as const;

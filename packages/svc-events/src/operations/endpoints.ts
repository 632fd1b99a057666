import { type DeepReadonly, parseArn } from '@emu/core/service';
import type { Endpoint, EndpointState, InputOf, OutputOf } from '@emu/service-types/events';
import type { EventsContext } from '../context.ts';
import { alreadyExists, busNotFound, invalid, invalidParameter, notFound } from '../errors.ts';
import { busAt } from '../lookup.ts';
import { paging, withPrefix } from '../paging.ts';
import { DEFAULT_BUS, type EndpointRecord } from '../records.ts';
import { busType, endpointType } from '../resources.ts';
import type { EventsState } from '../state.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const STATE: EndpointState = 'ACTIVE';

type StoredEndpoint = DeepReadonly<EndpointRecord>;

/** @throws AwsError `ResourceNotFoundException` */
function endpointAt(name: string, state: EventsState): StoredEndpoint {
  const endpoint = state.endpoints.get(name);
  if (!endpoint) throw notFound(`Endpoint ${name} does not exist.`);
  return endpoint;
}

/**
 * Returns the settings common to CreateEndpoint and UpdateEndpoint. @throws AwsError `ResourceNotFoundException`,
 * `ValidationException`
 */
function check({ buses, routing, replication, roleArn }: EndpointRecord, ctx: EventsContext): void {
  const places = buses.map(({ EventBusArn }) => {
    const address = busType.parse(EventBusArn);
    if (!address) throw invalidParameter('EventBuses', 'Must contain event bus ARNs.');
    return { ...address.place, ...address.key };
  });
  const [primary, secondary] = places as [(typeof places)[0], (typeof places)[0]];
  if (primary.name !== secondary.name) throw invalid('The event buses of an endpoint must have the same name.');
  if (primary.region === secondary.region)
    throw invalid('The event buses of an endpoint must be in different Regions.');
  if (places.some(({ accountId }) => accountId !== ctx.accountId))
    throw invalid('The event buses of an endpoint must be in the account of the endpoint.');
  if (primary.region !== ctx.region)
    throw invalid('The first event bus must be in the Region of the endpoint, which is its primary Region.');
  if (routing.FailoverConfig.Secondary.Route !== secondary.region)
    throw invalid('The secondary route must be the Region of the second event bus.');
  busAt(buses[0]!.EventBusArn, ctx);
  const { name, region } = secondary;
  // Every Region has the default bus, also before its state exists.
  if (name !== DEFAULT_BUS && !ctx.handle.existingState(ctx.accountId, region)?.bus(name)) throw busNotFound(name);
  if (replicates(replication) && roleArn === undefined)
    throw invalid('RoleArn is required where event replication is enabled.');
  if (roleArn !== undefined && parseArn(roleArn)?.service !== 'iam') throw invalidParameter('RoleArn');
}

/** Replication is enabled by default. */
const replicates = (replication: EndpointRecord['replication']): boolean => replication?.State !== 'DISABLED';

const describe = (state: EventsState, endpoint: StoredEndpoint): Endpoint => ({
  Name: endpoint.name,
  Description: endpoint.description,
  Arn: endpointType.arn(endpoint, state),
  RoutingConfig: structuredClone(endpoint.routing) as EndpointRecord['routing'],
  ReplicationConfig: { State: endpoint.replication?.State ?? 'ENABLED' },
  EventBuses: endpoint.buses.map((bus) => ({ ...bus })),
  RoleArn: endpoint.roleArn,
  EndpointId: endpoint.id,
  EndpointUrl: `https://${endpoint.id}.endpoint.events.amazonaws.com`,
  State: STATE,
  CreationTime: new Date(endpoint.createdAt),
  LastModifiedTime: new Date(endpoint.modifiedAt),
});

/**
 * Creates a global endpoint, which receives events for two buses of one name in different Regions.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_CreateEndpoint.html
 */
export function CreateEndpoint(input: InputOf<'CreateEndpoint'>, ctx: EventsContext): OutputOf<'CreateEndpoint'> {
  const { state, clock, ids } = ctx;
  const now = clock.now();
  const record: EndpointRecord = {
    name: input.Name,
    id: `${ids.chars(10, LETTERS)}.${ids.chars(3, LETTERS)}`,
    ...(input.Description !== undefined && { description: input.Description }),
    routing: input.RoutingConfig,
    ...(input.ReplicationConfig && { replication: input.ReplicationConfig }),
    buses: input.EventBuses,
    ...(input.RoleArn !== undefined && { roleArn: input.RoleArn }),
    createdAt: now,
    modifiedAt: now,
  };
  check(record, ctx);
  if (state.endpoints.has(input.Name)) throw alreadyExists(`Endpoint ${input.Name}`);
  const { Name, Arn, RoutingConfig, ReplicationConfig, EventBuses, RoleArn } = describe(
    state,
    state.endpoints.put(input.Name, structuredClone(record)),
  );
  return { Name, Arn, RoutingConfig, ReplicationConfig, EventBuses, RoleArn, State: 'CREATING' };
}

/**
 * Updates a global endpoint. Missing members keep their values.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_UpdateEndpoint.html
 */
export function UpdateEndpoint(input: InputOf<'UpdateEndpoint'>, ctx: EventsContext): OutputOf<'UpdateEndpoint'> {
  const { state } = ctx;
  const record = structuredClone(endpointAt(input.Name, state)) as EndpointRecord;
  if (input.Description !== undefined) record.description = input.Description;
  if (input.RoutingConfig) record.routing = structuredClone(input.RoutingConfig);
  if (input.ReplicationConfig) record.replication = structuredClone(input.ReplicationConfig);
  if (input.EventBuses) record.buses = structuredClone(input.EventBuses);
  if (input.RoleArn !== undefined) record.roleArn = input.RoleArn;
  record.modifiedAt = ctx.clock.now();
  check(record, ctx);
  const {
    Description: _,
    StateReason: __,
    CreationTime: ___,
    LastModifiedTime: ____,
    ...answer
  } = describe(state, state.endpoints.put(input.Name, record));
  return { ...answer, State: 'UPDATING' };
}

/**
 * Returns a global endpoint.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DescribeEndpoint.html
 */
export function DescribeEndpoint(
  input: InputOf<'DescribeEndpoint'>,
  { state, region }: EventsContext,
): OutputOf<'DescribeEndpoint'> {
  if (input.HomeRegion !== undefined && input.HomeRegion !== region)
    throw notFound(`Endpoint ${input.Name} does not exist.`);
  return describe(state, endpointAt(input.Name, state));
}

/**
 * Deletes a global endpoint. Its buses remain.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DeleteEndpoint.html
 */
export function DeleteEndpoint(input: InputOf<'DeleteEndpoint'>, { state }: EventsContext): OutputOf<'DeleteEndpoint'> {
  state.endpoints.delete(endpointAt(input.Name, state).name);
  return {};
}

/**
 * Lists the global endpoints of the account.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_ListEndpoints.html
 */
export function ListEndpoints(
  input: InputOf<'ListEndpoints'>,
  { state, region }: EventsContext,
): OutputOf<'ListEndpoints'> {
  const here = input.HomeRegion === undefined || input.HomeRegion === region;
  const found = here ? withPrefix(state.endpoints.values(), input.NamePrefix) : [];
  return paging.page('ListEndpoints', input, found, ({ name }) => name).list((endpoint) => describe(state, endpoint));
}

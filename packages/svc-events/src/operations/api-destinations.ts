import type { DeepReadonly } from '@emu/core/service';
import type {
  ApiDestination,
  ApiDestinationState,
  CreateApiDestinationResponse,
  InputOf,
  OutputOf,
  UpdateApiDestinationRequest,
} from '@emu/service-types/events';
import { isHttpUrl } from '../connections/outgoing.ts';
import type { EventsContext } from '../context.ts';
import { alreadyExists, invalidParameter, notFound } from '../errors.ts';
import { connectionOf } from '../lookup.ts';
import { paging, withPrefix } from '../paging.ts';
import type { ApiDestinationRecord } from '../records.ts';
import { apiDestinationType, connectionType } from '../resources.ts';
import type { EventsState } from '../state.ts';

/** Default rate limit in requests per second. */
const DEFAULT_RATE = 300;

type Destination = DeepReadonly<ApiDestinationRecord>;

/** @throws AwsError `ResourceNotFoundException` */
function destinationAt(name: string, state: EventsState, verb: string): Destination {
  const destination = state.apiDestinations.get(name);
  if (!destination)
    throw notFound(`Failed to ${verb} the api-destination(s). An api-destination '${name}' does not exist.`);
  return destination;
}

/** @throws AwsError `ResourceNotFoundException`, `ValidationException` */
function check(input: UpdateApiDestinationRequest, state: EventsState, verb: string): void {
  const { ConnectionArn: arn, InvocationEndpoint: endpoint } = input;
  if (endpoint !== undefined && !isHttpUrl(endpoint.replaceAll('*', '_'))) throw invalidParameter('InvocationEndpoint');
  if (arn !== undefined && !connectionOf(arn, state))
    throw notFound(
      `Failed to ${verb} the api-destination(s). Connection '${connectionType.parse(arn)?.key.name ?? arn}' does not exist.`,
    );
}

/** Returns ACTIVE if the connection is authorized, otherwise INACTIVE. */
const stateOf = (state: EventsState, { connectionArn }: Destination): ApiDestinationState =>
  connectionOf(connectionArn, state)?.state === 'AUTHORIZED' ? 'ACTIVE' : 'INACTIVE';

const acknowledge = (state: EventsState, destination: Destination): CreateApiDestinationResponse => ({
  ApiDestinationArn: apiDestinationType.arn(destination, state),
  ApiDestinationState: stateOf(state, destination),
  CreationTime: new Date(destination.createdAt),
  LastModifiedTime: new Date(destination.modifiedAt),
});

const describe = (state: EventsState, destination: Destination): ApiDestination => ({
  ...acknowledge(state, destination),
  Name: destination.name,
  ConnectionArn: destination.connectionArn,
  InvocationEndpoint: destination.endpoint,
  HttpMethod: destination.method,
  InvocationRateLimitPerSecond: destination.rateLimit,
});

/**
 * Creates an API destination, which rules can use as a target.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_CreateApiDestination.html
 */
export function CreateApiDestination(
  input: InputOf<'CreateApiDestination'>,
  { state, clock, ids }: EventsContext,
): OutputOf<'CreateApiDestination'> {
  check(input, state, 'create');
  if (state.apiDestinations.has(input.Name)) throw alreadyExists(`An api-destination '${input.Name}'`);
  const now = clock.now();
  const destination = state.apiDestinations.put(input.Name, {
    name: input.Name,
    id: ids.uuid(),
    ...(input.Description !== undefined && { description: input.Description }),
    connectionArn: input.ConnectionArn,
    endpoint: input.InvocationEndpoint,
    method: input.HttpMethod,
    rateLimit: input.InvocationRateLimitPerSecond ?? DEFAULT_RATE,
    createdAt: now,
    modifiedAt: now,
  });
  return acknowledge(state, destination);
}

/**
 * Updates an API destination. Missing members keep their values.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_UpdateApiDestination.html
 */
export function UpdateApiDestination(
  input: InputOf<'UpdateApiDestination'>,
  { state, clock }: EventsContext,
): OutputOf<'UpdateApiDestination'> {
  destinationAt(input.Name, state, 'update');
  check(input, state, 'update');
  const destination = state.apiDestinations.update(input.Name, (draft) => {
    if (input.Description !== undefined) draft.description = input.Description;
    draft.connectionArn = input.ConnectionArn ?? draft.connectionArn;
    draft.endpoint = input.InvocationEndpoint ?? draft.endpoint;
    draft.method = input.HttpMethod ?? draft.method;
    draft.rateLimit = input.InvocationRateLimitPerSecond ?? draft.rateLimit;
    draft.modifiedAt = clock.now();
  });
  return acknowledge(state, destination);
}

/**
 * Returns an API destination.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DescribeApiDestination.html
 */
export function DescribeApiDestination(
  input: InputOf<'DescribeApiDestination'>,
  { state }: EventsContext,
): OutputOf<'DescribeApiDestination'> {
  const destination = destinationAt(input.Name, state, 'describe');
  return { ...describe(state, destination), Description: destination.description };
}

/**
 * Deletes an API destination.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DeleteApiDestination.html
 */
export function DeleteApiDestination(
  input: InputOf<'DeleteApiDestination'>,
  { state }: EventsContext,
): OutputOf<'DeleteApiDestination'> {
  state.apiDestinations.delete(destinationAt(input.Name, state, 'delete').name);
  return {};
}

/**
 * Lists the API destinations of the account, or those of one connection.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_ListApiDestinations.html
 */
export function ListApiDestinations(
  input: InputOf<'ListApiDestinations'>,
  { state }: EventsContext,
): OutputOf<'ListApiDestinations'> {
  const found = withPrefix(state.apiDestinations.values(), input.NamePrefix).filter(
    ({ connectionArn }) => input.ConnectionArn === undefined || connectionArn === input.ConnectionArn,
  );
  return paging
    .page('ListApiDestinations', input, found, ({ name }) => name)
    .list((destination) => describe(state, destination));
}

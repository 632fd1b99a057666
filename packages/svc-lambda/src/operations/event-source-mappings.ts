import type { EventSourceMappingConfiguration, InputOf, OutputOf } from '@emu/service-types/lambda';
import type { LambdaContext } from '../context.ts';
import { checkDestinations } from '../destinations.ts';
import { invalidParameterValue, notFound } from '../errors.ts';
import { EVENT_SOURCES, type EventSourceKind, kindOf, presentSettings } from '../event-sources/kinds.ts';
import { EventSourcePollers } from '../event-sources/pollers.ts';
import { checkDuplicate, checkSettings, checkSource } from '../event-sources/validation.ts';
import { parseFunctionName } from '../function-name.ts';
import { type ResolvedFunction, resolveFunction } from '../names.ts';
import { paging } from '../paging.ts';
import type { EventSourceMapping, EventSourceSettings } from '../records.ts';
import { eventSourceMappingType } from '../resources.ts';
import type { LambdaState } from '../state.ts';
import { tagging } from '../tags.ts';

/** Returns the function of a mapping. AWS rejects a missing one as an invalid parameter. */
function functionOf(name: string, ctx: LambdaContext): ResolvedFunction {
  try {
    return resolveFunction(ctx.state, name);
  } catch (error) {
    if ((error as { code?: string }).code === 'ResourceNotFoundException')
      throw invalidParameterValue('Function does not exist');
    throw error;
  }
}

/**
 * Returns the mapping as the API returns it.
 * @param status transitional status, if any
 */
function shown(
  state: LambdaState,
  mapping: EventSourceMapping,
  status: string = mapping.enabled ? 'Enabled' : 'Disabled',
): EventSourceMappingConfiguration {
  const { FilterCriteria, ScalingConfig, ...settings } = structuredClone(mapping.settings) as EventSourceSettings;
  const { startingPositionTimestamp: timestamp } = mapping;
  const { transitionReason, unread } = EVENT_SOURCES[kindOf(settings)];
  return {
    UUID: mapping.uuid,
    ...settings,
    ...(FilterCriteria?.Filters?.length && { FilterCriteria }),
    ...(ScalingConfig?.MaximumConcurrency !== undefined && { ScalingConfig }),
    ...(timestamp !== undefined && { StartingPositionTimestamp: new Date(timestamp) }),
    EventSourceMappingArn: eventSourceMappingType.arn({ uuid: mapping.uuid }, state),
    FunctionArn: state.functionArn(mapping.functionName, mapping.qualifier),
    LastModified: new Date(mapping.modifiedAt),
    ...(mapping.lastProcessingResult !== undefined && {
      LastProcessingResult: unread ?? state.processingResults.get(mapping.uuid)?.result ?? mapping.lastProcessingResult,
    }),
    State: status,
    StateTransitionReason: unread ?? transitionReason,
  };
}

/** Creates an event source mapping. */
export async function CreateEventSourceMapping(
  input: InputOf<'CreateEventSourceMapping'>,
  ctx: LambdaContext,
): Promise<OutputOf<'CreateEventSourceMapping'>> {
  const { state } = ctx;
  const { FunctionName, Enabled = true, Tags, StartingPositionTimestamp, ...given } = input;
  const kind = kindOf(given);
  const { version, qualifier, record } = functionOf(FunctionName, ctx);
  const traits = EVENT_SOURCES[kind];
  const timestamp = StartingPositionTimestamp?.getTime();
  const tags = tagging.merge(undefined, Tags);
  const uuid = ctx.ids.uuid();
  const settings = withConsumerGroup(withDefaults(kind, traits.defaults, given), uuid);
  checkSettings(kind, settings, timestamp);
  if (given.DestinationConfig) checkDestinations(given.DestinationConfig, state, record.name);
  await checkSource(kind, given.EventSourceArn, version, ctx);
  const mapping = {
    uuid,
    functionName: record.name,
    ...(qualifier !== undefined && { qualifier }),
    enabled: Enabled,
    settings,
    ...(timestamp !== undefined && { startingPositionTimestamp: timestamp }),
    modifiedAt: ctx.clock.now(),
    ...(traits.reportsResult && { lastProcessingResult: 'No records processed' }),
    tags,
  };
  checkDuplicate(kind, mapping, state);
  const made = state.eventSourceMappings.put(uuid, mapping);
  EventSourcePollers.of(state).reconcile();
  await EventSourcePollers.of(state).started(uuid);
  return shown(state, made, 'Creating');
}

/** Returns the settings of a request with defaults. */
function withDefaults(
  kind: EventSourceKind,
  defaults: EventSourceSettings,
  given: EventSourceSettings,
): EventSourceSettings {
  return { ...structuredClone(defaults), ...presentSettings(kind, given) };
}

/** Adds the consumer group: Kafka consumers have a group, by default their own. */
function withConsumerGroup(settings: EventSourceSettings, uuid: string): EventSourceSettings {
  const kind = kindOf(settings);
  if (kind === 'kafka')
    settings.AmazonManagedKafkaEventSourceConfig = {
      ConsumerGroupId: uuid,
      ...settings.AmazonManagedKafkaEventSourceConfig,
    };
  if (kind === 'self-managed-kafka')
    settings.SelfManagedKafkaEventSourceConfig = {
      ConsumerGroupId: uuid,
      ...settings.SelfManagedKafkaEventSourceConfig,
    };
  return settings;
}

function find(uuid: string, state: LambdaState): EventSourceMapping {
  const mapping = state.eventSourceMappings.get(uuid);
  if (!mapping) throw notFound('The resource you requested does not exist.');
  return mapping;
}

/** Returns a mapping. */
export function GetEventSourceMapping(
  input: InputOf<'GetEventSourceMapping'>,
  { state }: LambdaContext,
): OutputOf<'GetEventSourceMapping'> {
  return shown(state, find(input.UUID, state));
}

/** Updates a mapping. */
export async function UpdateEventSourceMapping(
  input: InputOf<'UpdateEventSourceMapping'>,
  ctx: LambdaContext,
): Promise<OutputOf<'UpdateEventSourceMapping'>> {
  const { state } = ctx;
  const { UUID: uuid, FunctionName, Enabled, ...given } = input;
  const before = find(uuid, state);
  const configured = before.settings as EventSourceSettings;
  const kind = kindOf(configured);
  const settings = withDefaults(kind, configured, given);
  const target = FunctionName === undefined ? undefined : functionOf(FunctionName, ctx);
  checkSettings(kind, settings, before.startingPositionTimestamp);
  if (given.DestinationConfig)
    checkDestinations(given.DestinationConfig, state, target?.record.name ?? before.functionName);
  if (target) await checkSource(kind, settings.EventSourceArn, target.version, ctx);
  const current = find(uuid, state);
  const functionName = target?.record.name ?? current.functionName;
  const qualifier = target ? target.qualifier : current.qualifier;
  checkDuplicate(kind, { functionName, ...(qualifier !== undefined && { qualifier }), settings }, state, uuid);
  const changed = state.eventSourceMappings.update(uuid, (draft) => {
    draft.functionName = functionName;
    if (qualifier === undefined) delete draft.qualifier;
    else draft.qualifier = qualifier;
    draft.enabled = Enabled ?? draft.enabled;
    draft.settings = settings;
    draft.modifiedAt = ctx.clock.now();
  });
  EventSourcePollers.of(state).reconcile();
  if (changed.enabled === current.enabled) return shown(state, changed, 'Updating');
  return shown(state, changed, changed.enabled ? 'Enabling' : 'Disabling');
}

/** Deletes a mapping. */
export function DeleteEventSourceMapping(
  input: InputOf<'DeleteEventSourceMapping'>,
  { state }: LambdaContext,
): OutputOf<'DeleteEventSourceMapping'> {
  const mapping = find(input.UUID, state);
  state.eventSourceMappings.delete(mapping.uuid);
  EventSourcePollers.of(state).reconcile();
  const deleted = shown(state, mapping, 'Deleting');
  state.discardSource(mapping.uuid);
  return deleted;
}

/** Lists all mappings, or those of a source or function. */
export function ListEventSourceMappings(
  input: InputOf<'ListEventSourceMappings'>,
  ctx: LambdaContext,
): OutputOf<'ListEventSourceMappings'> {
  const { state } = ctx;
  const wanted = input.FunctionName === undefined ? undefined : parseFunctionName(input.FunctionName);
  if (wanted?.region !== undefined && wanted.region !== state.region)
    throw notFound(`Functions from '${wanted.region}' are not reachable in this region ('${state.region}')`);
  const mappings = [...state.eventSourceMappings.values()].filter(
    (mapping) =>
      (input.EventSourceArn === undefined || mapping.settings.EventSourceArn === input.EventSourceArn) &&
      (!wanted ||
        (mapping.functionName === wanted.name &&
          (wanted.qualifier === undefined || mapping.qualifier === wanted.qualifier))),
  );
  return paging
    .page('ListEventSourceMappings', input, mappings, ({ uuid }) => uuid, { defaultLimit: 100, maxLimit: 100 })
    .list((mapping) => shown(state, mapping));
}

import { exceedsBytes, stateInRegion } from '@emu/core/service';
import type { DescribeEventBusResponse, InputOf, OutputOf, UpdateEventBusRequest } from '@emu/service-types/events';
import { busArn } from '../arns.ts';
import { checkPolicy, MAX_BYTES, policyOf, statementFor, statementsOf, withoutStatement } from '../buses/bus-policy.ts';
import { policyTooLong } from '../buses/policy-problems.ts';
import type { EventsContext } from '../context.ts';
import { alreadyExists, eventsError, invalid, notFound } from '../errors.ts';
import { checkKey } from '../event-key.ts';
import { busAt } from '../lookup.ts';
import { paging, withPrefix } from '../paging.ts';
import { type BusRecord, DEFAULT_BUS } from '../records.ts';
import { busAddress } from '../resources.ts';
import type { Bus, EventsState } from '../state.ts';
import { tagging } from '../tags.ts';

/** Returns the members of a response that describe a bus. */
const describe = (state: EventsState, bus: Bus): DescribeEventBusResponse => ({
  Name: bus.name,
  Arn: busArn(state, bus.name),
  Description: bus.description,
  Policy: bus.policy,
  CreationTime: new Date(bus.createdAt),
  LastModifiedTime: new Date(bus.modifiedAt),
});

/**
 * Returns the settings common to CreateEventBus and UpdateEventBus.
 * @throws AwsError `ValidationException` for a key that cannot be used
 */
async function settingsOf(
  input: Omit<UpdateEventBusRequest, 'Name'>,
  arn: string,
  ctx: EventsContext,
): Promise<Partial<BusRecord>> {
  if (input.KmsKeyIdentifier) await checkKey(input.KmsKeyIdentifier, arn, ctx);
  return {
    ...(input.KmsKeyIdentifier && { kmsKeyIdentifier: input.KmsKeyIdentifier }),
    ...(input.Description && { description: input.Description }),
    ...(input.DeadLetterConfig && { deadLetterConfig: structuredClone(input.DeadLetterConfig) }),
    ...(input.LogConfig && { logConfig: structuredClone(input.LogConfig) }),
  };
}

/** Returns the settings for a response. */
const settingsForResponse = (bus: Bus) => ({
  Description: bus.description,
  KmsKeyIdentifier: bus.kmsKeyIdentifier,
  DeadLetterConfig: bus.deadLetterConfig && { ...bus.deadLetterConfig },
  LogConfig: bus.logConfig && { ...bus.logConfig },
});

/**
 * Creates a bus. A bus for a partner event source has its name and receives its events from then on.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_CreateEventBus.html
 */
export async function CreateEventBus(
  input: InputOf<'CreateEventBus'>,
  ctx: EventsContext,
): Promise<OutputOf<'CreateEventBus'>> {
  const { state } = ctx;
  const { Name: name, EventSourceName: source } = input;
  const tags = tagging.merge(undefined, input.Tags);
  const settings = await settingsOf(input, busArn(state, name), ctx);
  if (source !== undefined && source !== name) throw invalid('Event bus name must match event source name.');
  if (source === undefined && name.includes('/')) throw invalid("Event bus name must not contain '/'.");
  if (state.bus(name)) throw alreadyExists(`Event bus ${name}`);
  if (source !== undefined) {
    const offered = state.eventSources.get(source);
    if (!offered) throw notFound(`Event source ${source} does not exist.`);
    if (offered.state === 'DELETED') throw eventsError('InvalidStateException', `Event source ${source} is deleted.`);
    state.eventSources.update(source, (draft) => {
      draft.state = 'ACTIVE';
    });
  }
  const now = ctx.clock.now();
  const bus = state.buses.put(name, {
    name,
    ...(source !== undefined && { eventSourceName: source }),
    ...settings,
    tags,
    createdAt: now,
    modifiedAt: now,
  });
  return { EventBusArn: busArn(state, name), ...settingsForResponse(bus) };
}

/**
 * Updates the settings of a bus. Without a customer key in the request, the bus has none.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_UpdateEventBus.html
 */
export async function UpdateEventBus(
  input: InputOf<'UpdateEventBus'>,
  ctx: EventsContext,
): Promise<OutputOf<'UpdateEventBus'>> {
  const { state: owner, bus: found } = busAt(input.Name, ctx);
  const settings = await settingsOf(input, busArn(owner, found.name), ctx);
  const { state, bus } = busAt(input.Name, ctx);
  const updated = state.buses.update(bus.name, (draft) => {
    delete draft.kmsKeyIdentifier;
    Object.assign(draft, settings);
    if (input.Description === '') delete draft.description;
    draft.modifiedAt = ctx.clock.now();
  });
  return { Arn: busArn(state, bus.name), Name: bus.name, ...settingsForResponse(updated) };
}

/**
 * Deletes a bus and its rules. Succeeds for an unknown bus.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DeleteEventBus.html
 */
export function DeleteEventBus(input: InputOf<'DeleteEventBus'>, ctx: EventsContext): OutputOf<'DeleteEventBus'> {
  if (input.Name === DEFAULT_BUS) throw invalid('Cannot delete event bus default.');
  const { place, key } = busAddress(input.Name, ctx);
  const state = stateInRegion(place, ctx);
  const bus = state?.bus(key.name);
  if (!state || !bus) return {};
  if (state.rulesOf(bus.name).length) throw invalid(`Event bus ${bus.name} can't be deleted since it has rules.`);
  state.removeBus(bus.name);
  if (bus.eventSourceName !== undefined && state.eventSources.has(bus.eventSourceName))
    state.eventSources.update(bus.eventSourceName, (draft) => {
      if (draft.state === 'ACTIVE') draft.state = 'PENDING';
    });
  return {};
}

/**
 * Returns a bus with its policy.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DescribeEventBus.html
 */
export function DescribeEventBus(input: InputOf<'DescribeEventBus'>, ctx: EventsContext): OutputOf<'DescribeEventBus'> {
  const { state, bus } = busAt(input.Name, ctx);
  return { ...describe(state, bus), ...settingsForResponse(bus) };
}

/**
 * Lists the buses of the account.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_ListEventBuses.html
 */
export function ListEventBuses(input: InputOf<'ListEventBuses'>, ctx: EventsContext): OutputOf<'ListEventBuses'> {
  const { state } = ctx;
  state.bus(DEFAULT_BUS);
  return paging
    .page('ListEventBuses', input, withPrefix(state.buses.values(), input.NamePrefix), ({ name }) => name)
    .list((bus) => describe(state, bus));
}

/**
 * Allows another account to put events onto a bus, or sets the whole policy.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutPermission.html
 */
export async function PutPermission(
  input: InputOf<'PutPermission'>,
  ctx: EventsContext,
): Promise<OutputOf<'PutPermission'>> {
  const { accountId } = busAt(input.EventBusName, ctx).state;
  if (input.Policy !== undefined) await checkPolicy(input.Policy, accountId, ctx);
  const { state, bus } = busAt(input.EventBusName, ctx);
  let policy: string;
  if (input.Policy === undefined) {
    const statement = statementFor(input, busArn(state, bus.name), ctx.region);
    const others = statementsOf(bus.policy).filter(({ Sid }) => Sid !== statement.Sid);
    policy = policyOf([...others, statement])!;
    if (exceedsBytes(policy, MAX_BYTES)) throw policyTooLong();
  } else policy = input.Policy;
  state.buses.update(bus.name, (draft) => {
    draft.policy = policy;
    draft.modifiedAt = ctx.clock.now();
  });
  return {};
}

/**
 * Removes one or all statements of a bus policy.
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_RemovePermission.html
 */
export function RemovePermission(input: InputOf<'RemovePermission'>, ctx: EventsContext): OutputOf<'RemovePermission'> {
  const { state, bus } = busAt(input.EventBusName, ctx);
  const { StatementId: sid, RemoveAllPermissions: all } = input;
  if (!all && sid === undefined) throw invalid('Parameter StatementId must be specified.');
  const policy = all ? undefined : policyOf(withoutStatement(statementsOf(bus.policy), sid!));
  state.buses.update(bus.name, (draft) => {
    if (policy === undefined) delete draft.policy;
    else draft.policy = policy;
    draft.modifiedAt = ctx.clock.now();
  });
  return {};
}

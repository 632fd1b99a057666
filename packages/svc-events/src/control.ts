import type { DeclareRoute, EventBridgeDelivery } from '@emu/control-client';
import { ControlError, type ControlRoute, controlRoute, type ServiceHandle } from '@emu/core/service';
import { isObject } from '@emu/wire';
import { DEFAULT_BUS } from './records.ts';
import type { DeliveryOutcome, EventsState } from './state.ts';

const route: DeclareRoute<ServiceHandle<EventsState>, ControlRoute<EventsState>> = controlRoute;

const deliveryOf = ({ accountId, region }: EventsState, outcome: DeliveryOutcome): EventBridgeDelivery => ({
  accountId,
  region,
  eventId: outcome.eventId,
  eventBusName: outcome.bus,
  ruleName: outcome.rule,
  ruleArn: outcome.ruleArn,
  targetId: outcome.targetId,
  targetArn: outcome.targetArn,
  status: outcome.status,
  attempts: outcome.attempts,
  ...(outcome.error && { error: outcome.error }),
  timestamp: new Date(outcome.at).toISOString(),
});

/** Lists events of every account and region, oldest first, with the outcome at each target. */
const history = route('GET /_emulator/events/history', (_request, service) => {
  const states = [...service.states()].map(({ state }) => state);
  const seen = states.flatMap((state) => state.seen.list().map((entry) => ({ ...entry, state })));
  const outcomes = states.flatMap((state) => state.outcomes.list().map((outcome) => ({ outcome, state })));
  seen.sort((a, b) => a.at - b.at);
  outcomes.sort((a, b) => a.outcome.at - b.outcome.at);
  return {
    json: {
      events: seen.map(({ event, bus, at, state }) => ({
        accountId: state.accountId,
        region: state.region,
        eventId: event.id,
        eventBusName: bus,
        source: event.source,
        detailType: event.detailType,
        detail: JSON.parse(event.detail) as unknown,
        resources: [...event.resources],
        timestamp: new Date(at).toISOString(),
      })),
      deliveries: outcomes.map(({ outcome, state }) => deliveryOf(state, outcome)),
    },
  };
});

/**
 * Runs a rule as its schedule would, with or without a schedule, and responds with the outcomes at its targets.
 */
const fireRule = route('POST /_emulator/events/fire-rule', async ({ body }, service) => {
  const { ruleName, eventBusName = DEFAULT_BUS, accountId, region } = readBody(body);
  const state = service.state(accountId ?? service.settings.accountId, region ?? service.settings.region);
  const rule = state.rule(eventBusName, ruleName);
  if (!rule)
    throw new ControlError(404, 'RuleNotFound', `There is no rule ${ruleName} on the event bus ${eventBusName}.`);
  const outcomes = await state.fireSchedule(rule);
  const [event] = state.seen.list().slice(-1);
  return {
    json: {
      eventId: outcomes[0]?.eventId ?? event?.event.id ?? '',
      deliveries: outcomes.map((outcome) => deliveryOf(state, outcome)),
    },
  };
});

/** Sets the health of a global endpoint's primary region, because emu has no health checks of Route 53. */
const endpointHealth = route('POST /_emulator/events/endpoint-health', ({ body }, service) => {
  const { endpointName, healthy, ...place } = objectOf(body);
  if (typeof endpointName !== 'string' || endpointName === '') throw bad('endpointName must name an endpoint.');
  if (typeof healthy !== 'boolean') throw bad('healthy must be true or false.');
  const { accountId, region } = textsOf(place, ['accountId', 'region']);
  const state = service.state(accountId ?? service.settings.accountId, region ?? service.settings.region);
  if (!state.endpoints.has(endpointName))
    throw new ControlError(404, 'EndpointNotFound', `There is no global endpoint ${endpointName}.`);
  state.endpoints.update(endpointName, (draft) => {
    if (healthy) delete draft.unhealthy;
    else draft.unhealthy = true;
  });
  return { json: { endpointName, healthy } };
});

const bad = (message: string) => new ControlError(400, 'InvalidRequest', message);

/** @throws ControlError if the body is not a JSON object */
function objectOf(body: unknown): Record<string, unknown> {
  if (!isObject(body)) throw bad('The body must be a JSON object.');
  return body;
}

/** Returns the string members of the body. @throws ControlError for other values and unknown members */
function textsOf<Name extends string>(
  members: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): { [name in Name]?: string } {
  for (const [name, value] of Object.entries(members))
    if (!names.some((known) => known === name)) throw bad(`${name} is not a member of the request.`);
    else if (typeof value !== 'string' || value === '') throw bad(`${name} must be a string.`);
  if (typeof members.accountId === 'string' && !/^\d{12}$/.test(members.accountId))
    throw bad('accountId must have twelve digits.');
  return members as { [name in Name]?: string };
}

/** @throws ControlError for an invalid request to fire a rule */
function readBody(body: unknown) {
  const { ruleName, ...rest } = objectOf(body);
  if (typeof ruleName !== 'string' || ruleName === '') throw bad('ruleName must name a rule.');
  return { ruleName, ...textsOf(rest, ['eventBusName', 'accountId', 'region']) };
}

/** Control routes of EventBridge. */
export const control: readonly ControlRoute<EventsState>[] = [history, fireRule, endpointHealth];

import { asService, type CallOptions, type DeepReadonly, parseArn, roleSessionPrincipal } from '@emu/core/service';
import type { Target } from '@emu/service-types/events';
import { AwsError } from '@emu/wire';
import { busArn, ruleArn } from '../arns.ts';
import { take } from '../buses/bus.ts';
import { busNotFound, eventsError } from '../errors.ts';
import type { BusEvent } from '../event.ts';
import { useEventKey } from '../event-key.ts';
import type { RuleRecord } from '../records.ts';
import { apiDestinationType, busType } from '../resources.ts';
import type { EventsState } from '../state.ts';
import { callApiDestination, callApiGateway } from './http.ts';
import { type Attempt, DELIVERED, failureOf } from './outcome.ts';
import { callFor } from './targets.ts';

/** Key of a rule, which may be deleted already. */
export type RuleKey = Readonly<Pick<RuleRecord, 'bus' | 'name'>>;

/** Principal with which EventBridge calls targets of a rule. */
export function callerFor(
  state: EventsState,
  rule: RuleKey,
  accountId: string,
  region: string,
  event: BusEvent,
): CallOptions {
  return {
    accountId,
    region,
    ...asService('events', state.accountId, ruleArn(state, rule.bus, rule.name)),
    cause: event.cause,
    ...(event.traceHeader !== undefined && { traceHeader: event.traceHeader }),
  };
}

/** Delivers an event to a target once. All failures are returned, none is thrown. */
export async function attempt(
  state: EventsState,
  rule: RuleKey,
  target: DeepReadonly<Target>,
  event: BusEvent,
  input: string,
): Promise<Attempt> {
  try {
    if (event.dataKey !== undefined) await useEventKey(event.dataKey, busArn(state, rule.bus), state);
    const arn = parseArn(target.Arn);
    if (!arn) throw eventsError('ValidationException', `The ARN ${target.Arn} is not valid.`);
    if (arn.service === 'events')
      return apiDestinationType.parse(arn)
        ? await callApiDestination(state, target, event, input)
        : await forwardToBus(state, target.Arn, event);
    if (arn.service === 'execute-api') return await callApiGateway(state, target, event, input);
    if (arn.service === 'logs') return await putLog(state, rule, target, event, input);
    const call = callFor({ target, event, input });
    if (!call) throw eventsError('NotImplemented', `emu does not deliver to ${target.Arn}.`, { status: 501 });
    const { accountId, region, authorize, ...options } = callerFor(state, rule, call.accountId, call.region, event);
    const owner = accountId || state.accountId;
    // To other accounts EventBridge delivers as the target's role, so that the role's policies and the resource policy
    // apply.
    const role = owner === state.accountId ? undefined : target.RoleArn;
    await call.send(state, {
      ...options,
      accountId: owner,
      region: region || state.region,
      ...(call.byPolicy && authorize && { authorize: role === undefined ? authorize : {} }),
      ...(role !== undefined && { principal: roleSessionPrincipal(role, 'events') }),
    });
    return DELIVERED;
  } catch (error) {
    return failureOf(error);
  }
}

/**
 * Forwards an event to another bus. An event that came from another bus is not forwarded to a third one.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-bus-to-bus.html
 * @see https://pubudu.dev/posts/manage-amazon-eventbridge-bus-to-bus-recursive-message-passing/ for code and message
 * within one account and region
 */
async function forwardToBus(state: EventsState, arn: string, event: BusEvent): Promise<Attempt> {
  const address = busType.parse(arn);
  if (!address) throw new AwsError('ValidationException', `The ARN ${arn} names no event bus.`);
  const { accountId, region } = address.place;
  const { name } = address.key;
  const foreign = accountId !== state.accountId || region !== state.region;
  if (event.hops > 0 || (foreign && event.foreign))
    return {
      delivered: false,
      code:
        accountId === state.accountId && region !== state.region
          ? 'THIRD_REGION_HOP_DETECTED'
          : 'THIRD_ACCOUNT_HOP_DETECTED',
      message: `Event ingestion rejected for event ${event.id} because an event can be sent to an event bus target only once. This event was previously delivered to an event bus target.`,
      retry: false,
    };
  const other = foreign ? state.service.state(accountId, region) : state;
  if (!other.bus(name)) throw busNotFound(name);
  const id = region === state.region ? event.id : state.ids.uuid();
  await take(other, name, { ...event, id, hops: event.hops + 1, foreign: event.foreign || foreign });
  return DELIVERED;
}

/** Writes an event to a log group, in a new stream. */
async function putLog(
  state: EventsState,
  rule: RuleKey,
  target: DeepReadonly<Target>,
  event: BusEvent,
  input: string,
): Promise<Attempt> {
  const { accountId, region, resource } = parseArn(target.Arn)!;
  const options = callerFor(state, rule, accountId, region, event);
  const logGroupName = resource.replace(/^log-group:/, '').replace(/:\*$/, '');
  const logStreamName = event.id;
  await state.call('logs', 'CreateLogStream', { logGroupName, logStreamName }, options);
  const logEvents = [{ timestamp: state.clock.now(), message: input }];
  await state.call('logs', 'PutLogEvents', { logGroupName, logStreamName, logEvents }, options);
  return DELIVERED;
}

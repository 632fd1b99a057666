import type { DeepReadonly, Place } from '@emu/core';
import type { EventsContext } from './context.ts';
import { busNotFound, ruleNotFound } from './errors.ts';
import type { ConnectionRecord } from './records.ts';
import { busAddress, connectionType } from './resources.ts';
import type { Bus, EventsState, Rule } from './state.ts';

/** A bus and the account and region it is in. */
export interface BusTarget {
  state: EventsState;
  bus: Bus;
}

/** The state of an account and region; undefined where it holds nothing, so that asking makes none. */
export const stateAt = ({ accountId, region }: Place, ctx: EventsContext): EventsState | undefined =>
  accountId === ctx.accountId && region === ctx.region ? ctx.state : ctx.handle.existingState(accountId, region);

/**
 * The bus that a name or an ARN stands for; the default bus where neither is given.
 * @throws AwsError `ResourceNotFoundException`
 */
export function busAt(nameOrArn: string | undefined, ctx: EventsContext): BusTarget {
  const { place, key } = busAddress(nameOrArn, ctx);
  const state = stateAt(place, ctx);
  const bus = state?.bus(key.name);
  if (!state || !bus) throw busNotFound(key.name);
  return { state, bus };
}

/**
 * A rule of a bus.
 * @throws AwsError `ResourceNotFoundException`
 */
export function ruleAt(name: string, nameOrArn: string | undefined, ctx: EventsContext): BusTarget & { rule: Rule } {
  const { state, bus } = busAt(nameOrArn, ctx);
  const rule = state.rule(bus.name, name);
  if (!rule) throw ruleNotFound(name, bus.name);
  return { state, bus, rule };
}

/** The connection that an ARN names; undefined where it is not there. */
export function connectionOf(arn: string, state: EventsState): DeepReadonly<ConnectionRecord> | undefined {
  const key = connectionType.parse(arn)?.key;
  const connection = key && state.connections.get(key.name);
  return connection?.id === key?.id ? connection : undefined;
}

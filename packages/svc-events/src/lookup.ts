import { type DeepReadonly, keyInPlace, stateInRegion } from '@emu/core/service';
import type { EventsContext } from './context.ts';
import { busNotFound, ruleNotFound } from './errors.ts';
import type { ConnectionRecord } from './records.ts';
import { busAddress, connectionType } from './resources.ts';
import type { Bus, EventsState, Rule } from './state.ts';

/** A bus with its account and region. */
export interface BusTarget {
  state: EventsState;
  bus: Bus;
}

/**
 * Returns the bus with a name or an ARN; the default bus if neither is given.
 * @throws AwsError `ResourceNotFoundException`
 */
export function busAt(nameOrArn: string | undefined, ctx: EventsContext): BusTarget {
  const { place, key } = busAddress(nameOrArn, ctx);
  const state = stateInRegion(place, ctx);
  const bus = state?.bus(key.name);
  if (!state || !bus) throw busNotFound(key.name);
  return { state, bus };
}

/**
 * Returns a rule of a bus.
 * @throws AwsError `ResourceNotFoundException`
 */
export function ruleAt(name: string, nameOrArn: string | undefined, ctx: EventsContext): BusTarget & { rule: Rule } {
  const { state, bus } = busAt(nameOrArn, ctx);
  const rule = state.rule(bus.name, name);
  if (!rule) throw ruleNotFound(name, bus.name);
  return { state, bus, rule };
}

/** Returns the connection with an ARN; undefined if it does not exist. */
export function connectionOf(arn: string, state: EventsState): DeepReadonly<ConnectionRecord> | undefined {
  const key = keyInPlace(connectionType, arn, state);
  const connection = key && state.connections.get(key.name);
  return connection?.id === key?.id ? connection : undefined;
}

import { type DeepReadonly, type OperationContext, parseArn } from '@emu/core';
import { parseBusArn } from './arns.ts';
import { busNotFound, ruleNotFound } from './errors.ts';
import { type ConnectionRecord, DEFAULT_BUS } from './records.ts';
import type { Bus, EventsState, Rule } from './state.ts';

/** What the handlers know besides their input. */
export type EventsContext = OperationContext<EventsState>;

/** A bus and the account and region it is in. */
export interface BusTarget {
  state: EventsState;
  bus: Bus;
}

/** The state of an account and region; undefined where it holds nothing, so that asking makes none. */
export function stateAt(accountId: string, region: string, ctx: EventsContext): EventsState | undefined {
  if (accountId === ctx.accountId && region === ctx.region) return ctx.state;
  for (const scope of ctx.handle.states())
    if (scope.accountId === accountId && scope.region === region) return scope.state;
  return undefined;
}

/**
 * The bus that a name or an ARN stands for; the default bus where neither is given.
 * @throws AwsError `ResourceNotFoundException`
 */
export function busAt(nameOrArn: string | undefined, ctx: EventsContext): BusTarget {
  const place = nameOrArn === undefined ? undefined : parseBusArn(nameOrArn);
  const name = place?.name ?? nameOrArn ?? DEFAULT_BUS;
  const state = place ? stateAt(place.accountId, place.region, ctx) : ctx.state;
  const bus = state?.bus(name);
  if (!state || !bus) throw busNotFound(name);
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
  const [kind, name = '', id] = parseArn(arn)?.resource.split('/') ?? [];
  const connection = kind === 'connection' ? state.connections.get(name) : undefined;
  return connection?.id === id ? connection : undefined;
}

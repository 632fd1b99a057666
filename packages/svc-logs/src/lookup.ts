import type { DeepReadonly } from '@emu/core';
import type { LogsContext } from './context.ts';
import { groupNotFound, invalid, invalidParameter, streamNotFound } from './errors.ts';
import type { LogGroup } from './groups.ts';
import type { StreamRecord } from './records.ts';
import { groupAddress } from './resources.ts';
import type { LogsState } from './state.ts';

/** A group and the state that it is in. */
export interface GroupTarget {
  readonly state: LogsState;
  readonly group: LogGroup;
}

/** A stream of a group. */
export interface StreamTarget extends GroupTarget {
  readonly stream: DeepReadonly<StreamRecord>;
}

/**
 * The group of a name in the request's account and region.
 * @throws AwsError `ResourceNotFoundException`
 */
export function groupNamed(name: string, ctx: LogsContext): GroupTarget {
  const group = ctx.state.groups.find(name);
  if (!group) throw groupNotFound();
  return { state: ctx.state, group };
}

/**
 * The group of a name or an ARN, which may be another account's.
 * @throws AwsError `ResourceNotFoundException`, `InvalidParameterException` for an ARN of something else
 */
export function groupIdentified(identifier: string, ctx: LogsContext): GroupTarget {
  const address = groupAddress(identifier, ctx);
  if (!address) throw invalidParameter('The specified log group identifier is not valid.');
  const { place, key } = address;
  const own = place.accountId === ctx.accountId && place.region === ctx.region;
  const state = own ? ctx.state : ctx.handle.existingState(place.accountId, place.region);
  const group = place.region === ctx.region ? state?.groups.find(key.name) : undefined;
  if (!state || !group) throw groupNotFound();
  return { state, group };
}

/** How inputs name a group. */
export interface GroupNaming {
  readonly logGroupName?: string | undefined;
  readonly logGroupIdentifier?: string | undefined;
}

/**
 * The group of an input that has either its name, or its name or ARN.
 * @throws AwsError `ResourceNotFoundException`, `ValidationException`, `InvalidParameterException`
 */
export function groupOf({ logGroupName, logGroupIdentifier }: GroupNaming, ctx: LogsContext): GroupTarget {
  if (logGroupName !== undefined && logGroupIdentifier !== undefined)
    throw invalid('LogGroup name and LogGroup ARN are mutually exclusive parameters.');
  if (logGroupIdentifier !== undefined) return groupIdentified(logGroupIdentifier, ctx);
  if (logGroupName === undefined)
    throw invalidParameter('Either logGroupName or logGroupIdentifier must be specified.');
  return groupNamed(logGroupName, ctx);
}

/**
 * A stream of a group.
 * @throws AwsError `ResourceNotFoundException`
 */
export function streamOf({ state, group }: GroupTarget, name: string): StreamTarget {
  const stream = group.stream(name);
  if (!stream) throw streamNotFound();
  return { state, group, stream };
}

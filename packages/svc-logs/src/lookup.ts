import { type DeepReadonly, stateInRegion } from '@emu/core/service';
import type { LogsContext } from './context.ts';
import { groupNotFound, invalid, invalidParameter, streamNotFound } from './errors.ts';
import type { LogGroup } from './groups/groups.ts';
import type { StreamRecord } from './records.ts';
import { groupAddress } from './resources.ts';
import type { LogsState } from './state.ts';

/** A group and its state. */
export interface GroupTarget {
  readonly state: LogsState;
  readonly group: LogGroup;
}

/** A stream of a group. */
export interface StreamTarget extends GroupTarget {
  readonly stream: DeepReadonly<StreamRecord>;
}

/**
 * Returns a group of the request's account and region by name.
 * @throws AwsError `ResourceNotFoundException`
 */
export function groupNamed(name: string, ctx: LogsContext): GroupTarget {
  const group = ctx.state.groups.find(name);
  if (!group) throw groupNotFound();
  return { state: ctx.state, group };
}

/**
 * Returns a group by name or ARN; the ARN may belong to another account.
 * @throws AwsError `ResourceNotFoundException`, `InvalidParameterException` for the ARN of another resource
 */
export function groupIdentified(identifier: string, ctx: LogsContext): GroupTarget {
  const address = groupAddress(identifier, ctx);
  if (!address) throw invalidParameter('The specified log group identifier is not valid.');
  const { place, key } = address;
  const state = stateInRegion(place, ctx);
  const group = state?.groups.find(key.name);
  if (!state || !group) throw groupNotFound();
  return { state, group };
}

/** Input members that name a group. */
export interface GroupNaming {
  readonly logGroupName?: string | undefined;
  readonly logGroupIdentifier?: string | undefined;
}

/**
 * Returns the group of an input with either a name or an identifier.
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
 * Returns a stream of a group.
 * @throws AwsError `ResourceNotFoundException`
 */
export function streamOf({ state, group }: GroupTarget, name: string): StreamTarget {
  const stream = group.stream(name);
  if (!stream) throw streamNotFound();
  return { state, group, stream };
}

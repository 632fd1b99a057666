import type { Collection, DeepReadonly, Place, ResourceAddress } from '@emu/core/service';
import type { LogsContext } from './context.ts';
import type { LogGroup } from './groups.ts';
import { lookupTableType, scheduledQueryType } from './insights/resources.ts';
import {
  deliveryDestinationType,
  deliverySourceType,
  deliveryType,
  destinationType,
  detectorType,
  groupAddress,
} from './resources.ts';
import type { LogsState } from './state.ts';

type Tags = Readonly<Record<string, string>>;

/** Tags of a resource and a function to replace them. */
export interface Tagged {
  readonly tags: Tags;
  set(tags: Record<string, string>): void;
}

/** Returns the tags of a log group. */
export const taggedGroup = (state: LogsState, group: LogGroup): Tagged => ({
  tags: group.record.tags,
  set: (tags) =>
    state.groups.update(group, (draft) => {
      draft.tags = tags;
    }),
});

/** Returns the tags of a record; undefined if it is missing. */
function taggedRecord<Kept extends { tags: Record<string, string> }>(
  records: Collection<Kept>,
  key: string,
): Tagged | undefined {
  const record: DeepReadonly<{ tags: Record<string, string> }> | undefined = records.get(key);
  return (
    record && {
      tags: record.tags,
      set: (tags) => {
        records.update(key, (draft) => {
          draft.tags = tags;
        });
      },
    }
  );
}

/** Returns the tags of a resource by ARN; undefined if it is not in the request's account and region. */
export function taggedAt(arn: string, ctx: LogsContext): Tagged | undefined {
  const { state } = ctx;
  const isHere = ({ place }: { place: Place }): boolean =>
    place.accountId === ctx.accountId && place.region === ctx.region;
  for (const [address, records] of [
    [named(destinationType.parse(arn)), state.destinations],
    [named(deliverySourceType.parse(arn)), state.deliverySources],
    [named(deliveryDestinationType.parse(arn)), state.deliveryDestinations],
    [named(deliveryType.parse(arn)), state.vendedDeliveries],
    [named(detectorType.parse(arn)), state.detectors],
    [named(lookupTableType.parse(arn)), state.insights.lookupTables.tables],
    [named(scheduledQueryType.parse(arn)), state.insights.scheduled.queries],
  ] as const)
    if (address) return isHere(address) ? taggedRecord(records as Collection<TaggedKept>, address.key) : undefined;
  const address = groupAddress(arn, ctx);
  const group = address && isHere(address) ? state.groups.find(address.key.name) : undefined;
  return group && taggedGroup(state, group);
}

type TaggedKept = { tags: Record<string, string> };

/** ARN of a resource with a name or id. */
const named = (
  address: ResourceAddress<{ name: string } | { id: string }> | undefined,
): { place: Place; key: string } | undefined =>
  address && { place: address.place, key: 'name' in address.key ? address.key.name : address.key.id };

import { type Collection, defineResource, type Place, tagCallsBy, taggedRecord } from '@emu/core/service';
import { asString } from '@emu/wire';
import { tagging } from '../tags.ts';
import type { OpsItemRecord, OpsMetadataRecord } from './records.ts';

type Input = Readonly<Record<string, unknown>>;

/** Resources of an account and region among which OpsItems and metadata are found. */
export interface OpsRegistry {
  readonly ops: { readonly items: Collection<OpsItemRecord>; readonly metadata: Collection<OpsMetadataRecord> };
}

/** Returns the id in an input, or the id of the tagged resource if it has the type. */
const idIn = (input: Input, member: string, type: string): string | undefined => {
  const id = input[member] ?? (input.ResourceType === type ? input.ResourceId : undefined);
  return asString(id);
};

/** Operational work items. */
export const opsItemType = defineResource({
  name: 'opsitem',
  service: 'ssm',
  scope: 'region',
  format: 'opsitem/{id}',
  identify(input: Input, place: Place) {
    const id = idIn(input, 'OpsItemId', 'OpsItem');
    return id === undefined ? undefined : { key: { id }, place };
  },
  records: ({ ops }: OpsRegistry) => ops.items,
  tagged: { tagging, find: ({ ops }, { id }) => taggedRecord(ops.items, id) },
  tagCalls: tagCallsBy('AddTagsToResource', 'RemoveTagsFromResource', ({ id }: { id: string }) => ({
    ResourceType: 'OpsItem',
    ResourceId: id,
  })),
});

/** Application metadata; ids contain slashes. */
export const opsMetadataType = defineResource({
  name: 'opsmetadata',
  service: 'ssm',
  scope: 'region',
  format: 'opsmetadata/{id+}',
  arnMembers: ['OpsMetadataArn'],
  identify(input: Input, place: Place) {
    const id = idIn(input, '', 'OpsMetadata');
    return id === undefined ? undefined : { key: { id }, place };
  },
  records: ({ ops }: OpsRegistry) => ops.metadata,
  tagged: { tagging, find: ({ ops }, { id }) => taggedRecord(ops.metadata, id) },
  tagCalls: tagCallsBy('AddTagsToResource', 'RemoveTagsFromResource', ({ id }: { id: string }) => ({
    ResourceType: 'OpsMetadata',
    ResourceId: id,
  })),
});

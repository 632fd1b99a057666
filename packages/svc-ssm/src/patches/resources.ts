import { type Collection, defineResource, type Place, tagCallsBy, taggedRecord } from '@emu/core/service';
import { tagging } from '../tags.ts';
import type { BaselineRecord } from './records.ts';

type Input = Readonly<Record<string, unknown>>;

/** Resources of an account and region among which patch baselines are found. */
export interface BaselineRegistry {
  readonly patches: { readonly baselines: Collection<BaselineRecord> };
}

/** Patch baselines, identified by id or, for AWS's, by ARN. */
export const baselineType = defineResource({
  name: 'patchbaseline',
  service: 'ssm',
  scope: 'region',
  format: 'patchbaseline/{id}',
  cloudFormation: 'AWS::SSM::PatchBaseline',
  arnMembers: ['BaselineId'],
  identify(input: Input, place: Place) {
    const id = input.BaselineId ?? (input.ResourceType === 'PatchBaseline' ? input.ResourceId : undefined);
    if (typeof id !== 'string' || id.startsWith('arn:')) return undefined;
    return { key: { id }, place };
  },
  records: ({ patches }: BaselineRegistry) => patches.baselines,
  tagged: { tagging, find: ({ patches }, { id }) => taggedRecord(patches.baselines, id) },
  tagCalls: tagCallsBy('AddTagsToResource', 'RemoveTagsFromResource', ({ id }: { id: string }) => ({
    ResourceType: 'PatchBaseline',
    ResourceId: id,
  })),
});

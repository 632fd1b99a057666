import { type Collection, defineResource, type Place, tagCallsBy, taggedRecord } from '@emu/core/service';
import { tagging } from '../tags.ts';
import type { AssociationRecord } from './records.ts';

type Input = Readonly<Record<string, unknown>>;

/** Resources of an account and region among which associations are found. */
export interface AssociationRegistry {
  readonly associations: { readonly associations: Collection<AssociationRecord> };
}

/** State Manager associations. */
export const associationType = defineResource({
  name: 'association',
  service: 'ssm',
  scope: 'region',
  format: 'association/{id}',
  cloudFormation: 'AWS::SSM::Association',
  identify(input: Input, place: Place, operation) {
    const own = /RelatedItem/.test(operation) ? undefined : input.AssociationId;
    const id = own ?? (input.ResourceType === 'Association' ? input.ResourceId : undefined);
    return typeof id === 'string' ? { key: { id }, place } : undefined;
  },
  records: ({ associations }: AssociationRegistry) => associations.associations,
  tagged: { tagging, find: ({ associations }, { id }) => taggedRecord(associations.associations, id) },
  tagCalls: tagCallsBy('AddTagsToResource', 'RemoveTagsFromResource', ({ id }: { id: string }) => ({
    ResourceType: 'Association',
    ResourceId: id,
  })),
});

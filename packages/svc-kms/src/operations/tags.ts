import { tagOperations } from '@emu/core/service';
import type { KmsOperations } from '@emu/service-types/kms';
import type { KmsContext } from '../context.ts';
import { ownKey, refusePendingDeletion } from '../lookup.ts';
import { paging } from '../paging.ts';
import { keyType } from '../resources.ts';
import { tagging } from '../tags.ts';

const DEFAULT_LIMIT = 50;

/** Tags of keys. @see https://docs.aws.amazon.com/kms/latest/APIReference/API_TagResource.html */
export const tags = tagOperations<KmsOperations, KmsContext>()({
  tagging,
  tag: ['TagResource', 'Tags'],
  untag: ['UntagResource', 'TagKeys'],
  list: [
    'ListResourceTags',
    (tags, input) =>
      paging
        .page('ListResourceTags', input, tags, ({ TagKey }) => TagKey, { defaultLimit: DEFAULT_LIMIT })
        .list((tag) => tag),
  ],
  async resource({ KeyId }, ctx, purpose) {
    const changes = purpose !== 'list';
    const target = await ownKey(KeyId, ctx, changes);
    if (changes) refusePendingDeletion(target);
    return keyType.tagged(target.state, target.key)!;
  },
});

import { tagOperations } from '@emu/core/service';
import type { S3controlOperations } from '@emu/service-types/s3control';
import type { S3controlContext } from '../context.ts';
import { checkAccount } from '../context.ts';
import { FINDERS, noSuchResource } from '../tagged.ts';
import { tagging } from '../tags.ts';

/** Tags of resources. @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_control_TagResource.html */
export const tags = tagOperations<S3controlOperations, S3controlContext>()({
  tagging,
  tag: ['TagResource', 'Tags'],
  untag: ['UntagResource', 'TagKeys'],
  list: ['ListTagsForResource', 'Tags'],
  checkFirst: ({ added }) => void tagging.merge(undefined, added),
  async resource({ AccountId, ResourceArn }, ctx, purpose) {
    checkAccount(ctx, AccountId);
    for (const find of FINDERS) {
      const found = await find(ResourceArn, ctx, purpose);
      if (found) return found;
    }
    throw noSuchResource();
  },
});

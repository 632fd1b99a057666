import { taggable, taggedByArn, tagOperations } from '@emu/core/service';
import type { SnsOperations } from '@emu/service-types/sns';
import type { SnsContext } from '../context.ts';
import { snsError } from '../errors.ts';
import { topicType } from '../resources.ts';
import { tagging } from '../tags.ts';

const unknown = () => snsError('ResourceNotFoundException', 'Resource does not exist');

/** Tags of topics. @see https://docs.aws.amazon.com/sns/latest/api/API_TagResource.html */
export const tags = tagOperations<SnsOperations, SnsContext>()({
  tagging,
  tag: ['TagResource', 'Tags'],
  untag: ['UntagResource', 'TagKeys'],
  list: ['ListTagsForResource', 'Tags'],
  resource: taggedByArn({ member: 'ResourceArn', types: [taggable(topicType, unknown)], foreign: true, unknown }),
});

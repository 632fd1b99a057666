import { taggable, taggedByArn, tagOperations } from '@emu/core/service';
import type { PipesOperations } from '@emu/service-types/pipes';
import type { PipesContext } from '../context.ts';
import { pipeNotFound } from '../errors.ts';
import { pipeType } from '../resources.ts';
import { tagging } from '../tags.ts';

/** Tags of pipes. @see https://docs.aws.amazon.com/eventbridge/latest/pipes-reference/API_TagResource.html */
export const tags = tagOperations<PipesOperations, PipesContext>()({
  tagging,
  tag: ['TagResource', 'tags'],
  untag: ['UntagResource', 'tagKeys'],
  list: ['ListTagsForResource', 'tags'],
  resource: taggedByArn({
    member: 'resourceArn',
    types: [taggable(pipeType, ({ name }) => pipeNotFound(name))],
    unknown: pipeNotFound,
    elsewhere: pipeNotFound,
  }),
});

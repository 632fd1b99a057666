import type { InputOf, OutputOf } from '@emu/service-types/pipes';
import type { PipesContext } from '../context.ts';
import { pipeAt } from '../lookup.ts';
import { tagging } from '../tags.ts';

/** @see https://docs.aws.amazon.com/eventbridge/latest/pipes-reference/API_ListTagsForResource.html */
export function ListTagsForResource(
  { resourceArn }: InputOf<'ListTagsForResource'>,
  ctx: PipesContext,
): OutputOf<'ListTagsForResource'> {
  return { tags: { ...pipeAt(resourceArn, ctx).tags } };
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/pipes-reference/API_TagResource.html */
export function TagResource({ resourceArn, tags }: InputOf<'TagResource'>, ctx: PipesContext): OutputOf<'TagResource'> {
  const pipe = pipeAt(resourceArn, ctx);
  const merged = tagging.merge(pipe.tags, tags);
  ctx.state.changePipe(pipe.name, (draft) => {
    draft.tags = merged;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/pipes-reference/API_UntagResource.html */
export function UntagResource(
  { resourceArn, tagKeys }: InputOf<'UntagResource'>,
  ctx: PipesContext,
): OutputOf<'UntagResource'> {
  const pipe = pipeAt(resourceArn, ctx);
  const left = tagging.remove(pipe.tags, tagKeys);
  ctx.state.changePipe(pipe.name, (draft) => {
    draft.tags = left;
  });
  return {};
}

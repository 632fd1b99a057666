import type {
  ListTagsForResourceRequest,
  ListTagsForResourceResponse,
  TagResourceRequest,
  UntagResourceRequest,
} from '@emu/service-types/pipes';
import { type PipesContext, pipeAt } from '../lookup.ts';
import { tagging } from '../tags.ts';

/** @see https://docs.aws.amazon.com/eventbridge/latest/pipes-reference/API_ListTagsForResource.html */
export const ListTagsForResource = (
  { resourceArn }: ListTagsForResourceRequest,
  ctx: PipesContext,
): ListTagsForResourceResponse => ({ tags: { ...pipeAt(resourceArn, ctx).tags } });

/** @see https://docs.aws.amazon.com/eventbridge/latest/pipes-reference/API_TagResource.html */
export function TagResource({ resourceArn, tags }: TagResourceRequest, ctx: PipesContext): Record<string, never> {
  const pipe = pipeAt(resourceArn, ctx);
  const merged = tagging.merge(pipe.tags, tags);
  ctx.state.changePipe(pipe.name, (draft) => {
    draft.tags = merged;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/pipes-reference/API_UntagResource.html */
export function UntagResource(
  { resourceArn, tagKeys }: UntagResourceRequest,
  ctx: PipesContext,
): Record<string, never> {
  const pipe = pipeAt(resourceArn, ctx);
  const left = tagging.remove(pipe.tags, tagKeys);
  ctx.state.changePipe(pipe.name, (draft) => {
    draft.tags = left;
  });
  return {};
}

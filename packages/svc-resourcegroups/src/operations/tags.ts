import type {
  GetTagsInput,
  GetTagsOutput,
  TagInput,
  TagOutput,
  UntagInput,
  UntagOutput,
} from '@emu/service-types/resourcegroups';
import { groupAt } from '../lookup.ts';
import type { GroupsContext } from '../query/context.ts';
import { tagging } from '../tags.ts';

/** @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_GetTags.html */
export const GetTags = ({ Arn }: GetTagsInput, ctx: GroupsContext): GetTagsOutput => ({
  Arn,
  Tags: { ...groupAt(Arn, ctx).tags },
});

/** @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_Tag.html */
export function Tag({ Arn, Tags }: TagInput, ctx: GroupsContext): TagOutput {
  const { name, tags } = groupAt(Arn, ctx);
  const merged = tagging.merge(tags, Tags);
  ctx.state.groups.update(name, (draft) => {
    draft.tags = merged;
  });
  return { Arn, Tags };
}

/** @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_Untag.html */
export function Untag({ Arn, Keys }: UntagInput, ctx: GroupsContext): UntagOutput {
  const { name, tags } = groupAt(Arn, ctx);
  ctx.state.groups.update(name, (draft) => {
    draft.tags = tagging.remove(tags, Keys);
  });
  return { Arn, Keys };
}

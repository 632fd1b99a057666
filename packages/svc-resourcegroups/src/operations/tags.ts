import type { InputOf, OutputOf } from '@emu/service-types/resourcegroups';
import type { ResourcegroupsContext } from '../context.ts';
import { groupAt } from '../lookup.ts';
import { tagging } from '../tags.ts';

/** @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_GetTags.html */
export function GetTags({ Arn }: InputOf<'GetTags'>, ctx: ResourcegroupsContext): OutputOf<'GetTags'> {
  return {
    Arn,
    Tags: { ...groupAt(Arn, ctx).tags },
  };
}

/** @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_Tag.html */
export function Tag({ Arn, Tags }: InputOf<'Tag'>, ctx: ResourcegroupsContext): OutputOf<'Tag'> {
  const { name, tags } = groupAt(Arn, ctx);
  const merged = tagging.merge(tags, Tags);
  ctx.state.groups.update(name, (draft) => {
    draft.tags = merged;
  });
  return { Arn, Tags };
}

/** @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_Untag.html */
export function Untag({ Arn, Keys }: InputOf<'Untag'>, ctx: ResourcegroupsContext): OutputOf<'Untag'> {
  const { name, tags } = groupAt(Arn, ctx);
  ctx.state.groups.update(name, (draft) => {
    draft.tags = tagging.remove(tags, Keys);
  });
  return { Arn, Keys };
}

import { tagOperations } from '@emu/core/service';
import type { ResourcegroupsOperations } from '@emu/service-types/resourcegroups';
import type { ResourcegroupsContext } from '../context.ts';
import { groupAt } from '../lookup.ts';
import { groupType } from '../resources.ts';
import { tagging } from '../tags.ts';

/** Tags of groups. @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_Tag.html */
export const tags = tagOperations<ResourcegroupsOperations, ResourcegroupsContext>()({
  tagging,
  tag: ['Tag', 'Tags', ({ Arn, Tags }) => ({ Arn, Tags })],
  untag: ['Untag', 'Keys', ({ Arn, Keys }) => ({ Arn, Keys })],
  list: ['GetTags', (Tags, { Arn }) => ({ Arn, Tags })],
  resource: ({ Arn }, ctx) => groupType.tagged(ctx.state, groupAt(Arn, ctx))!,
});

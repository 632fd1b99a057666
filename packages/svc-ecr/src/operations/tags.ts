import { tagOperations } from '@emu/core/service';
import type { EcrOperations } from '@emu/service-types/ecr';
import type { EcrContext } from '../context.ts';
import { invalidParameter } from '../errors.ts';
import { repositoryOf } from '../lookup.ts';
import { repositoryType } from '../resources.ts';
import { tagging } from '../tags.ts';

/** Tags of repositories. @see https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_TagResource.html */
export const tags = tagOperations<EcrOperations, EcrContext>()({
  tagging,
  tag: ['TagResource', 'tags'],
  untag: ['UntagResource', 'tagKeys'],
  list: ['ListTagsForResource', 'tags'],
  resource({ resourceArn }, ctx) {
    const address = repositoryType.parse(resourceArn);
    if (address?.place.region !== ctx.region)
      throw invalidParameter("Invalid parameter at 'resourceArn' failed to satisfy constraint: 'Invalid ARN'");
    const { accountId: registryId } = address.place;
    const { name } = repositoryOf({ registryId, repositoryName: address.key.name }, ctx);
    return repositoryType.tagged(ctx.state, { name })!;
  },
});

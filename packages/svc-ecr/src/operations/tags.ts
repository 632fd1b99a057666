import type { InputOf, OutputOf, Tag } from '@emu/service-types/ecr';
import type { EcrContext } from '../context.ts';
import { invalid } from '../errors.ts';
import { repositoryOf } from '../lookup.ts';
import type { Repository } from '../records.ts';
import { repositoryType } from '../resources.ts';
import { tagging } from '../tags.ts';

/**
 * Returns the repository with an ARN.
 * @throws AwsError `InvalidParameterException`, `RepositoryNotFoundException`
 */
function repositoryAt(arn: string, ctx: EcrContext): Repository {
  const address = repositoryType.parse(arn);
  if (!address || address.place.region !== ctx.region)
    throw invalid("Invalid parameter at 'resourceArn' failed to satisfy constraint: 'Invalid ARN'");
  return repositoryOf({ registryId: address.place.accountId, repositoryName: address.key.name }, ctx);
}

/** @see https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_ListTagsForResource.html */
export function ListTagsForResource(
  { resourceArn }: InputOf<'ListTagsForResource'>,
  ctx: EcrContext,
): OutputOf<'ListTagsForResource'> {
  return { tags: repositoryAt(resourceArn, ctx).tags as Tag[] };
}

/** @see https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_TagResource.html */
export function TagResource({ resourceArn, tags }: InputOf<'TagResource'>, ctx: EcrContext): OutputOf<'TagResource'> {
  const { name, tags: existing } = repositoryAt(resourceArn, ctx);
  const merged = tagging.merge(existing, tags);
  ctx.state.change(name, (draft) => {
    draft.tags = merged;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_UntagResource.html */
export function UntagResource(
  { resourceArn, tagKeys }: InputOf<'UntagResource'>,
  ctx: EcrContext,
): OutputOf<'UntagResource'> {
  const { name, tags: existing } = repositoryAt(resourceArn, ctx);
  const left = tagging.remove(existing, tagKeys);
  ctx.state.change(name, (draft) => {
    draft.tags = left;
  });
  return {};
}

import type { InputOf, OutputOf } from '@emu/service-types/s3control';
import type { S3controlContext } from '../context.ts';
import { checkAccount } from '../context.ts';
import {
  accessGrants,
  accessPoints,
  bucket,
  noSuchResource,
  storageLensGroup,
  type TaggedResource,
  type TaggedResourceFinder,
} from '../tagged.ts';
import { tagging } from '../tags.ts';

/** All taggable resource types. */
const FINDERS: readonly TaggedResourceFinder[] = [bucket, ...accessPoints, storageLensGroup, ...accessGrants];

async function find(
  ctx: S3controlContext,
  { AccountId, ResourceArn }: { AccountId: string; ResourceArn: string },
): Promise<TaggedResource> {
  checkAccount(ctx, AccountId);
  for (const finder of FINDERS) {
    const found = await finder(ResourceArn, ctx);
    if (found) return found;
  }
  throw noSuchResource();
}

/** @throws AwsError `NoSuchResource`, `InvalidTag`, `TooManyTags` */
export async function TagResource(
  input: InputOf<'TagResource'>,
  ctx: S3controlContext,
): Promise<OutputOf<'TagResource'>> {
  const added = tagging.merge(undefined, input.Tags);
  const resource = await find(ctx, input);
  await resource.replace(tagging.merge(await resource.tags(), added));
  return {};
}

/**
 * Removes tags; ignores missing ones.
 * @throws AwsError `NoSuchResource`
 */
export async function UntagResource(
  input: InputOf<'UntagResource'>,
  ctx: S3controlContext,
): Promise<OutputOf<'UntagResource'>> {
  const resource = await find(ctx, input);
  const present = await resource.tags();
  const kept = tagging.remove(present, input.TagKeys);
  if (kept.length < present.length) await resource.replace(kept);
  return {};
}

/** @throws AwsError `NoSuchResource` */
export async function ListTagsForResource(
  input: InputOf<'ListTagsForResource'>,
  ctx: S3controlContext,
): Promise<OutputOf<'ListTagsForResource'>> {
  const resource = await find(ctx, input);
  return { Tags: [...(await resource.tags())] };
}

import type { ResourceTagging } from '@emu/core/service';
import type { FailureInfo, InputOf, OutputOf } from '@emu/service-types/resourcegroupstaggingapi';
import { AwsError } from '@emu/wire';
import type { ResourcegroupstaggingapiContext } from '../context.ts';
import { invalidParameter } from '../errors.ts';
import { directoryOf } from '../lookup.ts';
import { paging, withToken } from '../paging.ts';
import { checkArn } from './resources.ts';

const TEXTS_OF_PAGE = { defaultLimit: 1000 };

/** @see https://docs.aws.amazon.com/resourcegroupstagging/latest/APIReference/API_GetTagKeys.html */
export async function GetTagKeys(
  input: InputOf<'GetTagKeys'>,
  ctx: ResourcegroupstaggingapiContext,
): Promise<OutputOf<'GetTagKeys'>> {
  const keys = new Set<string>();
  for (const { tags = {} } of await tagged(ctx)) for (const key of Object.keys(tags)) keys.add(key);
  const page = paging.page('GetTagKeys', input, keys, (key) => key, TEXTS_OF_PAGE);
  return withToken(page.list((key) => key));
}

/** @see https://docs.aws.amazon.com/resourcegroupstagging/latest/APIReference/API_GetTagValues.html */
export async function GetTagValues(
  input: InputOf<'GetTagValues'>,
  ctx: ResourcegroupstaggingapiContext,
): Promise<OutputOf<'GetTagValues'>> {
  const { Key: key } = input;
  const values = new Set<string>();
  for (const { tags = {} } of await tagged(ctx)) if (Object.hasOwn(tags, key)) values.add(tags[key]!);
  const page = paging.page('GetTagValues', input, values, (value) => value, TEXTS_OF_PAGE);
  return withToken(page.list((value) => value));
}

const tagged = async (ctx: ResourcegroupstaggingapiContext) =>
  (await directoryOf(ctx)).list(ctx.accountId, ctx.region, { tagged: true });

/**
 * Tags resources through the operations of their own services, as the caller.
 * @see https://docs.aws.amazon.com/resourcegroupstagging/latest/APIReference/API_TagResources.html
 */
export async function TagResources(
  { ResourceARNList, Tags }: InputOf<'TagResources'>,
  ctx: ResourcegroupstaggingapiContext,
): Promise<OutputOf<'TagResources'>> {
  for (const key of Object.keys(Tags))
    if (/^aws:/i.test(key)) throw invalidParameter('Tag keys must not begin with aws:, which AWS reserves.');
  return { FailedResourcesMap: await change(ResourceARNList, ctx, (resource) => resource.tag(Tags)) };
}

/** @see https://docs.aws.amazon.com/resourcegroupstagging/latest/APIReference/API_UntagResources.html */
export async function UntagResources(
  { ResourceARNList, TagKeys }: InputOf<'UntagResources'>,
  ctx: ResourcegroupstaggingapiContext,
): Promise<OutputOf<'UntagResources'>> {
  return { FailedResourcesMap: await change(ResourceARNList, ctx, (resource) => resource.untag(TagKeys)) };
}

/** Changes the tags of resources one after the other, and returns the failures. */
async function change(
  arns: readonly string[],
  ctx: ResourcegroupstaggingapiContext,
  callOf: (resource: ResourceTagging) => { operation: string; input: unknown },
): Promise<Record<string, FailureInfo>> {
  for (const arn of arns) checkArn(arn);
  const directory = await directoryOf(ctx);
  const failed: Record<string, FailureInfo> = {};
  for (const arn of new Set(arns)) {
    try {
      const resource = await directory.tagging(arn, ctx.accountId, ctx.region);
      // AWS's message is the ARN.
      if (!resource) throw invalidParameter(arn);
      const { operation, input } = callOf(resource);
      await ctx.callJson(resource.service, operation, input, { authorize: {} });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      failed[arn] = {
        StatusCode: error.status ?? 400,
        ErrorCode: error.code as FailureInfo['ErrorCode'],
        ErrorMessage: error.message,
      };
    }
  }
  return failed;
}

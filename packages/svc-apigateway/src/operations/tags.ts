import { parseArn } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/apigateway';
import type { ApigatewayContext } from '../context.ts';
import { domainsOfOtherApi } from '../domains/shared.ts';
import { badRequest, notFound } from '../errors.ts';
import type { Tags as TagRecord } from '../records.ts';
import { tagging } from '../tags.ts';

/** A resource with tags. */
interface Tagged {
  readonly tags?: Readonly<TagRecord> | undefined;
}

/**
 * Returns the tags of the resource of an ARN, with their setter.
 * @throws AwsError `BadRequestException`, `NotFoundException`
 */
function taggedOf(arn: string, { state }: ApigatewayContext): { tags: Tagged['tags']; set(tags: TagRecord): void } {
  const { service, resource = '' } = parseArn(arn) ?? {};
  if (service !== 'apigateway') throw badRequest('Invalid ARN specified in the request');
  const [, kind, id = '', child, name = ''] = resource.split('/');
  const set = (tags: TagRecord) => (draft: { tags?: TagRecord | undefined }) => {
    draft.tags = tags;
  };
  if (kind === 'restapis' && child === 'stages' && state.stages.get(id, name))
    return {
      tags: state.stages.get(id, name)!.tags,
      set: (tags) => void state.stages.update(id, name, set(tags)),
    };
  const collections = {
    restapis: state.apis,
    apikeys: state.apiKeys,
    usageplans: state.usagePlans,
    vpclinks: state.vpcLinks,
    clientcertificates: state.certificates,
    domainnames: state.domains,
  };
  if (kind === 'domainnameaccessassociations' && state.associations.has(arn))
    return {
      tags: state.associations.get(arn)!.tags,
      set: (tags) => void state.associations.update(arn, set(tags)),
    };
  const collection = child === undefined ? collections[kind as keyof typeof collections] : undefined;
  const key = kind === 'domainnames' ? id.split('+')[0]! : id;
  const found = collection?.get(key) as Tagged | undefined;
  if (!collection || !found) throw notFound('Invalid resource ARN specified');
  return { tags: found.tags, set: (tags) => void collection.update(key, set(tags) as never) };
}

/** Whether an ARN is that of a domain name stored by the version 2 API. */
async function isInOtherApi(arn: string, ctx: ApigatewayContext): Promise<boolean> {
  const [, kind, name] = (parseArn(arn)?.resource ?? '').split('/');
  if (kind !== 'domainnames' || ctx.state.domains.has(name?.split('+')[0] ?? '')) return false;
  return (await domainsOfOtherApi(ctx)).some(({ domainName }) => domainName === name);
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_TagResource.html */
export async function TagResource(
  { resourceArn, tags }: InputOf<'TagResource'>,
  ctx: ApigatewayContext,
): Promise<OutputOf<'TagResource'>> {
  if (await isInOtherApi(resourceArn, ctx)) {
    await ctx.call('apigatewayv2', 'TagResource', { ResourceArn: resourceArn, Tags: tags });
    return {};
  }
  const found = taggedOf(resourceArn, ctx);
  found.set(tagging.merge(found.tags, tags));
  return {};
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_UntagResource.html */
export async function UntagResource(
  { resourceArn, tagKeys }: InputOf<'UntagResource'>,
  ctx: ApigatewayContext,
): Promise<OutputOf<'UntagResource'>> {
  if (await isInOtherApi(resourceArn, ctx)) {
    await ctx.call('apigatewayv2', 'UntagResource', { ResourceArn: resourceArn, TagKeys: tagKeys });
    return {};
  }
  const found = taggedOf(resourceArn, ctx);
  found.set(tagging.remove(found.tags, tagKeys));
  return {};
}

/** @see https://docs.aws.amazon.com/apigateway/latest/api/API_GetTags.html */
export async function GetTags(
  { resourceArn }: InputOf<'GetTags'>,
  ctx: ApigatewayContext,
): Promise<OutputOf<'GetTags'>> {
  if (await isInOtherApi(resourceArn, ctx)) {
    const { Tags } = await ctx.call('apigatewayv2', 'GetTags', { ResourceArn: resourceArn });
    return { tags: Tags };
  }
  return { tags: { ...taggedOf(resourceArn, ctx).tags } };
}

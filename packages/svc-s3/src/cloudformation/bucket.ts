import {
  changeTags,
  defined,
  defineProvider,
  type Properties,
  refuseExisting,
  run,
  sameValue,
  type TaggedProperties,
  type TemplateTag,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, dnsSuffixOf, type ProviderContext, tagList, tagMap } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { bucketType } from '../resources.ts';
import { sections } from './sections.ts';

const TYPE = 'AWS::S3::Bucket';
const GONE = ['NoSuchBucket', 'NotFound'];
/** Default region of a bucket. */
const FIRST_REGION = 'us-east-1';

interface BucketProperties extends TaggedProperties {
  AccessControl?: string;
  BucketName?: string;
  ObjectLockEnabled?: boolean;
  OwnershipControls?: { Rules: readonly { ObjectOwnership?: string }[] };
}

/** Converts a canned ACL: `LogDeliveryWrite` in templates is `log-delivery-write` in S3. */
const cannedAcl = (name: string): string => name.replace(/(?!^)[A-Z]/g, '-$&').toLowerCase();

const exists = (Bucket: string, ctx: ProviderContext) => unless(ctx.call('s3', 'HeadBucket', { Bucket }), ...GONE);

async function changeSections(
  Bucket: string,
  previous: Properties,
  desired: Properties,
  ctx: ProviderContext,
): Promise<void> {
  for (const { property, put, remove } of sections) {
    const before = previous[property] as Properties | undefined;
    const after = desired[property] as Properties | undefined;
    if (sameValue(before, after)) continue;
    if (after === undefined) await remove(Bucket, ctx, before!);
    else await put(Bucket, after, ctx, before);
  }
}

async function tagsOf(Bucket: string, ctx: ProviderContext): Promise<readonly TemplateTag[] | undefined> {
  const found = await unless(ctx.call('s3', 'GetBucketTagging', { Bucket }), 'NoSuchTagSet');
  return unlessEmpty(found?.TagSet);
}

/** Changes the tags of a bucket. S3 replaces all tags at once: tags set by others are included again. */
async function changeBucketTags(
  Bucket: string,
  previous: TaggedProperties,
  desired: TaggedProperties,
  ctx: ProviderContext,
): Promise<void> {
  if (sameValue(previous.Tags ?? [], desired.Tags ?? [])) return;
  const all = new Map(Object.entries(tagMap(await tagsOf(Bucket, ctx)) ?? {}));
  await changeTags(previous.Tags, desired.Tags, {
    set: async (tags) => {
      for (const { Key, Value } of tags) all.set(Key, Value);
    },
    remove: async (keys) => {
      for (const key of keys) all.delete(key);
    },
  });
  const TagSet = tagList(Object.fromEntries(all));
  await (TagSet
    ? ctx.call('s3', 'PutBucketTagging', { Bucket, Tagging: { TagSet } })
    : ctx.call('s3', 'DeleteBucketTagging', { Bucket }));
}

/** Returns the host names of a bucket. */
function attributesOf(name: string, ctx: ProviderContext): Properties {
  const dnsSuffix = dnsSuffixOf(ctx.region);
  return {
    Arn: bucketType.arn({ name }, ctx),
    DomainName: `${name}.s3.${dnsSuffix}`,
    DualStackDomainName: `${name}.s3.dualstack.${ctx.region}.${dnsSuffix}`,
    RegionalDomainName: `${name}.s3.${ctx.region}.${dnsSuffix}`,
    WebsiteURL: `http://${name}.s3-website-${ctx.region}.${dnsSuffix}`,
  };
}

/**
 * Buckets.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-s3-bucket.html
 */
export const bucket: AnyResourceProvider = defineProvider<BucketProperties>({
  typeName: TYPE,
  model,
  handles: ['AccessControl', 'BucketName', 'ObjectLockEnabled', 'Tags', ...sections.map(({ property }) => property)],

  async create(properties, ctx) {
    const { AccessControl, BucketName, ObjectLockEnabled, OwnershipControls } = properties;
    const Bucket = BucketName ?? ctx.name();
    // In us-east-1, CreateBucket by the existing bucket's owner succeeds.
    if (BucketName) refuseExisting(TYPE, Bucket, await exists(Bucket, ctx));
    await run(ctx, 's3', 'CreateBucket', {
      Bucket,
      ACL: AccessControl && cannedAcl(AccessControl),
      ObjectLockEnabledForBucket: ObjectLockEnabled,
      ObjectOwnership: OwnershipControls?.Rules[0]?.ObjectOwnership,
      CreateBucketConfiguration: ctx.region === FIRST_REGION ? undefined : { LocationConstraint: ctx.region },
    });
    ctx.created(Bucket);
    await changeSections(Bucket, { OwnershipControls }, properties, ctx);
    await changeBucketTags(Bucket, {}, properties, ctx);
    return { identifier: Bucket, attributes: attributesOf(Bucket, ctx) };
  },

  async read(Bucket, ctx) {
    if (!(await exists(Bucket, ctx))) return undefined;
    const properties: Record<string, unknown> = { BucketName: Bucket };
    for (const { property, get } of sections) properties[property] = await get(Bucket, ctx);
    if (properties.ObjectLockConfiguration) properties.ObjectLockEnabled = true;
    return {
      properties: defined({ ...properties, Tags: await tagsOf(Bucket, ctx) }) as BucketProperties,
      attributes: attributesOf(Bucket, ctx),
    };
  },

  async update(Bucket, previous, desired, ctx) {
    const { AccessControl = 'Private' } = desired;
    const changeAcl = async () => {
      if ((previous.AccessControl ?? 'Private') !== AccessControl)
        await run(ctx, 's3', 'PutBucketAcl', { Bucket, ACL: cannedAcl(AccessControl) });
    };
    // Enforced ownership requires private ACLs first; other ownership must be set before ACLs.
    if (AccessControl === 'Private') await changeAcl();
    await changeSections(Bucket, previous, desired, ctx);
    if (AccessControl !== 'Private') await changeAcl();
    await changeBucketTags(Bucket, previous, desired, ctx);
  },

  async delete(Bucket, _properties, ctx) {
    await unless(ctx.call('s3', 'DeleteBucket', { Bucket }), ...GONE);
  },

  async list(ctx) {
    const { Buckets = [] } = await ctx.call('s3', 'ListBuckets', { BucketRegion: ctx.region });
    return Buckets.map(({ Name }) => Name!);
  },
});

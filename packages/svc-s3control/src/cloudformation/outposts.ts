import {
  ask,
  defined,
  defineProvider,
  documentValue,
  type Properties,
  run,
  sameValue,
  type TaggedProperties,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, type ProviderContext, tagList, tagMap } from '@emu/core/service';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { outpostsBucketType } from '../resources.ts';
import { inAccount } from './members.ts';

const GONE = ['NoSuchBucket'];

interface Rule extends Properties {
  readonly ExpirationDate?: string;
  readonly ExpirationInDays?: number;
  readonly Filter?: { readonly AndOperator?: Properties } & Properties;
  readonly Id?: string;
}

interface BucketProperties extends TaggedProperties {
  readonly BucketName: string;
  readonly LifecycleConfiguration?: { readonly Rules: readonly Rule[] };
  readonly OutpostId: string;
}

interface PolicyProperties extends Properties {
  readonly Bucket: string;
  readonly PolicyDocument: unknown;
}

/** Converts rules for the operation. */
const rulesIn = (rules: readonly Rule[]): Properties[] =>
  rules.map(({ ExpirationDate, ExpirationInDays, Filter, Id, ...rest }) => {
    const { AndOperator, ...filter } = (Filter ?? { Prefix: '' }) as Properties;
    const expiration = defined({ Date: ExpirationDate, Days: ExpirationInDays });
    return defined({
      ...rest,
      Expiration: Object.keys(expiration).length ? expiration : undefined,
      Filter: defined({ ...filter, And: AndOperator }),
      ID: Id,
    });
  });

/** Converts rules for templates. */
const templateRules = (rules: readonly Properties[]): Properties[] =>
  rules.map(({ Expiration, Filter, ID, ...rest }) => {
    const { Date: date, Days } = (Expiration ?? {}) as Properties;
    const { And, ...filter } = (Filter ?? {}) as Properties;
    const whole: Properties = defined({ ...filter, AndOperator: And });
    return defined({
      ...rest,
      ExpirationDate: date === undefined ? undefined : new Date(date as Date).toISOString(),
      ExpirationInDays: Days,
      Filter: whole.Prefix === '' && Object.keys(whole).length === 1 ? undefined : unlessEmpty(whole),
      Id: ID,
    });
  });

/** Sets or deletes changed rules and tags of a bucket. */
async function change(
  Bucket: string,
  previous: Partial<BucketProperties>,
  desired: BucketProperties,
  ctx: ProviderContext,
): Promise<void> {
  const at = inAccount({ Bucket }, ctx);
  const { LifecycleConfiguration: lifecycle } = desired;
  if (!sameValue(previous.LifecycleConfiguration, lifecycle))
    await (lifecycle
      ? run(ctx, 's3control', 'PutBucketLifecycleConfiguration', {
          ...at,
          LifecycleConfiguration: { Rules: rulesIn(lifecycle.Rules) },
        })
      : run(ctx, 's3control', 'DeleteBucketLifecycleConfiguration', at));
  if (sameValue(previous.Tags ?? [], desired.Tags ?? [])) return;
  // Tags are replaced as a whole: those set by others are included again.
  const found = await unless(ctx.call('s3control', 'GetBucketTagging', at), 'NoSuchTagSet');
  const tags = { ...tagMap(found?.TagSet as TaggedProperties['Tags']) };
  for (const { Key } of previous.Tags ?? []) delete tags[Key];
  const TagSet = tagList({ ...tags, ...tagMap(desired.Tags) });
  await (TagSet
    ? ctx.call('s3control', 'PutBucketTagging', { ...at, Tagging: { TagSet } })
    : ctx.call('s3control', 'DeleteBucketTagging', at));
}

/**
 * Buckets on Outposts.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-s3outposts-bucket.html
 */
export const outpostsBucket: AnyResourceProvider = defineProvider<BucketProperties>({
  typeName: 'AWS::S3Outposts::Bucket',
  model,
  service: 's3control',
  handles: ['BucketName', 'LifecycleConfiguration', 'OutpostId', 'Tags'],
  key: ['Bucket'],
  gone: GONE,

  async create(properties, ctx) {
    const { BucketName: Bucket, OutpostId } = properties;
    const { BucketArn } = await ctx.call('s3control', 'CreateBucket', { Bucket, OutpostId });
    ctx.created(BucketArn!);
    await change(BucketArn!, {}, properties, ctx);
    return { identifier: BucketArn!, attributes: { Arn: BucketArn } };
  },

  find: (key, ctx) => ask(ctx, 's3control', 'GetBucket', inAccount(key, ctx)),

  async describe(_found, { Bucket: arn }, ctx) {
    const at = inAccount({ Bucket: arn! }, ctx);
    const rules = await unless(
      ask(ctx, 's3control', 'GetBucketLifecycleConfiguration', at),
      'NoSuchLifecycleConfiguration',
    );
    const tags = await unless(ctx.call('s3control', 'GetBucketTagging', at), 'NoSuchTagSet');
    const { name, outpostId } = outpostsBucketType.parse(arn!)!.key;
    return {
      properties: defined({
        BucketName: name,
        LifecycleConfiguration: rules && { Rules: templateRules((rules.Rules ?? []) as Properties[]) },
        OutpostId: outpostId,
        Tags: unlessEmpty(tags?.TagSet),
      }),
      attributes: { Arn: arn },
    };
  },

  update: ({ Bucket }, previous, desired, ctx) => change(Bucket!, previous, desired, ctx),
  remove: (key, _properties, ctx) => run(ctx, 's3control', 'DeleteBucket', inAccount(key, ctx)),
});

const putPolicy = (Bucket: string, { PolicyDocument }: PolicyProperties, ctx: ProviderContext) =>
  ctx.call('s3control', 'PutBucketPolicy', inAccount({ Bucket, Policy: textOf(PolicyDocument) }, ctx));

/**
 * Policies of buckets on Outposts.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-s3outposts-bucketpolicy.html
 */
export const outpostsBucketPolicy: AnyResourceProvider = defineProvider<PolicyProperties>({
  typeName: 'AWS::S3Outposts::BucketPolicy',
  model,
  service: 's3control',
  handles: ['Bucket', 'PolicyDocument'],
  key: ['Bucket'],
  gone: [...GONE, 'NoSuchBucketPolicy'],

  async create(properties, ctx) {
    await putPolicy(properties.Bucket, properties, ctx);
    return properties.Bucket;
  },

  async find(key, ctx) {
    const found = await ask(ctx, 's3control', 'GetBucketPolicy', inAccount(key, ctx));
    return found.Policy ? found : undefined;
  },

  describe: ({ Policy }, { Bucket }) => ({
    properties: { Bucket, PolicyDocument: documentValue(Policy as string) },
    attributes: {},
  }),

  update: ({ Bucket }, _previous, desired, ctx) => putPolicy(Bucket!, desired, ctx),
  remove: (key, _properties, ctx) => run(ctx, 's3control', 'DeleteBucketPolicy', inAccount(key, ctx)),
});

import {
  ask,
  defined,
  defineProvider,
  differs,
  documentValue,
  type Properties,
  pick,
  run,
  type TaggedProperties,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import { type AnyResourceProvider, changeTagsOf, type ProviderContext } from '@emu/core/service';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { inAccount, tagsOf } from './members.ts';

const GONE = ['NoSuchAccessPoint'];
const NO_POLICY = [...GONE, 'NoSuchAccessPointPolicy'];
const SETTINGS = ['Bucket', 'BucketAccountId', 'PublicAccessBlockConfiguration', 'VpcConfiguration'] as const;

interface AccessPointProperties extends TaggedProperties {
  readonly Bucket: string;
  readonly Name?: string;
  readonly Policy?: unknown;
  readonly Scope?: Properties;
}

/** Sets or deletes the policy of an access point. */
async function changePolicy(
  Name: string,
  previous: Partial<AccessPointProperties>,
  desired: AccessPointProperties,
  ctx: ProviderContext,
): Promise<void> {
  if (!differs(previous, desired, 'Policy')) return;
  const at = { AccountId: ctx.accountId, Name };
  if (desired.Policy === undefined) await unless(ctx.call('s3control', 'DeleteAccessPointPolicy', at), ...NO_POLICY);
  else await ctx.call('s3control', 'PutAccessPointPolicy', { ...at, Policy: textOf(desired.Policy) });
}

/** Sets or deletes the scope of a directory bucket's access point. */
async function changeScope(
  Name: string,
  previous: AccessPointProperties,
  desired: AccessPointProperties,
  ctx: ProviderContext,
): Promise<void> {
  if (!differs(previous, desired, 'Scope')) return;
  const at = { AccountId: ctx.accountId, Name };
  if (desired.Scope) await run(ctx, 's3control', 'PutAccessPointScope', { ...at, Scope: desired.Scope });
  else await ctx.call('s3control', 'DeleteAccessPointScope', at);
}

/** Returns the name suffix of a directory bucket's access points: its zone. */
const zoneSuffix = (bucket: string): string | undefined => /(--[a-z0-9-]+?--x)-s3$/.exec(bucket)?.[1]?.concat('a-s3');

/** Returns the resource type of access points for one kind of bucket. */
function accessPointOf(typeName: string, ofDirectories: boolean): AnyResourceProvider {
  return defineProvider<AccessPointProperties>({
    typeName,
    model,
    service: 's3control',
    handles: [...SETTINGS, 'Name', 'Policy', 'Tags', ...(ofDirectories ? ['Scope'] : [])],
    key: ['Name'],
    gone: GONE,

    async create(properties, ctx) {
      const { Policy: _, ...given } = properties;
      const Name = properties.Name ?? ctx.name(undefined, zoneSuffix(properties.Bucket));
      await run(ctx, 's3control', 'CreateAccessPoint', { ...given, Name, AccountId: ctx.accountId });
      ctx.created(Name);
      await changePolicy(Name, {}, properties, ctx);
      return Name;
    },

    find: (key, ctx) => ask(ctx, 's3control', 'GetAccessPoint', inAccount(key, ctx)),

    async describe(found, key, ctx) {
      const at = { AccountId: ctx.accountId, Name: key.Name! };
      const policy = await unless(ctx.call('s3control', 'GetAccessPointPolicy', at), ...NO_POLICY);
      const scope = ofDirectories ? (await ask(ctx, 's3control', 'GetAccessPointScope', at)).Scope : undefined;
      const Arn = found.AccessPointArn as string;
      return {
        properties: defined({
          ...key,
          ...pick(found, SETTINGS),
          Policy: documentValue(policy?.Policy || undefined),
          Scope: ofDirectories ? unlessEmpty((scope ?? {}) as Properties) : undefined,
          Tags: await tagsOf(Arn, ctx),
        }),
        attributes: defined({
          Alias: ofDirectories ? undefined : found.Alias,
          Arn,
          Name: ofDirectories ? undefined : key.Name,
          NetworkOrigin: found.NetworkOrigin,
        }),
      };
    },

    async update({ Name: name }, previous, desired, ctx) {
      const Name = name!;
      await changePolicy(Name, previous, desired, ctx);
      if (ofDirectories) await changeScope(Name, previous, desired, ctx);
      const { AccessPointArn } = await ctx.call('s3control', 'GetAccessPoint', { AccountId: ctx.accountId, Name });
      await changeTagsOf(AccessPointArn!, previous, desired, ctx);
    },

    remove: (key, _properties, ctx) => run(ctx, 's3control', 'DeleteAccessPoint', inAccount(key, ctx)),
    list: {
      operation: ofDirectories ? 'ListAccessPointsForDirectoryBuckets' : 'ListAccessPoints',
      input: (_filter, ctx) => inAccount({}, ctx),
      token: ['NextToken', 'NextToken'],
      identifiers: ({ AccessPointList }: { AccessPointList?: { Name: string }[] }) =>
        AccessPointList?.map(({ Name }) => Name),
    },
  });
}

/**
 * Access points.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-s3-accesspoint.html
 */
export const accessPoint: AnyResourceProvider = accessPointOf('AWS::S3::AccessPoint', false);

/**
 * Access points of directory buckets.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-s3express-accesspoint.html
 */
export const directoryAccessPoint: AnyResourceProvider = accessPointOf('AWS::S3Express::AccessPoint', true);

import { ask, defined, defineProvider, documentValue, type Properties, pick, run, unless } from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { s3controlError } from '../errors.ts';
import { inAccount } from './members.ts';

const GONE = ['NoSuchMultiRegionAccessPoint'];
const POLL = { interval: 100 };

interface AccessPointProperties extends Properties {
  readonly Name?: string;
  readonly PublicAccessBlockConfiguration?: Properties;
  readonly Regions: readonly Properties[];
}

interface PolicyProperties extends Properties {
  readonly MrapName: string;
  readonly Policy: unknown;
}

/**
 * Waits for an asynchronous request.
 * @throws AwsError if it fails
 */
async function finished(RequestTokenARN: string | undefined, ctx: ProviderContext): Promise<void> {
  const at = inAccount({ RequestTokenARN: RequestTokenARN! }, ctx);
  let status: string | undefined;
  await ctx.until(async () => {
    const { AsyncOperation } = await ctx.call('s3control', 'DescribeMultiRegionAccessPointOperation', at);
    status = AsyncOperation?.RequestStatus;
    return status === 'SUCCEEDED' || status === 'FAILED' || status === 'PARTIALLY_SUCCEEDED';
  }, POLL);
  if (status === 'FAILED') throw s3controlError('GeneralServiceException', 'The request failed.');
}

/**
 * Multi-Region Access Points.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-s3-multiregionaccesspoint.html
 */
export const multiRegionAccessPoint: AnyResourceProvider = defineProvider<AccessPointProperties>({
  typeName: 'AWS::S3::MultiRegionAccessPoint',
  model,
  service: 's3control',
  handles: ['Name', 'PublicAccessBlockConfiguration', 'Regions'],
  key: ['Name'],
  gone: GONE,

  async create({ Name: given, PublicAccessBlockConfiguration: PublicAccessBlock, Regions }, ctx) {
    const Name = given ?? ctx.name();
    const { RequestTokenARN } = await run(ctx, 's3control', 'CreateMultiRegionAccessPoint', {
      AccountId: ctx.accountId,
      ClientToken: ctx.ids.uuid(),
      Details: defined({ Name, PublicAccessBlock, Regions }),
    });
    ctx.created(Name);
    await finished(RequestTokenARN, ctx);
    return Name;
  },

  find: async (key, ctx) =>
    (await ask(ctx, 's3control', 'GetMultiRegionAccessPoint', inAccount(key, ctx))).AccessPoint as Properties,

  describe(found, key, _ctx, applied) {
    const accounts = new Set(applied?.Regions.map(({ BucketAccountId }) => BucketAccountId));
    const regions = (found.Regions as Properties[]).map(({ Bucket, BucketAccountId }) =>
      defined({ Bucket, BucketAccountId: accounts.has(BucketAccountId) ? BucketAccountId : undefined }),
    );
    return {
      properties: {
        ...key,
        PublicAccessBlockConfiguration: found.PublicAccessBlock,
        // In template order; the service returns its own order.
        Regions: applied
          ? [...regions].sort((one, other) => rankOf(one, applied.Regions) - rankOf(other, applied.Regions))
          : regions,
      },
      attributes: { Alias: found.Alias, CreatedAt: new Date(found.CreatedAt as Date).toISOString() },
    };
  },

  async remove(key, _properties, ctx) {
    const { RequestTokenARN } = await run(ctx, 's3control', 'DeleteMultiRegionAccessPoint', {
      AccountId: ctx.accountId,
      ClientToken: ctx.ids.uuid(),
      Details: key,
    });
    await finished(RequestTokenARN, ctx);
  },

  list: {
    operation: 'ListMultiRegionAccessPoints',
    input: (_filter, ctx) => inAccount({}, ctx),
    token: ['NextToken', 'NextToken'],
    identifiers: ({ AccessPoints }: { AccessPoints?: { Name: string }[] }) => AccessPoints?.map(({ Name }) => Name),
  },
});

const rankOf = ({ Bucket }: Properties, regions: readonly Properties[]): number =>
  regions.findIndex((one) => one.Bucket === Bucket);

const putPolicy = async (Name: string, { Policy }: PolicyProperties, ctx: ProviderContext): Promise<void> => {
  const { RequestTokenARN } = await ctx.call('s3control', 'PutMultiRegionAccessPointPolicy', {
    AccountId: ctx.accountId,
    ClientToken: ctx.ids.uuid(),
    Details: { Name, Policy: textOf(Policy) },
  });
  await finished(RequestTokenARN, ctx);
};

/**
 * Policies of Multi-Region Access Points. A policy stays when its resource is deleted: the service cannot remove it.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-s3-multiregionaccesspointpolicy.html
 */
export const multiRegionPolicy: AnyResourceProvider = defineProvider<PolicyProperties>({
  typeName: 'AWS::S3::MultiRegionAccessPointPolicy',
  model,
  service: 's3control',
  handles: ['MrapName', 'Policy'],
  key: ['Name'],
  gone: GONE,

  async create(properties, ctx) {
    await putPolicy(properties.MrapName, properties, ctx);
    return properties.MrapName;
  },

  async find(key, ctx) {
    const { Policy } = await ask(ctx, 's3control', 'GetMultiRegionAccessPointPolicy', inAccount(key, ctx));
    return (Policy as Properties | undefined)?.Established as Properties | undefined;
  },

  async describe({ Policy }, key, ctx) {
    const at = inAccount(key, ctx);
    const found = await unless(ask(ctx, 's3control', 'GetMultiRegionAccessPointPolicyStatus', at), ...GONE);
    const { IsPublic } = pick((found?.Established ?? {}) as Properties, ['IsPublic'] as never[]) as Properties;
    return {
      properties: { MrapName: key.Name, Policy: documentValue(Policy as string) },
      attributes: { PolicyStatus: { IsPublic: String(IsPublic) }, 'PolicyStatus.IsPublic': String(IsPublic) },
    };
  },

  update: ({ Name }, _previous, desired, ctx) => putPolicy(Name!, desired, ctx),
  remove: () => Promise.resolve(),
});

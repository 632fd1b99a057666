import { defined, defineProvider, differs, everyItem, type Properties, run, unless } from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

const GONE = 'ResourceDataSyncNotFoundException';
const TO_BUCKET = 'SyncToDestination';
const DESTINATION = ['BucketName', 'BucketPrefix', 'BucketRegion', 'KMSKeyArn', 'SyncFormat'] as const;

/** S3 destination in template form: its own object, or properties of the sync. */
interface TemplateDestination {
  BucketName?: string;
  BucketPrefix?: string;
  BucketRegion?: string;
  KMSKeyArn?: string;
  SyncFormat?: string;
}

interface SyncProperties extends Properties, TemplateDestination {
  S3Destination?: TemplateDestination;
  SyncName: string;
  SyncSource?: {
    SourceType: string;
    SourceRegions: string[];
    IncludeFutureRegions?: boolean;
    AwsOrganizationsSource?: { OrganizationSourceType: string; OrganizationalUnits?: string[] };
  };
  SyncType?: string;
}

const destinationOf = (properties: SyncProperties) => {
  const given = properties.S3Destination ?? properties;
  if (given.BucketName === undefined) return undefined;
  return defined({
    BucketName: given.BucketName,
    Prefix: given.BucketPrefix,
    Region: given.BucketRegion,
    SyncFormat: given.SyncFormat,
    AWSKMSKeyARN: given.KMSKeyArn,
  });
};

const sourceOf = ({ SyncSource }: SyncProperties) => {
  if (!SyncSource) return undefined;
  const { AwsOrganizationsSource, ...source } = SyncSource;
  return defined({
    ...source,
    AwsOrganizationsSource: AwsOrganizationsSource && {
      OrganizationSourceType: AwsOrganizationsSource.OrganizationSourceType,
      OrganizationalUnits: AwsOrganizationsSource.OrganizationalUnits?.map((OrganizationalUnitId) => ({
        OrganizationalUnitId,
      })),
    },
  });
};

const everySync = (ctx: ProviderContext) =>
  everyItem(async (NextToken) => {
    const page = await ctx.call('ssm', 'ListResourceDataSync', defined({ NextToken }));
    return [page.ResourceDataSyncItems, page.NextToken] as const;
  });

/**
 * Resource data syncs.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ssm-resourcedatasync.html
 */
export const resourceDataSync: AnyResourceProvider = defineProvider<SyncProperties>({
  typeName: 'AWS::SSM::ResourceDataSync',
  model,
  handles: ['S3Destination', 'SyncName', 'SyncSource', 'SyncType', ...DESTINATION],

  async create(properties, ctx) {
    const { SyncName, SyncType } = properties;
    const S3Destination = destinationOf(properties);
    const input = defined({ SyncName, SyncType, S3Destination, SyncSource: sourceOf(properties) });
    await run(ctx, 'ssm', 'CreateResourceDataSync', input as never);
    return { identifier: SyncName };
  },

  async read(SyncName, ctx, applied) {
    const found = (await everySync(ctx)).find((sync) => sync.SyncName === SyncName);
    if (!found) return undefined;
    const { SyncType, S3Destination: bucket, SyncSource: source } = found;
    const destination =
      bucket &&
      defined({
        BucketName: bucket.BucketName,
        BucketPrefix: bucket.Prefix,
        BucketRegion: bucket.Region,
        SyncFormat: bucket.SyncFormat,
        KMSKeyArn: bucket.AWSKMSKeyARN,
      });
    return {
      properties: defined({
        SyncName,
        SyncType,
        ...(applied?.BucketName === undefined ? { S3Destination: destination } : destination),
        SyncSource:
          source &&
          defined({
            SourceType: source.SourceType,
            SourceRegions: source.SourceRegions,
            IncludeFutureRegions: source.IncludeFutureRegions,
          }),
      }) as SyncProperties,
      attributes: { SyncName },
    };
  },

  async update(SyncName, previous, desired, ctx) {
    if (!differs(previous, desired, 'SyncSource')) return;
    const input = { SyncName, SyncType: desired.SyncType, SyncSource: sourceOf(desired) };
    await run(ctx, 'ssm', 'UpdateResourceDataSync', input as never);
  },

  async delete(SyncName, { SyncType = TO_BUCKET }, ctx) {
    await unless(ctx.call('ssm', 'DeleteResourceDataSync', { SyncName, SyncType }), GONE);
  },

  list: async (ctx) => (await everySync(ctx)).map(({ SyncName }) => SyncName!),
});

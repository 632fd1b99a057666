import { defined, defineProvider, type Properties, run, sameValue } from '@emu/core/providers';
import type { AnyResourceProvider } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { sections } from './sections.ts';

interface DirectoryProperties extends Properties {
  readonly BucketName?: string;
  readonly DataRedundancy: 'SingleAvailabilityZone' | 'SingleLocalZone';
  readonly LocationName: string;
}

/** Properties that directory buckets share with other buckets. */
const shared = sections.filter(
  ({ property }) => property === 'BucketEncryption' || property === 'LifecycleConfiguration',
);
const MAX_NAME = 63;

/** Returns the zone at the end of a directory bucket's name. */
const zoneOf = (name: string): string => /--([a-z0-9-]+?)--x-s3$/.exec(name)?.[1] ?? '';

/**
 * Directory buckets.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-s3express-directorybucket.html
 */
export const directoryBucket: AnyResourceProvider = defineProvider<
  DirectoryProperties,
  { BucketArn?: string | undefined }
>({
  typeName: 'AWS::S3Express::DirectoryBucket',
  model,
  service: 's3',
  handles: ['BucketName', 'DataRedundancy', 'LocationName', ...shared.map(({ property }) => property)],
  key: ['Bucket'],
  gone: ['NoSuchBucket', 'NotFound'],

  async create(properties, ctx) {
    const { DataRedundancy, LocationName } = properties;
    const Bucket = properties.BucketName ?? ctx.name({ max: MAX_NAME, lower: true }, `--${LocationName}--x-s3`);
    await run(ctx, 's3', 'CreateBucket', {
      Bucket,
      CreateBucketConfiguration: {
        Bucket: { DataRedundancy, Type: 'Directory' },
        Location: {
          Name: LocationName,
          Type: DataRedundancy === 'SingleLocalZone' ? 'LocalZone' : 'AvailabilityZone',
        },
      },
    });
    ctx.created(Bucket);
    for (const { property, put } of shared)
      if (properties[property] !== undefined) await put(Bucket, properties[property] as Properties, ctx);
    return Bucket;
  },

  find: ({ Bucket }, ctx) => ctx.call('s3', 'HeadBucket', { Bucket: Bucket! }),

  async describe({ BucketArn }, { Bucket }, ctx, applied) {
    const properties: Record<string, unknown> = {
      BucketName: Bucket,
      DataRedundancy: applied?.DataRedundancy ?? 'SingleAvailabilityZone',
      LocationName: zoneOf(Bucket!),
    };
    for (const { property, get } of shared) properties[property] = await get(Bucket!, ctx);
    return { properties: defined(properties), attributes: defined({ Arn: BucketArn }) };
  },

  async update({ Bucket }, previous, desired, ctx) {
    for (const { property, put, remove } of shared) {
      const [before, after] = [previous[property], desired[property]] as (Properties | undefined)[];
      if (sameValue(before, after)) continue;
      if (after === undefined) await remove(Bucket!, ctx, before!);
      else await put(Bucket!, after, ctx, before);
    }
  },

  remove: 'DeleteBucket',
  list: {
    operation: 'ListDirectoryBuckets',
    token: ['ContinuationToken', 'ContinuationToken'],
    identifiers: ({ Buckets }: { Buckets?: { Name: string }[] }) => Buckets?.map(({ Name }) => Name),
  },
});

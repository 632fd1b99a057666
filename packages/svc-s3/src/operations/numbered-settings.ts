import type { InputOf, ListBucketAnalyticsConfigurationsOutput, OutputOf, Tiering } from '@emu/service-types/s3';
import type { AwsError } from '@emu/wire';
import type { BucketConfigurations } from '../buckets/configurations.ts';
import { type BucketInput, notConfigured, oneOf, shown } from '../buckets/documents.ts';
import type { S3Context } from '../context.ts';
import { invalidArgument, malformedXml, s3Error } from '../errors.ts';
import { ARCHIVE_TIERS, MAX_TIER_DAYS, MIN_TIER_DAYS } from '../lifecycle/access-tiers.ts';
import { requireBucket, stateOf } from '../lookup.ts';
import { S3_OPTIONS } from '../options.ts';
import { paging } from '../paging.ts';
import { beginAnalysis, endAnalysis } from '../reports/analytics.ts';
import { deliverInventory } from '../reports/inventory.ts';
import { OPTIONAL_FIELDS } from '../reports/inventory-fields.ts';
import { bucketNameOf } from '../resources.ts';

/** Settings with ids, of which a bucket may have many. */
type Numbered = 'analytics' | 'intelligentTiering' | 'inventory' | 'metrics';
type Entry<Name extends Numbered> = NonNullable<BucketConfigurations[Name]>[string];

/** Maximum number of settings per kind. */
const LIMITS: Readonly<Record<Numbered, number>> = {
  analytics: 1000,
  intelligentTiering: 1000,
  inventory: 1000,
  metrics: 1000,
};
/** Kinds whose documents with another id are malformed; those of the others have an error of their own. */
const WITH_ID_IN_SCHEMA: readonly Numbered[] = ['analytics', 'intelligentTiering'];
/** Maximum characters of an id. */
const MAX_ID = 64;
/** Settings per page. */
const PAGE = 100;

const missing = (): AwsError => notConfigured(['NoSuchConfiguration', 'The specified configuration does not exist.']);

function put<Name extends Numbered>(
  ctx: S3Context,
  input: BucketInput & { Id: string },
  name: Name,
  value: Entry<Name>,
): Record<string, never> {
  const bucket = requireBucket(ctx, input);
  if (value.Id.length > MAX_ID) throw malformedXml();
  if (value.Id !== input.Id && WITH_ID_IN_SCHEMA.includes(name)) throw malformedXml();
  if (value.Id !== input.Id)
    throw s3Error('IdMismatch', 'Document ID does not match the specified configuration ID.', { status: 400 });
  const existing = bucket.record.configurations[name] ?? {};
  if (!Object.hasOwn(existing, input.Id) && Object.keys(existing).length >= LIMITS[name])
    throw s3Error(
      'TooManyConfigurations',
      'You are attempting to create a new configuration but have already reached the 1,000-configuration limit.',
      { status: 400 },
    );
  stateOf(ctx, bucket).updateBucket(bucket, (draft) => {
    const all: Record<string, Entry<Numbered>> = { ...draft.configurations[name], [input.Id]: value };
    draft.configurations[name] = all as never;
  });
  ctx.reply.status = 204;
  return {};
}

function get<Name extends Numbered>(ctx: S3Context, input: BucketInput & { Id: string }, name: Name): Entry<Name> {
  const all = requireBucket(ctx, input).record.configurations[name] ?? {};
  if (!Object.hasOwn(all, input.Id)) throw missing();
  return shown<Entry<Name>>((all as Record<string, unknown>)[input.Id] as never);
}

function remove(ctx: S3Context, input: BucketInput & { Id: string }, name: Numbered): Record<string, never> {
  get(ctx, input, name);
  const bucket = requireBucket(ctx, input);
  stateOf(ctx, bucket).updateBucket(bucket, (draft) => {
    delete draft.configurations[name]![input.Id];
  });
  return {};
}

type Listing = Extract<keyof typeof paging.pagination, `ListBucket${string}Configurations`>;

/** Returns a page of settings of a kind, in order of ids. */
function list<Name extends Numbered>(
  operation: Listing,
  ctx: S3Context,
  input: BucketInput & { ContinuationToken?: string | undefined },
  name: Name,
): { page: Entry<Name>[]; next: ListBucketAnalyticsConfigurationsOutput } {
  const all = requireBucket(ctx, input).record.configurations[name] ?? {};
  const token = input.ContinuationToken;
  const { items, next } = paging.page(operation, input, Object.keys(all), (id) => id, { maxLimit: PAGE });
  return {
    page: items.map((id) => shown<Entry<Name>>((all as Record<string, unknown>)[id] as never)),
    next: { ...next, ...(token !== undefined && { ContinuationToken: token }) },
  };
}

/**
 * Checks that a filter has one condition, or several in `And`.
 * @throws AwsError `MalformedXML`
 */
function checkFilter(filter: object | undefined): void {
  if (filter && Object.keys(filter).length > 1) throw malformedXml();
}

/** @throws AwsError `InvalidS3DestinationBucket` */
function checkDestination(arn: string): void {
  if (bucketNameOf(arn) === undefined)
    throw s3Error('InvalidS3DestinationBucket', 'Invalid bucket ARN.', { status: 400 });
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketAnalyticsConfiguration.html */
export function PutBucketAnalyticsConfiguration(
  input: InputOf<'PutBucketAnalyticsConfiguration'>,
  ctx: S3Context,
): OutputOf<'PutBucketAnalyticsConfiguration'> {
  const { Filter: filter, StorageClassAnalysis: analysis } = input.AnalyticsConfiguration;
  checkFilter(filter);
  if (analysis.DataExport) {
    const { Destination: destination, OutputSchemaVersion: version } = analysis.DataExport;
    oneOf(version, ['V_1']);
    oneOf(destination.S3BucketDestination.Format, ['CSV']);
    checkDestination(destination.S3BucketDestination.Bucket);
  }
  put(ctx, input, 'analytics', input.AnalyticsConfiguration);
  if (analysis.DataExport && ctx.settings.of(S3_OPTIONS).EMULATOR_S3_EAGER_DELIVERY) {
    const bucket = requireBucket(ctx, input);
    beginAnalysis(stateOf(ctx, bucket), bucket, input.Id, ctx.clock.now());
  }
  return {};
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketAnalyticsConfiguration.html */
export function GetBucketAnalyticsConfiguration(
  input: InputOf<'GetBucketAnalyticsConfiguration'>,
  ctx: S3Context,
): OutputOf<'GetBucketAnalyticsConfiguration'> {
  return { AnalyticsConfiguration: get(ctx, input, 'analytics') };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketAnalyticsConfiguration.html */
export function DeleteBucketAnalyticsConfiguration(
  input: InputOf<'DeleteBucketAnalyticsConfiguration'>,
  ctx: S3Context,
): OutputOf<'DeleteBucketAnalyticsConfiguration'> {
  remove(ctx, input, 'analytics');
  const bucket = requireBucket(ctx, input);
  endAnalysis(stateOf(ctx, bucket), bucket, input.Id);
  return {};
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListBucketAnalyticsConfigurations.html */
export function ListBucketAnalyticsConfigurations(
  input: InputOf<'ListBucketAnalyticsConfigurations'>,
  ctx: S3Context,
): OutputOf<'ListBucketAnalyticsConfigurations'> {
  const { page, next } = list('ListBucketAnalyticsConfigurations', ctx, input, 'analytics');
  return { ...next, AnalyticsConfigurationList: page };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketInventoryConfiguration.html */
export async function PutBucketInventoryConfiguration(
  input: InputOf<'PutBucketInventoryConfiguration'>,
  ctx: S3Context,
): Promise<OutputOf<'PutBucketInventoryConfiguration'>> {
  const inventory = input.InventoryConfiguration;
  if (inventory.Id !== input.Id) return put(ctx, input, 'inventory', inventory);
  const destination = inventory.Destination.S3BucketDestination;
  checkDestination(destination.Bucket);
  oneOf(destination.Format, ['CSV', 'ORC', 'Parquet']);
  oneOf(inventory.IncludedObjectVersions, ['All', 'Current']);
  oneOf(inventory.Schedule.Frequency, ['Daily', 'Weekly']);
  for (const field of inventory.OptionalFields ?? []) oneOf(field, OPTIONAL_FIELDS);
  put(ctx, input, 'inventory', inventory);
  if (inventory.IsEnabled && ctx.settings.of(S3_OPTIONS).EMULATOR_S3_EAGER_DELIVERY) {
    const bucket = requireBucket(ctx, input);
    await deliverInventory(ctx, stateOf(ctx, bucket), bucket, inventory);
  }
  return {};
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketInventoryConfiguration.html */
export function GetBucketInventoryConfiguration(
  input: InputOf<'GetBucketInventoryConfiguration'>,
  ctx: S3Context,
): OutputOf<'GetBucketInventoryConfiguration'> {
  return { InventoryConfiguration: get(ctx, input, 'inventory') };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketInventoryConfiguration.html */
export function DeleteBucketInventoryConfiguration(
  input: InputOf<'DeleteBucketInventoryConfiguration'>,
  ctx: S3Context,
): OutputOf<'DeleteBucketInventoryConfiguration'> {
  return remove(ctx, input, 'inventory');
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListBucketInventoryConfigurations.html */
export function ListBucketInventoryConfigurations(
  input: InputOf<'ListBucketInventoryConfigurations'>,
  ctx: S3Context,
): OutputOf<'ListBucketInventoryConfigurations'> {
  const { page, next } = list('ListBucketInventoryConfigurations', ctx, input, 'inventory');
  return { ...next, InventoryConfigurationList: page };
}

/**
 * Starts CloudWatch request metrics for a configuration, under its id.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketMetricsConfiguration.html
 */
export function PutBucketMetricsConfiguration(
  input: InputOf<'PutBucketMetricsConfiguration'>,
  ctx: S3Context,
): OutputOf<'PutBucketMetricsConfiguration'> {
  const { Filter: filter } = input.MetricsConfiguration;
  checkFilter(filter);
  if (filter && Object.keys(filter).length === 0) throw malformedXml();
  return put(ctx, input, 'metrics', input.MetricsConfiguration);
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketMetricsConfiguration.html */
export function GetBucketMetricsConfiguration(
  input: InputOf<'GetBucketMetricsConfiguration'>,
  ctx: S3Context,
): OutputOf<'GetBucketMetricsConfiguration'> {
  return { MetricsConfiguration: get(ctx, input, 'metrics') };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketMetricsConfiguration.html */
export function DeleteBucketMetricsConfiguration(
  input: InputOf<'DeleteBucketMetricsConfiguration'>,
  ctx: S3Context,
): OutputOf<'DeleteBucketMetricsConfiguration'> {
  return remove(ctx, input, 'metrics');
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListBucketMetricsConfigurations.html */
export function ListBucketMetricsConfigurations(
  input: InputOf<'ListBucketMetricsConfigurations'>,
  ctx: S3Context,
): OutputOf<'ListBucketMetricsConfigurations'> {
  const { page, next } = list('ListBucketMetricsConfigurations', ctx, input, 'metrics');
  return { ...next, MetricsConfigurationList: page };
}

/**
 * Archives objects in S3 Intelligent-Tiering after days without access.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketIntelligentTieringConfiguration.html
 */
export function PutBucketIntelligentTieringConfiguration(
  input: InputOf<'PutBucketIntelligentTieringConfiguration'>,
  ctx: S3Context,
): OutputOf<'PutBucketIntelligentTieringConfiguration'> {
  const configuration = input.IntelligentTieringConfiguration;
  const { Filter: filter, Status: status, Tierings: tierings } = configuration;
  requireBucket(ctx, input);
  checkFilter(filter);
  oneOf(status, ['Enabled', 'Disabled']);
  if (tierings.length === 0 || tierings.length > ARCHIVE_TIERS.length) throw malformedXml();
  for (const tier of tierings) checkTier(tier);
  const days = (wanted: string) => tierings.find(({ AccessTier }) => AccessTier === wanted)?.Days;
  const [archive, deep] = ARCHIVE_TIERS.map(days);
  if (tierings.length > 1 && (archive === undefined || deep === undefined || archive >= deep))
    throw invalidArgument('Days of DEEP_ARCHIVE_ACCESS must be greater than those of ARCHIVE_ACCESS', 'Days');
  return put(ctx, input, 'intelligentTiering', configuration);
}

/**
 * @throws AwsError `MalformedXML`, `InvalidArgument`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_Tiering.html
 */
function checkTier({ AccessTier: tier, Days: days }: Tiering): void {
  oneOf(tier, ARCHIVE_TIERS);
  const least = MIN_TIER_DAYS[tier]!;
  if (days < least || days > MAX_TIER_DAYS)
    throw invalidArgument(`Days of ${tier} must be between ${least} and ${MAX_TIER_DAYS}`, 'Days', String(days));
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketIntelligentTieringConfiguration.html */
export function GetBucketIntelligentTieringConfiguration(
  input: InputOf<'GetBucketIntelligentTieringConfiguration'>,
  ctx: S3Context,
): OutputOf<'GetBucketIntelligentTieringConfiguration'> {
  return { IntelligentTieringConfiguration: get(ctx, input, 'intelligentTiering') };
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucketIntelligentTieringConfiguration.html */
export function DeleteBucketIntelligentTieringConfiguration(
  input: InputOf<'DeleteBucketIntelligentTieringConfiguration'>,
  ctx: S3Context,
): OutputOf<'DeleteBucketIntelligentTieringConfiguration'> {
  return remove(ctx, input, 'intelligentTiering');
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListBucketIntelligentTieringConfigurations.html */
export function ListBucketIntelligentTieringConfigurations(
  input: InputOf<'ListBucketIntelligentTieringConfigurations'>,
  ctx: S3Context,
): OutputOf<'ListBucketIntelligentTieringConfigurations'> {
  const { page, next } = list('ListBucketIntelligentTieringConfigurations', ctx, input, 'intelligentTiering');
  return { ...next, IntelligentTieringConfigurationList: page };
}

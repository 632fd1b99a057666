import type { DeepReadonly } from '@emu/core/service';
import type { AccountLevel, StorageLensConfiguration } from '@emu/service-types/s3control';
import type { AwsError } from '@emu/wire';
import { bucketNameOf } from '../bucket-arns.ts';
import type { S3controlContext } from '../context.ts';
import { invalidRequest, s3controlError } from '../errors.ts';
import { globalRegionOf } from '../global-region.ts';
import { DEFAULT_DASHBOARD, type StorageLensRecord } from './records.ts';

/** Maximum dashboards per account and region besides the default one. */
const MAX_DASHBOARDS = 50;

export const noSuchConfiguration = (): AwsError =>
  s3controlError('NoSuchConfiguration', 'The specified configuration does not exist.', { status: 404 });

export const tooManyConfigurations = (): AwsError =>
  s3controlError(
    'TooManyConfigurations',
    'You are attempting to create a new configuration but have already reached the 50-configuration limit.',
    { status: 400 },
  );

/** Default dashboard of an account, like AWS's: free metrics of everything. */
const DEFAULT: StorageLensRecord = {
  id: DEFAULT_DASHBOARD,
  configuration: { Id: DEFAULT_DASHBOARD, AccountLevel: { BucketLevel: {} }, IsEnabled: true },
  tags: [],
  since: '',
};

/** Whether the request's region is the home region of the default dashboard. */
const hasDefault = ({ partition, region }: S3controlContext): boolean => region === globalRegionOf(partition);

/** Returns all configurations of the request's account and region. */
export function* configurations(ctx: S3controlContext): Generator<DeepReadonly<StorageLensRecord>> {
  const { storageLens } = ctx.state;
  if (hasDefault(ctx) && !storageLens.has(DEFAULT_DASHBOARD)) yield DEFAULT;
  yield* storageLens.values();
}

/** @throws AwsError `NoSuchConfiguration` */
export function findConfiguration(ctx: S3controlContext, id: string): DeepReadonly<StorageLensRecord> {
  const found = ctx.state.storageLens.get(id);
  if (found) return found;
  if (id === DEFAULT_DASHBOARD && hasDefault(ctx)) return DEFAULT;
  throw noSuchConfiguration();
}

/**
 * Validates a configuration beyond its model.
 * @throws AwsError `InvalidRequest`, `TooManyConfigurations`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_control_StorageLensConfiguration.html
 */
export function checkConfiguration(ctx: S3controlContext, id: string, given: StorageLensConfiguration): void {
  const { AccountLevel: account, Include: include, Exclude: exclude, DataExport: exported, AwsOrg: org } = given;
  if (given.Id !== id) throw invalidRequest('The ID of the configuration does not match the ID of the request.');
  if (include && exclude) throw invalidRequest('Include and Exclude cannot be specified together.');
  if (id === DEFAULT_DASHBOARD && (include || exclude || org || !hasDefault(ctx)))
    throw invalidRequest('The scope and the home Region of the default dashboard cannot be changed.');
  checkPrefixes(account);
  const { Include: groups, Exclude: others } = account.StorageLensGroupLevel?.SelectionCriteria ?? {};
  if (groups && others)
    throw invalidRequest('Include and Exclude of Storage Lens groups cannot be specified together.');
  const destination = exported?.S3BucketDestination;
  if (destination && bucketNameOf(destination.Arn) === undefined)
    throw invalidRequest('The destination of the export must be the ARN of a bucket.');
  const { storageLens } = ctx.state;
  const present = storageLens.size - (storageLens.has(DEFAULT_DASHBOARD) ? 1 : 0);
  if (!storageLens.has(id) && id !== DEFAULT_DASHBOARD && present >= MAX_DASHBOARDS) throw tooManyConfigurations();
}

/** Checks prefix metrics, which are advanced and have their own limits. */
function checkPrefixes({ BucketLevel: bucket }: AccountLevel): void {
  const criteria = bucket.PrefixLevel?.StorageMetrics.SelectionCriteria;
  const percentage = criteria?.MinStorageBytesPercentage;
  if (percentage !== undefined && !(percentage >= 1 && percentage <= 100))
    throw invalidRequest('MinStorageBytesPercentage must be between 1 and 100.');
}

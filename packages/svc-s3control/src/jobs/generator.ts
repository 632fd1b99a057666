import type { HeadObjectOutput, ObjectVersion, ReplicationRule } from '@emu/service-types/s3';
import type {
  JobManifestGeneratorFilter,
  JobManifestLocation,
  ObjectEncryptionFilter,
  ReplicationStatus,
  S3JobManifestGenerator,
} from '@emu/service-types/s3control';
import { AwsError } from '@emu/wire';
import type { JobCall } from './caller.ts';
import { bytesOf, csvLine, encodedKey, under } from './encoding.ts';
import { JobFailedError } from './errors.ts';
import type { Task } from './records.ts';
import { bucketOf } from './requests.ts';

/** A version with the members of any listing. */
type ListedVersion = ObjectVersion &
  Required<Pick<ObjectVersion, 'Key' | 'VersionId' | 'Size' | 'LastModified' | 'StorageClass'>>;

/**
 * Yields the objects that a generator's filter selects: current versions, or for replication all.
 * @throws JobFailedError (during iteration) if the bucket cannot be read, or nothing is selected
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_control_S3JobManifestGenerator.html
 */
export async function* generatedTasks(
  { SourceBucket, ExpectedBucketOwner, Filter: filter = {} }: S3JobManifestGenerator,
  call: JobCall,
  replicates: boolean,
): AsyncGenerator<Task> {
  const bucket = bucketOf(SourceBucket);
  const owner = ExpectedBucketOwner === undefined ? {} : { ExpectedBucketOwner };
  let any = false;
  try {
    const rules = filter.EligibleForReplication === undefined ? [] : await rulesOf(bucket, call);
    for await (const version of versionsOf(bucket, owner, prefixOf(filter), call)) {
      if (!version.IsLatest && !replicates) continue;
      if (!listedMatches(filter, version) || !(await headMatches(filter, bucket, version, rules, call))) continue;
      any = true;
      yield { bucket, key: version.Key, versionId: version.VersionId === 'null' ? undefined : version.VersionId };
    }
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    throw new JobFailedError(error.code, `Manifest generation failed: ${error.code}: ${error.message}`);
  }
  if (!any) throw new JobFailedError('NoKeysFound', 'Manifest generation found no keys matching the filter criteria.');
}

/** Returns the prefix that restricts the listing, if there is a single one. */
function prefixOf({ KeyNameConstraint: names }: JobManifestGeneratorFilter): string | undefined {
  return names?.MatchAnyPrefix?.length === 1 ? names.MatchAnyPrefix[0] : undefined;
}

async function* versionsOf(
  bucket: string,
  owner: object,
  prefix: string | undefined,
  call: JobCall,
): AsyncGenerator<ListedVersion> {
  let marker = {};
  for (;;) {
    const page = await call('s3', 'ListObjectVersions', {
      Bucket: bucket,
      ...owner,
      ...(prefix && { Prefix: prefix }),
      ...marker,
    });
    yield* (page.Versions ?? []) as ListedVersion[];
    if (!page.IsTruncated) return;
    marker = { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker };
  }
}

/** Whether a listed version matches the filter. */
function listedMatches(filter: JobManifestGeneratorFilter, version: ListedVersion): boolean {
  const {
    CreatedAfter: after,
    CreatedBefore: before,
    KeyNameConstraint: names,
    MatchAnyStorageClass: classes,
  } = filter;
  const { ObjectSizeGreaterThanBytes: more, ObjectSizeLessThanBytes: less } = filter;
  const any = (list: readonly string[] | undefined, test: (text: string) => boolean): boolean =>
    !list?.length || list.some(test);
  return (
    (!after || version.LastModified > after) &&
    (!before || version.LastModified < before) &&
    (more === undefined || version.Size > more) &&
    (less === undefined || version.Size < less) &&
    any(classes, (one) => one === version.StorageClass) &&
    any(names?.MatchAnyPrefix, (one) => version.Key.startsWith(one)) &&
    any(names?.MatchAnySuffix, (one) => version.Key.endsWith(one)) &&
    any(names?.MatchAnySubstring, (one) => version.Key.includes(one))
  );
}

async function headMatches(
  filter: JobManifestGeneratorFilter,
  bucket: string,
  { Key, VersionId }: ListedVersion,
  rules: readonly ReplicationRule[],
  call: JobCall,
): Promise<boolean> {
  const { ObjectReplicationStatuses: statuses, MatchAnyObjectEncryption: encryptions } = filter;
  const { EligibleForReplication: eligible } = filter;
  if (!statuses?.length && !encryptions?.length && eligible === undefined) return true;
  const head = await call('s3', 'HeadObject', { Bucket: bucket, Key, VersionId });
  const status = replicationStatusOf(head);
  if (statuses?.length && !statuses.includes(status)) return false;
  if (encryptions?.length && !encryptions.some((one) => isEncrypted(one, head))) return false;
  if (eligible === undefined) return true;
  return eligible === (status !== 'REPLICA' && (await applies(rules, bucket, Key, VersionId, call)));
}

function replicationStatusOf({ ReplicationStatus: status }: HeadObjectOutput): ReplicationStatus {
  if (status === undefined || status === 'PENDING') return 'NONE';
  return status === 'COMPLETE' ? 'COMPLETED' : (status as ReplicationStatus);
}

function isEncrypted(
  { SSES3, SSEKMS, DSSEKMS, SSEC, NOTSSE }: ObjectEncryptionFilter,
  head: HeadObjectOutput,
): boolean {
  const { ServerSideEncryption: algorithm, SSEKMSKeyId: key } = head;
  if (SSES3) return algorithm === 'AES256';
  if (SSEC) return head.SSECustomerAlgorithm !== undefined;
  if (NOTSSE) return algorithm === undefined && head.SSECustomerAlgorithm === undefined;
  if (DSSEKMS) return algorithm === 'aws:kms:dsse' && (DSSEKMS.KmsKeyArn ?? key) === key;
  if (!SSEKMS || algorithm !== 'aws:kms' || (SSEKMS.KmsKeyArn ?? key) !== key) return false;
  return SSEKMS.BucketKeyEnabled === undefined || SSEKMS.BucketKeyEnabled === (head.BucketKeyEnabled ?? false);
}

/** Returns the enabled replication rules of a bucket; none without a configuration. */
async function rulesOf(bucket: string, call: JobCall): Promise<ReplicationRule[]> {
  try {
    const { ReplicationConfiguration: configuration } = await call('s3', 'GetBucketReplication', { Bucket: bucket });
    return configuration!.Rules.filter(({ Status }) => Status === 'Enabled');
  } catch (error) {
    if (error instanceof AwsError && error.code === 'ReplicationConfigurationNotFoundError') return [];
    throw error;
  }
}

async function applies(
  rules: readonly ReplicationRule[],
  Bucket: string,
  Key: string,
  VersionId: string,
  call: JobCall,
): Promise<boolean> {
  for (const { Prefix, Filter } of rules) {
    if (!Key.startsWith(Prefix ?? Filter?.Prefix ?? Filter?.And?.Prefix ?? '')) continue;
    const tags = [...(Filter?.Tag ? [Filter.Tag] : []), ...(Filter?.And?.Tags ?? [])];
    if (tags.length === 0) return true;
    const { TagSet: present } = await call('s3', 'GetObjectTagging', {
      Bucket,
      Key,
      VersionId,
    });
    if (tags.every((tag) => present.some((one) => one.Key === tag.Key && one.Value === tag.Value))) return true;
  }
  return false;
}

/**
 * Writes a generated manifest to the generator's destination: bucket, key and version of each object, without a header.
 * @throws JobFailedError if the bucket denies access
 */
export async function deliverManifest(
  generator: S3JobManifestGenerator,
  jobId: string,
  tasks: AsyncIterable<Task>,
  call: JobCall,
): Promise<JobManifestLocation | undefined> {
  const location = generator.ManifestOutputLocation;
  if (!generator.EnableManifestOutput || !location) return undefined;
  const key = under(location.ManifestPrefix, `job-${jobId}/manifest.csv`);
  const kms = location.ManifestEncryption?.SSEKMS;
  async function* rows(): AsyncGenerator<string> {
    for await (const { bucket, key: name, versionId } of tasks)
      yield csvLine([bucket, encodedKey(name), versionId ?? '']);
  }
  try {
    const { ETag } = await call('s3', 'PutObject', {
      Bucket: bucketOf(location.Bucket),
      Key: key,
      Body: bytesOf(rows()),
      ContentType: 'text/csv',
      ...(location.ExpectedManifestBucketOwner && { ExpectedBucketOwner: location.ExpectedManifestBucketOwner }),
      ...(kms ? { ServerSideEncryption: 'aws:kms', SSEKMSKeyId: kms.KeyId } : { ServerSideEncryption: 'AES256' }),
    });
    return { ObjectArn: `${location.Bucket}/${key}`, ETag: ETag!.replaceAll('"', '') };
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    throw new JobFailedError(error.code, `Writing the generated manifest failed: ${error.code}: ${error.message}`);
  }
}

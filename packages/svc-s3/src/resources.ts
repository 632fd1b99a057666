import {
  defineResource,
  type LocatedState,
  type ResourceAddress,
  type StateFinder,
  type TagCall,
  type TagRecord,
  tagList,
} from '@emu/core/service';
import type { Bucket } from './buckets/bucket.ts';
import { isDirectoryName } from './directory-buckets/restrictions.ts';
import { taggingOf } from './tags.ts';

/** Buckets of an account for lookup. */
interface BucketRegistry {
  bucket(name: string): Bucket | undefined;
  /** Returns all buckets by name. */
  buckets(): Bucket[];
}

/** Returns a bucket of any account: names are globally unique. */
function locate(
  states: StateFinder<BucketRegistry>,
  name: string,
  { place }: ResourceAddress<unknown>,
): LocatedState<BucketRegistry> | undefined {
  const own = states.existingState(place.accountId, place.region);
  const found = own && locatedIn(own, name);
  if (found) return found;
  for (const { state } of states.states()) {
    const located = locatedIn(state, name);
    if (located) return located;
  }
  return undefined;
}

function locatedIn(state: BucketRegistry, name: string): LocatedState<BucketRegistry> | undefined {
  const bucket = state.bucket(name);
  return bucket && { state, place: { accountId: bucket.accountId, region: bucket.region } };
}

/** Returns the bucket name in an input; undefined for the ARN of an access point. */
function bucketNameIn({ Bucket: name }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof name === 'string' && !name.includes(':') ? name : undefined;
}

const tagsOf = (bucket: Bucket | undefined) => bucket && taggingOf('bucket').record(bucket.record.tags);
const policyOf = (bucket: Bucket | undefined) => bucket?.record.configurations.policy;

/** Replaces all tags of a bucket: S3 has no operation that changes some. */
function putTagging(bucket: string, tags: TagRecord): TagCall {
  const TagSet = tagList(tags);
  if (!TagSet) return { operation: 'DeleteBucketTagging', input: { Bucket: bucket } };
  return { operation: 'PutBucketTagging', input: { Bucket: bucket, Tagging: { TagSet } } };
}

/**
 * General purpose buckets.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html
 */
export const bucketType = defineResource({
  name: 'bucket',
  service: 's3',
  scope: 'partition',
  format: '{name}',
  cloudFormation: 'AWS::S3::Bucket',
  identify(input, place) {
    const name = bucketNameIn(input);
    return name === undefined || isDirectoryName(name) ? undefined : { key: { name }, place };
  },
  locate: (states: StateFinder<BucketRegistry>, address) => locate(states, address.key.name, address),
  find(registry, { name }) {
    const bucket = registry.bucket(name);
    return bucket && !bucket.record.directory ? { name } : undefined;
  },
  list: (registry) =>
    registry
      .buckets()
      .filter(({ record }) => !record.directory)
      .map(({ name }) => ({ name })),
  tags: (registry, { name }) => tagsOf(registry.bucket(name)),
  tagCalls: {
    tag: ({ name }, added, { tags }) => putTagging(name, { ...tags, ...added }),
    untag: ({ name }, keys, { tags }) =>
      putTagging(name, Object.fromEntries(Object.entries(tags).filter(([key]) => !keys.includes(key)))),
  },
  policy: (registry, { name }) => policyOf(registry.bucket(name)),
});

/**
 * Directory buckets.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3express.html
 */
export const directoryBucketType = defineResource({
  name: 'bucket',
  service: 's3express',
  scope: 'region',
  format: 'bucket/{name}',
  cloudFormation: 'AWS::S3Express::DirectoryBucket',
  identify(input, place) {
    const name = bucketNameIn(input);
    return name !== undefined && isDirectoryName(name) ? { key: { name }, place } : undefined;
  },
  locate: (states: StateFinder<BucketRegistry>, address) => locate(states, address.key.name, address),
  find: (registry, { name }) => (registry.bucket(name)?.record.directory ? { name } : undefined),
  list: (registry) =>
    registry
      .buckets()
      .filter(({ record }) => record.directory)
      .map(({ name }) => ({ name })),
  tags: (registry, { name }) => tagsOf(registry.bucket(name)),
  policy: (registry, { name }) => policyOf(registry.bucket(name)),
});

/**
 * Objects of general purpose buckets, under the bucket's policy. Objects of directory buckets have no ARN for
 * permissions. Because there may be millions, objects are only looked up, and listed by S3's own operations.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html
 */
export const objectType = defineResource({
  name: 'object',
  service: 's3',
  scope: 'partition',
  format: '{bucket}/{key+}',
  identify(input, place) {
    const { Key: key } = input;
    const bucket = bucketNameIn(input);
    if (bucket === undefined || isDirectoryName(bucket) || typeof key !== 'string') return undefined;
    return { key: { bucket, key }, place };
  },
  locate: (states: StateFinder<BucketRegistry>, address) => locate(states, address.key.bucket, address),
  find: (registry, { bucket, key }) => (registry.bucket(bucket)?.objects.current(key) ? { bucket, key } : undefined),
  tags: (registry, { bucket, key }) => taggingOf('object').record(registry.bucket(bucket)?.objects.current(key)?.tags),
  policy: (registry, { bucket }) => policyOf(registry.bucket(bucket)),
});

/** Returns the ARN of a general purpose or directory bucket. */
export function bucketArn(bucket: Bucket): string {
  return (bucket.record.directory ? directoryBucketType : bucketType).arn(bucket, bucket);
}

/** Returns the name in a general purpose bucket's ARN; undefined for other ARNs or invalid names. */
export function bucketNameOf(arn: string): string | undefined {
  const name = bucketType.parse(arn)?.key.name;
  return name !== undefined && /^[a-z0-9.-]{3,63}$/.test(name) ? name : undefined;
}

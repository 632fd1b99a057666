import {
  CreateBucketCommand,
  type LifecycleRule,
  PutBucketLifecycleConfigurationCommand,
  S3,
  type Transition,
  type TransitionStorageClass,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, refusalOf, s3Emulator } from './helpers.ts';

const Bucket = 'a-bucket';
const DAY = 86_400_000;
const HOUR = 3_600_000;

it('evaluates rules at the start of a day, not hourly', async () => {
  await using env = await s3Emulator();
  const { clock } = env.emulator.kernel;
  const s3 = new S3(env.emulator.clientConfig());
  clock.freeze();
  await s3.createBucket({ Bucket });
  await clock.set(Math.ceil(clock.now() / DAY) * DAY + 2 * HOUR);
  const Rules = [{ Status: 'Enabled' as const, Filter: {}, Expiration: { Date: new Date('2020-01-01') } }];
  await s3.putBucketLifecycleConfiguration({ Bucket, LifecycleConfiguration: { Rules } });
  await s3.putObject({ Bucket, Key: 'k' });
  await clock.advance(20 * HOUR);
  await s3.headObject({ Bucket, Key: 'k' });
  await clock.advance(4 * HOUR);
  expect(await errorOf(s3.headObject({ Bucket, Key: 'k' }))).toMatchObject({ name: 'NotFound' });
  s3.destroy();
});

it('transitions small objects if the filter sets a size', async () => {
  await using env = await s3Emulator();
  const s3 = new S3(env.emulator.clientConfig());
  await s3.createBucket({ Bucket });
  const rule = (Prefix: string, And: object) => ({
    ID: Prefix,
    Status: 'Enabled' as const,
    Filter: { And: { Prefix, ...And } },
    Transitions: [{ Days: 30, StorageClass: 'STANDARD_IA' as const }],
  });
  const Rules = [rule('sized/', { ObjectSizeGreaterThan: 2 }), rule('other/', { Tags: [{ Key: 'a', Value: 'b' }] })];
  await s3.putBucketLifecycleConfiguration({ Bucket, LifecycleConfiguration: { Rules } });
  for (const Key of ['sized/k', 'other/k']) await s3.putObject({ Bucket, Key, Body: 'small', Tagging: 'a=b' });
  await env.emulator.kernel.clock.advance(32 * DAY);
  expect((await s3.headObject({ Bucket, Key: 'sized/k' })).StorageClass).toBe('STANDARD_IA');
  expect((await s3.headObject({ Bucket, Key: 'other/k' })).StorageClass).toBeUndefined();
  s3.destroy();
});

it('recomputes due times after writes, tag changes and new rules', async () => {
  await using env = await s3Emulator();
  const { clock } = env.emulator.kernel;
  const s3 = new S3(env.emulator.clientConfig());
  clock.freeze();
  await s3.createBucket({ Bucket });
  const expireAfter = (Days: number) =>
    s3.putBucketLifecycleConfiguration({
      Bucket,
      LifecycleConfiguration: {
        Rules: [{ ID: 'r', Status: 'Enabled', Filter: { Tag: { Key: 'a', Value: 'b' } }, Expiration: { Days } }],
      },
    });
  const keys = async () => ((await s3.listObjectsV2({ Bucket })).Contents ?? []).map(({ Key }) => Key);
  await expireAfter(10);
  for (const Key of ['again', 'plain', 'tagged']) await s3.putObject({ Bucket, Key, Tagging: 'a=b' });
  await s3.putObject({ Bucket, Key: 'late' });
  await clock.advance(5 * DAY);
  await s3.putObject({ Bucket, Key: 'again', Tagging: 'a=b' });
  await s3.deleteObjectTagging({ Bucket, Key: 'plain' });
  await clock.advance(7 * DAY);
  expect(await keys()).toEqual(['again', 'late', 'plain']);
  await s3.putObjectTagging({ Bucket, Key: 'late', Tagging: { TagSet: [{ Key: 'a', Value: 'b' }] } });
  await clock.advance(DAY);
  expect(await keys()).toEqual(['again', 'plain']);
  await expireAfter(6);
  await clock.advance(DAY);
  expect(await keys()).toEqual(['plain']);
  s3.destroy();
});

describe('rejects contradictory rules', () => {
  let env: Awaited<ReturnType<typeof s3Emulator>>;
  beforeAll(async () => {
    env = await s3Emulator();
    await env.s3.send(new CreateBucketCommand({ Bucket }));
  });
  afterAll(() => env[Symbol.asyncDispose]());

  const to = (StorageClass: TransitionStorageClass, Days: number): Transition => ({ StorageClass, Days });
  const on = (StorageClass: TransitionStorageClass, date: string): Transition => ({
    StorageClass,
    Date: new Date(date),
  });
  const moved = (...Transitions: Transition[]): Partial<LifecycleRule> => ({ Transitions });
  const rule = (ID: string, Prefix: string): LifecycleRule => ({
    ID,
    Status: 'Enabled',
    Prefix,
    Expiration: { Days: 1 },
  });
  const scope = "filter '(prefix=a/)'";

  it.each<[string, Partial<LifecycleRule>]>([
    [
      `InvalidRequest: 'StorageClass' must be different for 'Transition' actions in same 'Rule' with ${scope}`,
      moved(to('GLACIER', 1), to('GLACIER', 2)),
    ],
    [
      `InvalidArgument: 'Days' in the 'Transition' action for StorageClass 'DEEP_ARCHIVE' for ${scope} must be greater than 'Days' in the 'Transition' action for StorageClass 'GLACIER' for ${scope}`,
      moved(to('DEEP_ARCHIVE', 90), to('GLACIER', 100)),
    ],
    [
      `InvalidArgument: 'Days' in the 'Transition' action for StorageClass 'GLACIER' for ${scope} must be 30 days more than 'Days' in the 'Transition' action for StorageClass 'STANDARD_IA' for ${scope}`,
      moved(to('STANDARD_IA', 30), to('GLACIER', 59)),
    ],
    [
      `InvalidRequest: Found mixed 'Date' and 'Days' based Transition actions in lifecycle rule for ${scope}`,
      moved(to('GLACIER', 1), on('DEEP_ARCHIVE', '2040-01-01')),
    ],
    [
      `InvalidRequest: Found mixed 'Date' and 'Days' based Expiration and Transition actions in lifecycle rule for ${scope}`,
      { ...moved(to('GLACIER', 1)), Expiration: { Date: new Date('2040-01-01') } },
    ],
    [
      `InvalidArgument: 'Days' in the Expiration action for ${scope} must be greater than 'Days' in the Transition action`,
      { ...moved(to('GLACIER', 10)), Expiration: { Days: 10 } },
    ],
    [
      `InvalidArgument: 'Date' in the Expiration action for ${scope} must be later than 'Date' in the Transition action`,
      { ...moved(on('GLACIER', '2040-01-01')), Expiration: { Date: new Date('2040-01-01') } },
    ],
    [
      "InvalidArgument: 'NoncurrentDays' in NoncurrentVersionTransition action must be greater than or equal to 30 for storageClass 'STANDARD_IA'",
      { NoncurrentVersionTransitions: [{ StorageClass: 'STANDARD_IA', NoncurrentDays: 29 }] },
    ],
    [
      `InvalidArgument: 'NoncurrentDays' in the NoncurrentVersionExpiration action for ${scope} must be greater than 'NoncurrentDays' in the NoncurrentVersionTransition action`,
      {
        NoncurrentVersionTransitions: [{ StorageClass: 'GLACIER', NoncurrentDays: 3 }],
        NoncurrentVersionExpiration: { NoncurrentDays: 3 },
      },
    ],
    [
      "InvalidArgument: 'NoncurrentDays' for NoncurrentVersionExpiration action must be a positive integer",
      { NoncurrentVersionExpiration: { NoncurrentDays: 0 } },
    ],
    [
      "InvalidArgument: 'NewerNoncurrentVersions' for NoncurrentVersionExpiration action must be between 1 and 100",
      { NoncurrentVersionExpiration: { NoncurrentDays: 1, NewerNoncurrentVersions: 101 } },
    ],
    [
      "InvalidArgument: 'NewerNoncurrentVersions' for NoncurrentVersionTransition action must be between 1 and 100",
      {
        NoncurrentVersionTransitions: [{ StorageClass: 'GLACIER', NoncurrentDays: 1, NewerNoncurrentVersions: 101 }],
      },
    ],
    [
      'InvalidRequest: ExpiredObjectDeleteMarker cannot be specified with Object Size.',
      { Filter: { ObjectSizeGreaterThan: 1 }, Expiration: { ExpiredObjectDeleteMarker: false } },
    ],
    [
      "InvalidRequest: 'ObjectSizeLessThan' should be between 1 and 1099511627776000.",
      { Filter: { ObjectSizeLessThan: 0 }, Expiration: { Days: 1 } },
    ],
    [
      'MalformedXML: The XML you provided was not well-formed or did not validate against our published schema',
      { Filter: { And: { Prefix: 'a/' } }, Expiration: { Days: 1 } },
    ],
  ])('within one: %s', async (expected, part) => {
    const Rules: LifecycleRule[] = [{ ID: 'a', Status: 'Enabled', Filter: { Prefix: 'a/' }, ...part }];
    const put = new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } });
    expect(await refusalOf(env.s3.send(put))).toBe(expected);
  });

  it.each<[string, LifecycleRule[]]>([
    [
      "InvalidRequest: Found overlapping prefixes 'foo/bar' and 'foo/bar/buu' for same action type 'Expiration'",
      [rule('a', 'foo/bar'), rule('b', 'foo/bar/buu')],
    ],
    [
      'InvalidRequest: Filter element can only be used in Lifecycle V2.',
      [rule('a', 'a'), { ID: 'b', Status: 'Enabled', Filter: {}, Expiration: { Days: 1 } }],
    ],
    [
      'InvalidRequest: Base level prefix cannot be used in Lifecycle V2, prefixes are only supported in the Filter.',
      [{ ID: 'b', Status: 'Enabled', Filter: {}, Expiration: { Days: 1 } }, rule('a', 'a')],
    ],
  ])('among several: %s', async (expected, Rules) => {
    const put = new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } });
    expect(await refusalOf(env.s3.send(put))).toBe(expected);
  });

  it('accepts overlapping filters', async () => {
    const Rules: LifecycleRule[] = ['', 'logs/'].map((Prefix) => ({
      ID: `of ${Prefix}`,
      Status: 'Enabled',
      Filter: { Prefix },
      Transitions: [to('STANDARD_IA', 30), to('GLACIER', 60), to('DEEP_ARCHIVE', 61)],
      Expiration: { Days: 62 },
    }));
    await env.s3.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }));
  });
});

import { S3 } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { errorOf, s3Emulator } from './helpers.ts';

const Bucket = 'a-bucket';
const DAY = 86_400_000;
const HOUR = 3_600_000;

it('rules are evaluated as a day begins, and not by the hour', async () => {
  await using env = await s3Emulator();
  const { clock } = env.emulator.kernel;
  const s3 = new S3({ ...env.emulator.clientConfig(), forcePathStyle: true });
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

it('small objects are moved where a filter names their size', async () => {
  await using env = await s3Emulator();
  const s3 = new S3({ ...env.emulator.clientConfig(), forcePathStyle: true });
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

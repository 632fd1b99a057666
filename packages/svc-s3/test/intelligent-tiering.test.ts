import { S3, type Tiering } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorOf, refusalOf, s3Emulator } from './helpers.ts';

const Bucket = 'a-bucket';
const DAY = 86_400_000;
/** Smaller objects are not monitored. */
const Body = Buffer.alloc(128 * 1024);

let env: Awaited<ReturnType<typeof s3Emulator>>;
let s3: S3;
beforeEach(async () => {
  env = await s3Emulator();
  env.emulator.kernel.clock.freeze();
  s3 = new S3(env.emulator.clientConfig());
  await s3.createBucket({ Bucket });
});
afterEach(async () => {
  s3.destroy();
  await env[Symbol.asyncDispose]();
});

const configure = (Tierings: Tiering[], Filter?: object, Status: 'Enabled' | 'Disabled' = 'Enabled', Id = 'all') =>
  s3.putBucketIntelligentTieringConfiguration({
    Bucket,
    Id,
    IntelligentTieringConfiguration: { Id, Status, Tierings, ...(Filter && { Filter }) },
  });
const archive: Tiering = { AccessTier: 'ARCHIVE_ACCESS', Days: 90 };
const deep: Tiering = { AccessTier: 'DEEP_ARCHIVE_ACCESS', Days: 180 };
const put = (Key: string, more: object = {}) =>
  s3.putObject({ Bucket, Key, Body, StorageClass: 'INTELLIGENT_TIERING', ...more });
const status = async (Key = 'k') => (await s3.headObject({ Bucket, Key })).ArchiveStatus;
const read = async (Key = 'k') => (await s3.getObject({ Bucket, Key })).Body!.transformToByteArray();
const days = (count: number) => env.emulator.kernel.clock.advance(count * DAY);

// Recorded.
describe('configurations', () => {
  it('are stored, listed and deleted', async () => {
    const configuration = { Id: 'test1', Filter: { Prefix: 'test1' }, Status: 'Enabled' as const, Tierings: [archive] };
    const of = (Id: string) => ({ Bucket, Id, IntelligentTieringConfiguration: configuration });
    expect(await errorOf(s3.putBucketIntelligentTieringConfiguration(of('other')))).toMatchObject({
      name: 'MalformedXML',
    });
    const { $metadata } = await s3.putBucketIntelligentTieringConfiguration(of('test1'));
    expect($metadata.httpStatusCode).toBe(204);
    await configure([archive], { Prefix: 'test2' }, 'Enabled', 'test2');
    expect(await s3.getBucketIntelligentTieringConfiguration({ Bucket, Id: 'test1' })).toMatchObject({
      IntelligentTieringConfiguration: configuration,
    });
    const list = () => s3.listBucketIntelligentTieringConfigurations({ Bucket });
    expect(await list()).toMatchObject({
      IsTruncated: false,
      IntelligentTieringConfigurationList: [configuration, { Id: 'test2' }],
    });
    await s3.deleteBucketIntelligentTieringConfiguration({ Bucket, Id: 'test1' });
    const gone = {
      name: 'NoSuchConfiguration',
      message: 'The specified configuration does not exist.',
      $metadata: { httpStatusCode: 404 },
    };
    expect(await errorOf(s3.deleteBucketIntelligentTieringConfiguration({ Bucket, Id: 'test1' }))).toMatchObject(gone);
    expect(await errorOf(s3.getBucketIntelligentTieringConfiguration({ Bucket, Id: 'test1' }))).toMatchObject(gone);
    expect(
      await errorOf(s3.deleteBucketIntelligentTieringConfiguration({ Bucket: 'no-such-bucket', Id: 'test1' })),
    ).toMatchObject({ name: 'NoSuchBucket' });
    expect((await list()).IntelligentTieringConfigurationList).toHaveLength(1);
  });

  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_Tiering.html
  it.each<[string, Tiering[], object?]>([
    ['InvalidArgument', [{ ...archive, Days: 89 }]],
    ['InvalidArgument', [{ ...archive, Days: 731 }]],
    ['InvalidArgument', [{ ...deep, Days: 179 }]],
    ['InvalidArgument', [{ ...archive, Days: 200 }, deep]],
    ['MalformedXML', []],
    ['MalformedXML', [{ AccessTier: 'FREQUENT' as 'ARCHIVE_ACCESS', Days: 90 }]],
    ['MalformedXML', [archive], { Prefix: 'a', Tag: { Key: 'a', Value: 'b' } }],
  ])('that are invalid are rejected: %s %j %j', async (code, tierings, filter) => {
    expect(await refusalOf(configure(tierings, filter))).toMatch(new RegExp(`^${code}: `));
  });
});

// https://docs.aws.amazon.com/AmazonS3/latest/userguide/intelligent-tiering-overview.html
describe('archive tiers', () => {
  it('receive objects without access, which must be restored before they are read', async () => {
    await configure([archive, deep]);
    await put('k');
    await days(89);
    expect(await status()).toBeUndefined();
    await days(2);
    expect(await status()).toBe('ARCHIVE_ACCESS');
    const refused = {
      name: 'InvalidObjectState',
      message: "The operation is not valid for the object's access tier",
      StorageClass: 'INTELLIGENT_TIERING',
      AccessTier: 'ARCHIVE_ACCESS',
      $metadata: { httpStatusCode: 403 },
    };
    expect(await errorOf(s3.getObject({ Bucket, Key: 'k' }))).toMatchObject(refused);
    expect(await errorOf(s3.copyObject({ Bucket, Key: 'c', CopySource: `${Bucket}/k` }))).toMatchObject(refused);
    const { UploadId } = await s3.createMultipartUpload({ Bucket, Key: 'm' });
    const part = { Bucket, Key: 'm', UploadId, PartNumber: 1, CopySource: `${Bucket}/k` };
    expect(await errorOf(s3.uploadPartCopy(part))).toMatchObject(refused);

    const { $metadata } = await s3.restoreObject({ Bucket, Key: 'k', RestoreRequest: {} });
    expect($metadata.httpStatusCode).toBe(202);
    expect(await s3.headObject({ Bucket, Key: 'k' })).toMatchObject({
      Restore: 'ongoing-request="true"',
      ArchiveStatus: 'ARCHIVE_ACCESS',
      StorageClass: 'INTELLIGENT_TIERING',
    });
    expect(await errorOf(s3.restoreObject({ Bucket, Key: 'k', RestoreRequest: {} }))).toMatchObject({
      name: 'RestoreAlreadyInProgress',
    });
    await env.emulator.kernel.clock.advance(1000);
    expect(await s3.headObject({ Bucket, Key: 'k' })).toMatchObject({ StorageClass: 'INTELLIGENT_TIERING' });
    expect(await status()).toBeUndefined();
    expect(await read()).toHaveLength(Body.length);
    // The restore is an access: the days begin again.
    await days(89);
    expect(await status()).toBeUndefined();
    await days(2);
    expect(await status()).toBe('ARCHIVE_ACCESS');
    await days(90);
    expect(await status()).toBe('DEEP_ARCHIVE_ACCESS');
  });

  it('keep objects that are read', async () => {
    await configure([archive]);
    for (const Key of ['read', 'copied', 'described']) await put(Key);
    await days(60);
    await read('read');
    await s3.copyObject({ Bucket, Key: 'copy', CopySource: `${Bucket}/copied` });
    await s3.headObject({ Bucket, Key: 'described' });
    await s3.putObjectTagging({ Bucket, Key: 'described', Tagging: { TagSet: [{ Key: 'a', Value: 'b' }] } });
    await days(60);
    expect([await status('read'), await status('copied'), await status('described')]).toEqual([
      undefined,
      undefined,
      'ARCHIVE_ACCESS',
    ]);
  });

  it('receive only the objects of enabled configurations, of the storage class and of enough size', async () => {
    const tag = { Key: 'a', Value: 'b' };
    await configure([archive], { And: { Prefix: 'logs/', Tags: [tag] } });
    await configure([deep], { Tag: { Key: 'deep', Value: 'yes' } }, 'Enabled', 'deep');
    await configure([archive], undefined, 'Disabled', 'off');
    await put('logs/tagged', { Tagging: 'a=b' });
    await put('logs/untagged');
    await put('tagged', { Tagging: 'a=b' });
    await put('logs/small', { Tagging: 'a=b', Body: Body.subarray(1) });
    await put('logs/standard', { Tagging: 'a=b', StorageClass: 'STANDARD' });
    await put('deep', { Tagging: 'deep=yes' });
    const archived = async () => {
      const found: Record<string, string | undefined> = {};
      for (const Key of ['logs/tagged', 'logs/untagged', 'tagged', 'logs/small', 'logs/standard', 'deep'])
        if ((await status(Key)) !== undefined) found[Key] = await status(Key);
      return found;
    };
    await days(92);
    expect(await archived()).toEqual({ 'logs/tagged': 'ARCHIVE_ACCESS' });
    await days(90);
    expect(await archived()).toEqual({ 'logs/tagged': 'ARCHIVE_ACCESS', deep: 'DEEP_ARCHIVE_ACCESS' });
    // Objects stay archived without their configuration.
    await s3.deleteBucketIntelligentTieringConfiguration({ Bucket, Id: 'all' });
    await days(2);
    expect(await status('logs/tagged')).toBe('ARCHIVE_ACCESS');
  });

  it('count the days from a transition into the storage class', async () => {
    await configure([archive]);
    const Transitions = [{ Days: 30, StorageClass: 'INTELLIGENT_TIERING' as const }];
    const Rules = [{ ID: 'r', Status: 'Enabled' as const, Filter: { Prefix: '' }, Transitions }];
    await s3.putBucketLifecycleConfiguration({ Bucket, LifecycleConfiguration: { Rules } });
    await put('k', { StorageClass: 'STANDARD' });
    await days(32);
    expect((await s3.headObject({ Bucket, Key: 'k' })).StorageClass).toBe('INTELLIGENT_TIERING');
    await days(88);
    expect(await status()).toBeUndefined();
    await days(4);
    expect(await status()).toBe('ARCHIVE_ACCESS');
  });

  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_RestoreObject.html
  it('have restores of their own kind', async () => {
    await configure([deep]);
    await put('k');
    await put('fresh');
    await days(182);
    await put('fresh');
    const restore = (RestoreRequest: object, Key = 'k') => refusalOf(s3.restoreObject({ Bucket, Key, RestoreRequest }));
    // The message is AWS's: https://github.com/s3tools/s3cmd/issues/1377
    for (const Key of ['k', 'fresh'])
      expect(await restore({ Days: 1 }, Key)).toBe(
        'InvalidArgument: INTELLIGENT_TIERING objects are not subject to restore expiry. Do not specify Days when restoring this object',
      );
    expect(await restore({ GlacierJobParameters: { Tier: 'Expedited' } })).toMatch(/^InvalidArgument: /);
    expect(await restore({}, 'fresh')).toMatch(/^InvalidObjectState: /);
  });
});

import { createHash } from 'node:crypto';
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketLocationCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { errorOf, s3Emulator } from './helpers.ts';

const Bucket = 'a-bucket';

describe('buckets', () => {
  it('are created, found, listed and deleted', async () => {
    await using env = await s3Emulator();
    const { s3 } = env;
    const made = await s3.send(new CreateBucketCommand({ Bucket }));
    expect(made).toMatchObject({ Location: '/a-bucket', BucketArn: 'arn:aws:s3:::a-bucket' });
    expect(await s3.send(new HeadBucketCommand({ Bucket }))).toMatchObject({ BucketRegion: 'us-east-1' });
    const { Buckets, Owner } = await s3.send(new ListBucketsCommand({}));
    expect(Buckets?.map(({ Name }) => Name)).toEqual([Bucket]);
    expect(Owner?.ID).toMatch(/^[0-9a-f]{64}$/);
    expect((await s3.send(new GetBucketLocationCommand({ Bucket }))).LocationConstraint).toBeUndefined();
    await s3.send(new DeleteBucketCommand({ Bucket }));
    expect(await errorOf(s3.send(new HeadBucketCommand({ Bucket })))).toMatchObject({ name: 'NotFound' });
  });

  it('rejects invalid names and locations', async () => {
    await using env = await s3Emulator();
    const { s3 } = env;
    for (const bad of ['AB', 'Upper-case', 'a..b', '192.168.1.1', 'under_score'])
      expect(await errorOf(s3.send(new CreateBucketCommand({ Bucket: bad })))).toMatchObject({
        name: 'InvalidBucketName',
      });
    const located = (LocationConstraint: string) =>
      errorOf(
        s3.send(
          new CreateBucketCommand({
            Bucket,
            CreateBucketConfiguration: { LocationConstraint: LocationConstraint as 'EU' },
          }),
        ),
      );
    expect(await located('nowhere')).toMatchObject({ name: 'InvalidLocationConstraint' });
    expect(await errorOf(s3.send(new DeleteBucketCommand({ Bucket })))).toMatchObject({
      name: 'NoSuchBucket',
      message: 'The specified bucket does not exist',
    });
  });
});

describe('objects', () => {
  it('are returned unchanged', async () => {
    await using env = await s3Emulator();
    const { s3 } = env;
    await s3.send(new CreateBucketCommand({ Bucket }));
    const put = await s3.send(
      new PutObjectCommand({
        Bucket,
        Key: 'päth/to key',
        Body: 'hello',
        ContentType: 'text/plain',
        Metadata: { Colour: 'blue' },
        CacheControl: 'no-cache',
      }),
    );
    expect(put).toMatchObject({
      ETag: `"${createHash('md5').update('hello').digest('hex')}"`,
      ChecksumCRC32: 'NhCmhg==',
      ChecksumType: 'FULL_OBJECT',
      ServerSideEncryption: 'AES256',
    });
    const got = await s3.send(new GetObjectCommand({ Bucket, Key: 'päth/to key', ChecksumMode: 'ENABLED' }));
    expect(await got.Body!.transformToString()).toBe('hello');
    expect(got).toMatchObject({
      ContentLength: 5,
      ContentType: 'text/plain',
      Metadata: { colour: 'blue' },
      CacheControl: 'no-cache',
      ChecksumCRC32: 'NhCmhg==',
      AcceptRanges: 'bytes',
    });
    const part = await s3.send(new GetObjectCommand({ Bucket, Key: 'päth/to key', Range: 'bytes=1-3' }));
    expect(part).toMatchObject({ ContentRange: 'bytes 1-3/5', $metadata: { httpStatusCode: 206 } });
    expect(await part.Body!.transformToString()).toBe('ell');
    expect(
      await errorOf(s3.send(new GetObjectCommand({ Bucket, Key: 'päth/to key', Range: 'bytes=9-' }))),
    ).toMatchObject({ name: 'InvalidRange', ActualObjectSize: '5', RangeRequested: 'bytes=9-' });
    expect(await errorOf(s3.send(new HeadObjectCommand({ Bucket, Key: 'nothing' })))).toMatchObject({
      name: 'NotFound',
    });
    expect(await errorOf(s3.send(new GetObjectCommand({ Bucket, Key: 'nothing' })))).toMatchObject({
      name: 'NoSuchKey',
      Key: 'nothing',
    });
  });

  it('rejects wrong digests and stores nothing', async () => {
    await using env = await s3Emulator();
    const { s3 } = env;
    await s3.send(new CreateBucketCommand({ Bucket }));
    expect(
      await errorOf(s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x', ChecksumSHA256: 'bm9uc2Vuc2U=' }))),
    ).toMatchObject({
      name: 'InvalidRequest',
      message: 'Value for x-amz-checksum-sha256 header is invalid.',
    });
    const wrong = createHash('sha256').update('y').digest('base64');
    expect(
      await errorOf(s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x', ChecksumSHA256: wrong }))),
    ).toMatchObject({
      name: 'BadDigest',
      message: 'The SHA256 you specified did not match the calculated checksum.',
    });
    expect(await errorOf(s3.send(new HeadObjectCommand({ Bucket, Key: 'k' })))).toMatchObject({ name: 'NotFound' });
  });

  it('supports conditions', async () => {
    await using env = await s3Emulator();
    const { s3 } = env;
    await s3.send(new CreateBucketCommand({ Bucket }));
    const { ETag } = await s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x', IfNoneMatch: '*' }));
    expect(
      await errorOf(s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x', IfNoneMatch: '*' }))),
    ).toMatchObject({ name: 'PreconditionFailed', Condition: 'If-None-Match' });
    await s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'y', IfMatch: ETag }));
    expect(await errorOf(s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'z', IfMatch: ETag })))).toMatchObject({
      name: 'PreconditionFailed',
    });
    const now = (await s3.send(new HeadObjectCommand({ Bucket, Key: 'k' }))).ETag!;
    expect(
      (await errorOf(s3.send(new GetObjectCommand({ Bucket, Key: 'k', IfNoneMatch: now })))).$metadata.httpStatusCode,
    ).toBe(304);
  });
});

describe('versions', () => {
  it('accumulate, with delete markers, and are deleted individually', async () => {
    await using env = await s3Emulator();
    const { s3 } = env;
    await s3.send(new CreateBucketCommand({ Bucket }));
    await s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: '0' }));
    await s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }));
    const first = await s3.send(new PutObjectCommand({ Bucket, Key: 'k', Body: '1' }));
    expect(first.VersionId).toMatch(/^[\w.]{32}$/);
    const marker = await s3.send(new DeleteObjectCommand({ Bucket, Key: 'k' }));
    expect(marker).toMatchObject({ DeleteMarker: true });
    const gone = await errorOf(s3.send(new GetObjectCommand({ Bucket, Key: 'k' })));
    expect(gone).toMatchObject({ name: 'NoSuchKey' });
    expect(
      await errorOf(s3.send(new GetObjectCommand({ Bucket, Key: 'k', VersionId: marker.VersionId }))),
    ).toMatchObject({ name: 'MethodNotAllowed', ResourceType: 'DeleteMarker' });
    const listed = await s3.send(new ListObjectVersionsCommand({ Bucket }));
    expect(listed.DeleteMarkers).toMatchObject([{ Key: 'k', IsLatest: true, VersionId: marker.VersionId }]);
    expect(listed.Versions).toMatchObject([{ VersionId: first.VersionId, IsLatest: false }, { VersionId: 'null' }]);
    const page = await s3.send(new ListObjectVersionsCommand({ Bucket, MaxKeys: 1 }));
    expect(page).toMatchObject({ IsTruncated: true, NextKeyMarker: 'k', NextVersionIdMarker: marker.VersionId });
    const next = await s3.send(
      new ListObjectVersionsCommand({ Bucket, KeyMarker: 'k', VersionIdMarker: page.NextVersionIdMarker }),
    );
    expect(next.Versions).toHaveLength(2);
    expect(await errorOf(s3.send(new DeleteBucketCommand({ Bucket })))).toMatchObject({ name: 'BucketNotEmpty' });
    const { Deleted } = await s3.send(
      new DeleteObjectsCommand({
        Bucket,
        Delete: {
          Objects: [
            { Key: 'k', VersionId: marker.VersionId },
            { Key: 'k', VersionId: 'null' },
          ],
        },
      }),
    );
    expect(Deleted).toMatchObject([
      { Key: 'k', DeleteMarker: true, DeleteMarkerVersionId: marker.VersionId },
      { Key: 'k', VersionId: 'null' },
    ]);
    const back = await s3.send(new GetObjectCommand({ Bucket, Key: 'k' }));
    expect(await back.Body!.transformToString()).toBe('1');
  });
});

describe('listings', () => {
  it('follow the byte order of keys, by prefix, delimiter and page', async () => {
    await using env = await s3Emulator();
    const { s3 } = env;
    await s3.send(new CreateBucketCommand({ Bucket }));
    const keys = ['a/1', 'a/2', 'b', 'c/d/1', 'c/d/2', '\uff5e', '\u{1f600}', 'é', 'z'];
    for (const Key of keys) await s3.send(new PutObjectCommand({ Bucket, Key, Body: '' }));
    const sorted = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const all = await s3.send(new ListObjectsV2Command({ Bucket }));
    expect(all.Contents?.map(({ Key }) => Key)).toEqual(sorted);
    const grouped = await s3.send(new ListObjectsV2Command({ Bucket, Delimiter: '/' }));
    expect(grouped.CommonPrefixes).toEqual([{ Prefix: 'a/' }, { Prefix: 'c/' }]);
    expect(grouped.KeyCount).toBe(7);
    const seen: (string | undefined)[] = [];
    let token: string | undefined;
    do {
      const page = await s3.send(
        new ListObjectsV2Command({ Bucket, Delimiter: '/', MaxKeys: 2, ContinuationToken: token }),
      );
      seen.push(
        ...(page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix),
        ...(page.Contents ?? []).map(({ Key }) => Key),
      );
      token = page.NextContinuationToken;
    } while (token);
    expect(new Set(seen)).toEqual(new Set(['a/', 'b', 'c/', 'z', 'é', '\uff5e', '\u{1f600}']));
    expect(seen).toHaveLength(7);
    const v1 = await s3.send(new ListObjectsCommand({ Bucket, Delimiter: '/', MaxKeys: 1 }));
    expect(v1).toMatchObject({ NextMarker: 'a/', IsTruncated: true });
    const under = await s3.send(new ListObjectsCommand({ Bucket, Prefix: 'c/', Delimiter: '/' }));
    expect(under.CommonPrefixes).toEqual([{ Prefix: 'c/d/' }]);
  });
});

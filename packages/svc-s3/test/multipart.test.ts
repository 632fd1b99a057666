import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { errorOf, s3Emulator } from './helpers.ts';

const Bucket = 'parts';
const Key = 'big';
const MIB = 1024 * 1024;

async function begin(s3: S3Client, extra: object = {}): Promise<string> {
  await s3.send(new CreateBucketCommand({ Bucket }));
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key, ...extra }));
  return UploadId!;
}

const crcOf = (bytes: Buffer): string => {
  const out = Buffer.alloc(4);
  out.writeUInt32BE(crc32(bytes));
  return out.toString('base64');
};

describe('multipart uploads', () => {
  it("combine parts, with S3's ETag and checksum", async () => {
    await using env = await s3Emulator();
    const { s3 } = env;
    const UploadId = await begin(s3, { ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT', ContentType: 'x/y' });
    const bodies = [randomBytes(5 * MIB), randomBytes(5 * MIB + 1), randomBytes(10)];
    const Parts = [];
    for (const [at, Body] of bodies.entries()) {
      const part = await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: at + 1, Body }));
      expect(part.ChecksumCRC32).toBe(crcOf(Body));
      Parts.push({ PartNumber: at + 1, ETag: part.ETag });
    }
    const listed = await s3.send(new ListPartsCommand({ Bucket, Key, UploadId, MaxParts: 2 }));
    expect(listed).toMatchObject({ IsTruncated: true, NextPartNumberMarker: '2', ChecksumType: 'FULL_OBJECT' });
    expect((await s3.send(new ListPartsCommand({ Bucket, Key, UploadId, PartNumberMarker: '2' }))).Parts).toHaveLength(
      1,
    );
    const done = await s3.send(
      new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
    );
    const whole = Buffer.concat(bodies);
    const md5s = bodies.map((body) => createHash('md5').update(body).digest());
    expect(done.ETag).toBe(`"${createHash('md5').update(Buffer.concat(md5s)).digest('hex')}-3"`);
    expect(done).toMatchObject({ ChecksumCRC32: crcOf(whole), ChecksumType: 'FULL_OBJECT', Key, Bucket });
    const got = await s3.send(new GetObjectCommand({ Bucket, Key }));
    expect(got).toMatchObject({ ContentType: 'x/y', ContentLength: whole.length });
    expect(Buffer.from(await got.Body!.transformToByteArray()).equals(whole)).toBe(true);
    const across = await s3.send(new GetObjectCommand({ Bucket, Key, Range: `bytes=${5 * MIB - 3}-${5 * MIB + 2}` }));
    expect(
      Buffer.from(await across.Body!.transformToByteArray()).equals(whole.subarray(5 * MIB - 3, 5 * MIB + 3)),
    ).toBe(true);
    const second = await s3.send(new HeadObjectCommand({ Bucket, Key, PartNumber: 2 }));
    expect(second).toMatchObject({ PartsCount: 3, ContentLength: 5 * MIB + 1 });
    expect(await errorOf(s3.send(new ListPartsCommand({ Bucket, Key, UploadId })))).toMatchObject({
      name: 'NoSuchUpload',
      UploadId,
    });
  });

  it('return composite checksums and part lists', async () => {
    await using env = await s3Emulator();
    const { s3 } = env;
    const UploadId = await begin(s3, { ChecksumAlgorithm: 'SHA256' });
    const part = await s3.send(
      new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: 'abc', ChecksumAlgorithm: 'SHA256' }),
    );
    const complete = (entry: object) =>
      s3.send(
        new CompleteMultipartUploadCommand({
          Bucket,
          Key,
          UploadId,
          MultipartUpload: { Parts: [{ PartNumber: 1, ETag: part.ETag, ...entry }] },
        }),
      );
    expect(await errorOf(complete({}))).toMatchObject({
      name: 'InvalidRequest',
      message:
        'The upload was created using a sha256 checksum. The complete request must include the checksum for each part. It was missing for part 1 in the request.',
    });
    const done = await complete({ ChecksumSHA256: part.ChecksumSHA256 });
    const sha = createHash('sha256').update(createHash('sha256').update('abc').digest()).digest('base64');
    expect(done.ChecksumSHA256).toBe(`${sha}-1`);
    const attributes = await s3.send(
      new GetObjectAttributesCommand({
        Bucket,
        Key,
        ObjectAttributes: ['ETag', 'Checksum', 'ObjectParts', 'ObjectSize'],
      }),
    );
    expect(attributes).toMatchObject({
      ObjectSize: 3,
      Checksum: { ChecksumSHA256: sha, ChecksumType: 'COMPOSITE' },
      ObjectParts: { TotalPartsCount: 1, Parts: [{ PartNumber: 1, Size: 3 }] },
    });
    const copied = await s3.send(new CopyObjectCommand({ Bucket, Key: 'copy', CopySource: `${Bucket}/${Key}` }));
    expect(copied.CopyObjectResult).toMatchObject({
      ETag: `"${createHash('md5').update('abc').digest('hex')}"`,
      ChecksumSHA256: createHash('sha256').update('abc').digest('base64'),
      ChecksumType: 'FULL_OBJECT',
    });
  });

  it('reject invalid, unordered, small and missing parts', async () => {
    await using env = await s3Emulator();
    const { s3 } = env;
    const UploadId = await begin(s3);
    const put = (PartNumber: number, Body: string) =>
      s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
    const { ETag } = await put(1, 'data');
    await put(2, 'data');
    const complete = (Parts: object[], extra: object = {}) =>
      errorOf(
        s3.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts }, ...extra })),
      );
    expect(await complete([])).toMatchObject({ name: 'InvalidRequest', message: 'You must specify at least one part' });
    expect(
      await complete([
        { PartNumber: 2, ETag },
        { PartNumber: 1, ETag },
      ]),
    ).toMatchObject({ name: 'InvalidPartOrder', UploadId });
    expect(
      await complete([
        { PartNumber: 1, ETag },
        { PartNumber: 2, ETag },
      ]),
    ).toMatchObject({ name: 'EntityTooSmall', PartNumber: '1', ProposedSize: '4', MinSizeAllowed: '5242880' });
    expect(await complete([{ PartNumber: 3, ETag }])).toMatchObject({ name: 'InvalidPart', PartNumber: '3' });
    expect(await complete([{ PartNumber: 1, ETag }], { MpuObjectSize: 5 })).toMatchObject({
      message: "The provided 'x-amz-mp-object-size' header value 5 does not match what was computed: 4",
    });
    expect(await errorOf(put(0, 'x'))).toMatchObject({ name: 'InvalidArgument', ArgumentName: 'partNumber' });
    await s3.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    expect(await errorOf(put(1, 'x'))).toMatchObject({ name: 'NoSuchUpload' });
    expect((await s3.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads ?? []).toEqual([]);
  });

  it('detect changes of the key meanwhile', async () => {
    await using env = await s3Emulator();
    const { s3 } = env;
    const UploadId = await begin(s3);
    const { ETag } = await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: 'data' }));
    await s3.send(new PutObjectCommand({ Bucket, Key, Body: '' }));
    const complete = (): Promise<unknown> =>
      s3.send(
        new CompleteMultipartUploadCommand({
          Bucket,
          Key,
          UploadId,
          IfNoneMatch: '*',
          MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] },
        }),
      );
    expect(await errorOf(complete())).toMatchObject({ name: 'PreconditionFailed' });
    await s3.send(new DeleteObjectCommand({ Bucket, Key }));
    expect(await errorOf(complete())).toMatchObject({
      name: 'ConditionalRequestConflict',
      Condition: 'If-None-Match',
      Key,
    });
  });

  it('copy parts, page uploads, and continue after a restart', async () => {
    const dataPath = await mkdtemp(join(tmpdir(), 'emu-s3-'));
    try {
      let UploadId: string;
      let part: string | undefined;
      {
        await using env = await s3Emulator({ dataPath });
        const { s3 } = env;
        UploadId = await begin(s3);
        await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'a/1' }));
        await s3.send(new CreateMultipartUploadCommand({ Bucket, Key: 'a/2' }));
        await s3.send(new PutObjectCommand({ Bucket, Key: 'source', Body: '0123456789' }));
        const copied = await s3.send(
          new UploadPartCopyCommand({
            Bucket,
            Key,
            UploadId,
            PartNumber: 1,
            CopySource: `${Bucket}/source`,
            CopySourceRange: 'bytes=2-5',
          }),
        );
        part = copied.CopyPartResult?.ETag;
        const grouped = await s3.send(new ListMultipartUploadsCommand({ Bucket, Delimiter: '/' }));
        expect(grouped.CommonPrefixes).toEqual([{ Prefix: 'a/' }]);
        expect(grouped.Uploads).toHaveLength(1);
        const page = await s3.send(new ListMultipartUploadsCommand({ Bucket, MaxUploads: 2 }));
        expect(page).toMatchObject({ IsTruncated: true, NextKeyMarker: 'a/2' });
        const rest = await s3.send(
          new ListMultipartUploadsCommand({
            Bucket,
            KeyMarker: page.NextKeyMarker,
            UploadIdMarker: page.NextUploadIdMarker,
          }),
        );
        expect(rest.Uploads).toMatchObject([{ Key, UploadId }]);
      }
      await using env = await s3Emulator({ dataPath });
      const { s3 } = env;
      expect((await s3.send(new ListPartsCommand({ Bucket, Key, UploadId }))).Parts).toMatchObject([
        { ETag: part, Size: 4 },
      ]);
      await s3.send(
        new CompleteMultipartUploadCommand({
          Bucket,
          Key,
          UploadId,
          MultipartUpload: { Parts: [{ PartNumber: 1, ETag: part }] },
        }),
      );
      expect(await (await s3.send(new GetObjectCommand({ Bucket, Key }))).Body!.transformToString()).toBe('2345');
    } finally {
      await rm(dataPath, { recursive: true, force: true });
    }
  });
});

describe('copies', () => {
  it('keep or replace metadata, and reject unchanged copies', async () => {
    await using env = await s3Emulator();
    const { s3 } = env;
    await s3.send(new CreateBucketCommand({ Bucket }));
    await s3.send(
      new PutObjectCommand({ Bucket, Key, Body: 'x', Metadata: { a: '1' }, ContentLanguage: 'en', Tagging: 't=1' }),
    );
    const CopySource = `${Bucket}/${Key}`;
    expect(await errorOf(s3.send(new CopyObjectCommand({ Bucket, Key, CopySource })))).toMatchObject({
      name: 'InvalidRequest',
    });
    await s3.send(new CopyObjectCommand({ Bucket, Key: 'kept', CopySource }));
    expect(await s3.send(new HeadObjectCommand({ Bucket, Key: 'kept' }))).toMatchObject({
      Metadata: { a: '1' },
      ContentLanguage: 'en',
    });
    await s3.send(
      new CopyObjectCommand({
        Bucket,
        Key: 'replaced',
        CopySource,
        MetadataDirective: 'REPLACE',
        Metadata: { b: '2' },
        StorageClass: 'STANDARD_IA',
      }),
    );
    const replaced = await s3.send(new HeadObjectCommand({ Bucket, Key: 'replaced' }));
    expect(replaced).toMatchObject({ Metadata: { b: '2' }, StorageClass: 'STANDARD_IA' });
    expect(replaced.ContentLanguage).toBeUndefined();
    expect(await errorOf(s3.send(new CopyObjectCommand({ Bucket, Key: 'c', CopySource: 'nothing' })))).toMatchObject({
      name: 'InvalidArgument',
      ArgumentName: 'x-amz-copy-source',
    });
    expect(
      await errorOf(s3.send(new CopyObjectCommand({ Bucket, Key: 'c', CopySource, CopySourceIfNoneMatch: '*' }))),
    ).toMatchObject({ name: 'PreconditionFailed', Condition: 'x-amz-copy-source-If-None-Match' });
  });

  it('can be completed repeatedly while the object exists', async () => {
    await using env = await s3Emulator();
    const { s3 } = env;
    const UploadId = await begin(s3);
    const part = await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: 'x' }));
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag: part.ETag }] };
    const complete = () => s3.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload }));
    const { $metadata: _first, ...done } = await complete();
    const { $metadata: _second, ...again } = await complete();
    expect(again).toEqual(done);
    await s3.send(new DeleteObjectCommand({ Bucket, Key }));
    expect(await errorOf(complete())).toMatchObject({ name: 'NoSuchUpload' });
  });

  it('with a customer key require the same key for completion', async () => {
    await using env = await s3Emulator();
    const { s3 } = env;
    const keyOf = (fill: string) => ({ SSECustomerAlgorithm: 'AES256', SSECustomerKey: fill.repeat(32) });
    const UploadId = await begin(s3, { ...keyOf('a'), ChecksumAlgorithm: 'CRC32' });
    const upload = { Bucket, Key, UploadId };
    const { ETag, ChecksumCRC32 } = await s3.send(
      new UploadPartCommand({ ...upload, ...keyOf('a'), PartNumber: 1, Body: 'x' }),
    );
    const complete = (key: object) => {
      const MultipartUpload = { Parts: [{ PartNumber: 1, ETag, ChecksumCRC32 }] };
      return s3.send(new CompleteMultipartUploadCommand({ ...upload, ...key, MultipartUpload }));
    };
    // https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html
    expect(await errorOf(complete({}))).toMatchObject({
      name: 'InvalidRequest',
      message: expect.stringContaining('must include the appropriate encryption parameters'),
    });
    expect(await errorOf(complete(keyOf('b')))).toMatchObject({
      name: 'InvalidRequest',
      message: 'The provided encryption parameters did not match the ones used originally.',
    });
    await complete(keyOf('a'));
  });

  it('return no version with suspended versioning', async () => {
    await using env = await s3Emulator();
    const { s3 } = env;
    const UploadId = await begin(s3);
    await s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Suspended' } }));
    const { ETag } = await s3.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: 'x' }));
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
    const done = await s3.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload }));
    expect(done.VersionId).toBeUndefined();
  });
});

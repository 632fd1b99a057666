import { createHash } from 'node:crypto';
import { S3 } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorOf, refusalOf, s3Emulator, sendRaw } from './helpers.ts';

// Errors with recorded messages that differ by request.
const Bucket = 'a-bucket';
let env: Awaited<ReturnType<typeof s3Emulator>>;
let s3: S3;
beforeAll(async () => {
  env = await s3Emulator();
  s3 = new S3(env.emulator.clientConfig());
  await s3.createBucket({ Bucket });
});
afterAll(() => env[Symbol.asyncDispose]());

const tagging = (Key: string, Value = 'v') => ({ TagSet: [{ Key, Value }] });

test('reports AWS tags by the kind of resource', async () => {
  await s3.putObject({ Bucket, Key: 'k' });
  expect(await refusalOf(s3.putObjectTagging({ Bucket, Key: 'k', Tagging: tagging('aws:x') }))).toBe(
    'InvalidTag: Your TagKey cannot be prefixed with aws:',
  );
  expect(await refusalOf(s3.putBucketTagging({ Bucket, Tagging: tagging('aws:x') }))).toBe(
    'InvalidTag: System tags cannot be added/updated by requester',
  );
  const Tags = [{ Key: 'aws:x', Value: 'v' }];
  expect(await refusalOf(s3.createBucket({ Bucket: 'tagged', CreateBucketConfiguration: { Tags } }))).toMatch(
    /^InvalidTag: User-defined tag keys can't start with "aws:"/,
  );
  const error = await errorOf(s3.putBucketTagging({ Bucket, Tagging: tagging('k', 'a,b') }));
  expect(error).toMatchObject({
    message: 'The TagValue you have provided is invalid',
    TagKey: 'k',
    TagValue: 'a,b',
  });
});

test('part ranges must be within the source', async () => {
  await s3.putObject({ Bucket, Key: 'source', Body: '0123456789' });
  const { UploadId } = await s3.createMultipartUpload({ Bucket, Key: 'copy' });
  const copy = (CopySourceRange: string) =>
    refusalOf(
      s3.uploadPartCopy({
        Bucket,
        Key: 'copy',
        UploadId,
        PartNumber: 1,
        CopySource: `${Bucket}/source`,
        CopySourceRange,
      }),
    );
  expect(await copy('bytes=100-200')).toBe(
    'InvalidRequest: The specified copy range is invalid for the source object size',
  );
  expect(await copy('bytes=0-100')).toBe('InvalidArgument: Range specified is not valid for source object of size: 10');
  expect(await copy('bytes=1-')).toMatch(/^InvalidArgument: The x-amz-copy-source-range value must be of the form/);
});

test('parts require the customer key of their upload', async () => {
  const keyOf = (byte: number) => {
    const key = Buffer.alloc(32, byte);
    return {
      SSECustomerAlgorithm: 'AES256',
      SSECustomerKey: key.toString('base64'),
      SSECustomerKeyMD5: createHash('md5').update(key).digest('base64'),
    };
  };
  const begin = async (more: object = {}) => (await s3.createMultipartUpload({ Bucket, Key: 'c', ...more })).UploadId;
  const part = (UploadId: string | undefined, more: object = {}) =>
    refusalOf(s3.uploadPart({ Bucket, Key: 'c', UploadId, PartNumber: 1, Body: 'x', ...more }));
  const needed =
    'InvalidRequest: The multipart upload initiate requested encryption. Subsequent part requests must include the appropriate encryption parameters.';
  expect(await part(await begin(), keyOf(1))).toBe(needed);
  const UploadId = await begin(keyOf(1));
  expect(await part(UploadId)).toBe(needed);
  expect(await part(UploadId, keyOf(2))).toBe(
    'InvalidRequest: The provided encryption parameters did not match the ones used originally.',
  );
});

test('lists uploads after a given one', async () => {
  await s3.createBucket({ Bucket: 'uploads' });
  const { UploadId } = await s3.createMultipartUpload({ Bucket: 'uploads', Key: 'one' });
  expect(
    await refusalOf(s3.listMultipartUploads({ Bucket: 'uploads', KeyMarker: 'two', UploadIdMarker: UploadId })),
  ).toBe('InvalidArgument: Invalid uploadId marker');
});

test('response headers must be ISO-8859-1', async () => {
  await s3.putObject({ Bucket, Key: 'k' });
  const error = await errorOf(s3.getObject({ Bucket, Key: 'k', ResponseCacheControl: 'dash \u2014' }));
  expect(error).toMatchObject({
    name: 'InvalidArgument',
    message: 'Header value cannot be represented using ISO-8859-1.',
    ArgumentName: 'response-cache-control',
    ArgumentValue: 'dash \u2014',
  });
});

test('deletes an already deleted version, but not an impossible one', async () => {
  await s3.createBucket({ Bucket: 'versions' });
  await s3.putBucketVersioning({ Bucket: 'versions', VersioningConfiguration: { Status: 'Enabled' } });
  const put = async () => (await s3.putObject({ Bucket: 'versions', Key: 'k' })).VersionId!;
  const VersionId = await put();
  const Objects = [{ Key: 'k', VersionId }];
  const remove = () => s3.deleteObjects({ Bucket: 'versions', Delete: { Objects } });
  expect((await remove()).Deleted).toEqual(Objects);
  expect(await remove()).toMatchObject({ Deleted: Objects });
  Objects[0]!.VersionId = `${VersionId.slice(0, -1)}${VersionId.endsWith('a') ? 'b' : 'a'}`;
  expect((await remove()).Errors).toMatchObject([{ Code: 'NoSuchVersion' }]);
});

test.each([
  ['POST', '?delete', '<Delete><Object><Key>k</Key></Object></Delete>'],
  ['PUT', '?tagging', '<Tagging><TagSet/></Tagging>'],
  ['PUT', '/k?tagging', '<Tagging><TagSet/></Tagging>'],
])('documents require digests: %s %s', async (method, target, body) => {
  await s3.putObject({ Bucket, Key: 'k' });
  const send = (headers: Record<string, string>) =>
    sendRaw(env.emulator, method, `/${Bucket}${target}`, { 'content-length': String(body.length), ...headers }, [body]);
  const refused = await send({});
  expect(refused).toMatchObject({ status: 400, code: 'InvalidRequest' });
  expect(refused.text).toContain('Missing required header for this request: Content-MD5 OR x-amz-checksum-*');
  expect((await send({ 'content-md5': createHash('md5').update(body).digest('base64') })).status).toBeLessThan(300);
  expect((await send({ 'x-amz-checksum-algorithm': 'CRC32' })).status).toBe(400);
});

test('a conditional deletion reports a missing key', async () => {
  expect(await errorOf(s3.deleteObject({ Bucket, Key: 'nothing', IfMatch: '*' }))).toMatchObject({
    name: 'NoSuchKey',
    $metadata: { httpStatusCode: 404 },
  });
});

import { createHash } from 'node:crypto';
import * as S3 from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refusalOf, s3Emulator, sendRaw } from './helpers.ts';

const Bucket = 'documents';
const Tagging = { TagSet: [{ Key: 'a', Value: 'b' }] };
const XML = '<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>';

let env: Awaited<ReturnType<typeof s3Emulator>>;
let s3: S3.S3Client;
beforeAll(async () => {
  env = await s3Emulator();
  s3 = env.s3;
  await s3.send(new S3.CreateBucketCommand({ Bucket }));
});
afterAll(() => env[Symbol.asyncDispose]());

const put = (headers: Record<string, string>) => sendRaw(env.emulator, 'PUT', `/${Bucket}?tagging`, headers, [XML]);
const digest = (algorithm: string) => createHash(algorithm).update(XML).digest('base64');

/** Sends a document with a damaged checksum. */
async function damaged(ChecksumAlgorithm?: S3.ChecksumAlgorithm): Promise<string> {
  const client = new S3.S3Client(env.emulator.clientConfig());
  client.middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> };
      for (const name in headers)
        if (/^x-amz-checksum-(?!algorithm)/.test(name))
          headers[name] = headers[name]!.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'));
      return next(args);
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
  const input = { Bucket, Tagging, ...(ChecksumAlgorithm && { ChecksumAlgorithm }) };
  const refusal = await refusalOf(client.send(new S3.PutBucketTaggingCommand(input)));
  client.destroy();
  return refusal;
}

it('verifies Content-MD5 of a document', async () => {
  const tagged = (ContentMD5: string) => s3.send(new S3.PutBucketTaggingCommand({ Bucket, Tagging, ContentMD5 }));
  expect(await refusalOf(tagged('wrong'))).toBe('InvalidDigest: The Content-MD5 you specified was invalid.');
  expect(await refusalOf(tagged('A'.repeat(21).concat('A==')))).toBe(
    'BadDigest: The Content-MD5 you specified did not match what we received.',
  );
  expect(await refusalOf(s3.send(new S3.GetBucketTaggingCommand({ Bucket })))).toMatch('NoSuchTagSet');
  expect((await put({ 'content-md5': digest('md5') })).status).toBe(204);
  expect((await s3.send(new S3.GetBucketTaggingCommand({ Bucket }))).TagSet).toEqual(Tagging.TagSet);
});

it('verifies its checksum in any algorithm', async () => {
  for (const algorithm of ['CRC32', 'CRC32C', 'SHA1', 'SHA256'] as const) {
    await s3.send(new S3.PutBucketTaggingCommand({ Bucket, Tagging, ChecksumAlgorithm: algorithm }));
    expect(await damaged(algorithm)).toBe(
      `BadDigest: The ${algorithm} you specified did not match the calculated checksum.`,
    );
  }
  expect(await put({ 'x-amz-checksum-sha256': 'AAAA' })).toMatchObject({ status: 400, code: 'InvalidRequest' });
});

it('requires the checksum of an announced algorithm', async () => {
  const sha1 = { 'x-amz-sdk-checksum-algorithm': 'SHA1' };
  const refused = await put({ ...sha1, 'content-md5': digest('md5') });
  expect(refused).toMatchObject({ status: 400, code: 'InvalidRequest' });
  expect(refused.text).toContain(
    'x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found.',
  );
  expect((await put({ ...sha1, 'x-amz-checksum-sha1': digest('sha1') })).status).toBe(204);
});

it('reports a missing bucket first', async () => {
  const missing = { Bucket: 'missing-bucket', Tagging, ContentMD5: 'wrong' };
  expect(await refusalOf(s3.send(new S3.PutBucketTaggingCommand(missing)))).toMatch(/^NoSuchBucket/);
});

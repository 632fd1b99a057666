import * as S3 from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { type RawResponse, sendRaw } from '@emu/gateway/testing';
import { expect, it } from 'vitest';
import { s3Emulator } from '../../../packages/svc-s3/test/helpers.ts';

const Bucket = 'a-bucket';

type Env = Awaited<ReturnType<typeof s3Emulator>>;

/** Sends the request of a presigned URL, as a browser does, without headers of S3. */
async function open({ emulator }: Env, url: string, method = 'GET', body = ''): Promise<RawResponse> {
  const { host, pathname, search } = new URL(url);
  return sendRaw(emulator, { method, target: `${pathname}${search}`, headers: { host }, chunks: [body] });
}

it.each([false, true])('parameters of a presigned URL count as headers, verified: %s', async (verified) => {
  await using env = await s3Emulator({ settings: { values: { EMULATOR_VERIFY_SIGV4: verified } } });
  const { emulator } = env;
  const admin = { accountId: '123456789012', userName: 'jane' };
  const credentials = (await emulator.control('POST', '/_emulator/iam/create-admin', admin)).json as {
    accessKeyId: string;
    secretAccessKey: string;
  };
  const s3 = new S3.S3Client({ ...emulator.clientConfig(), credentials });
  await s3.send(new S3.CreateBucketCommand({ Bucket }));
  // The SDK signs the checksum of an empty body into the URL, which S3 ignores.
  const put = new S3.PutObjectCommand({
    Bucket,
    Key: 'k',
    Metadata: { colour: 'dark blue' },
    StorageClass: 'STANDARD_IA',
    Tagging: 'a=b',
    ServerSideEncryption: 'AES256',
  });
  const hoistableHeaders = new Set(['x-amz-server-side-encryption']);
  const url = await getSignedUrl(s3, put, { hoistableHeaders });
  expect(url).toMatch(/x-amz-checksum-crc32=.*x-amz-meta-colour=dark%20blue/);
  expect(await open(env, url, 'PUT', 'some text')).toMatchObject({ status: 200 });
  expect(await s3.send(new S3.HeadObjectCommand({ Bucket, Key: 'k' }))).toMatchObject({
    Metadata: { colour: 'dark blue' },
    StorageClass: 'STANDARD_IA',
    ContentLength: 9,
    ServerSideEncryption: 'AES256',
    TagCount: 1,
  });
  const copy = new S3.CopyObjectCommand({ Bucket, Key: 'copy', CopySource: `${Bucket}/k` });
  expect((await open(env, await getSignedUrl(s3, copy), 'PUT')).text).toContain('<CopyObjectResult');
  const { Body } = await s3.send(new S3.GetObjectCommand({ Bucket, Key: 'copy' }));
  expect(await Body!.transformToString()).toBe('some text');
  s3.destroy();
});

it('a presigned URL is valid for its duration, in emulated and real time', async () => {
  await using env = await s3Emulator();
  const { s3, emulator } = env;
  await s3.send(new S3.CreateBucketCommand({ Bucket }));
  await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }));
  const sign = (signingDate?: Date) =>
    getSignedUrl(s3, new S3.GetObjectCommand({ Bucket, Key: 'k' }), {
      expiresIn: 60,
      ...(signingDate && { signingDate }),
    });
  const { clock } = emulator.kernel;
  const old = await sign(new Date(Date.now() - 61_000));
  expect(await open(env, old)).toMatchObject({
    status: 403,
    text: expect.stringMatching(
      /<Code>AccessDenied<\/Code><Message>Request has expired<\/Message>.*<X-Amz-Expires>60<\/X-Amz-Expires><Expires>/s,
    ),
  });
  const url = await sign();
  await clock.advance(30_000);
  expect(await open(env, url)).toMatchObject({ status: 200 });
  await clock.advance(31_000);
  expect(await open(env, url)).toMatchObject({ status: 403 });
  // Dates have whole seconds. Clients do not know that the emulated time is a month ahead.
  await clock.advance(30 * 86_400_000);
  expect(await open(env, await sign(new Date(Date.now() + 1000)))).toMatchObject({ status: 200 });
  const ahead = await sign(new Date(clock.now()));
  expect(await open(env, ahead)).toMatchObject({ status: 200 });
  await clock.advance(63_000);
  expect(await open(env, ahead)).toMatchObject({ status: 403 });
  const [signature, expired] = ['AWSAccessKeyId=test&Signature=c2ln', Math.floor(Date.now() / 1000) - 1];
  const older = (expires: number) => open(env, `http://localhost:4566/${Bucket}/k?${signature}&Expires=${expires}`);
  expect(await older(expired)).toMatchObject({ status: 403, text: expect.stringContaining('Request has expired') });
  expect(await older(expired + 60)).toMatchObject({ status: 200 });
});

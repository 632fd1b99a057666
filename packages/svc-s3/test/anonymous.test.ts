import * as S3 from '@aws-sdk/client-s3';
import { policyText } from '@emu/gateway/testing';
import { expect, it } from 'vitest';
import { errorOf, s3Emulator } from './helpers.ts';

const Bucket = 'a-bucket';

const MODES = [
  {},
  { EMULATOR_VERIFY_SIGV4: true },
  { EMULATOR_ENFORCE_IAM: true },
  { EMULATOR_VERIFY_SIGV4: true, EMULATOR_ENFORCE_IAM: true },
];

it.each(MODES)('unsigned callers can access public resources only: %o', async (values) => {
  await using env = await s3Emulator({ settings: { values } });
  const { emulator } = env;
  const admin = (
    await emulator.control('POST', '/_emulator/iam/create-admin', { accountId: '123456789012', userName: 'jane' })
  ).json as { accessKeyId: string; secretAccessKey: string };
  const s3 = new S3.S3Client({ ...emulator.clientConfig(), credentials: admin });
  const nobody = new S3.S3Client({
    ...emulator.clientConfig(),
    signer: { sign: async (request) => request },
  });
  const read = (Key: string) => nobody.send(new S3.GetObjectCommand({ Bucket, Key }));
  const denied = { name: 'AccessDenied', message: 'Access Denied', $metadata: { httpStatusCode: 403 } };
  await s3.send(new S3.CreateBucketCommand({ Bucket, ObjectOwnership: 'ObjectWriter' }));
  await s3.send(new S3.DeletePublicAccessBlockCommand({ Bucket }));
  await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'closed', Body: 'x' }));
  await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'open', Body: 'x', ACL: 'public-read' }));
  await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'pub/a', Body: 'x' }));
  expect(await errorOf(read('closed'))).toMatchObject(denied);
  expect(await (await read('open')).Body!.transformToString()).toBe('x');
  expect(await errorOf(read('pub/a'))).toMatchObject(denied);
  const Resource = `arn:aws:s3:::${Bucket}/pub/*`;
  const Policy = policyText([{ Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource }]);
  await s3.send(new S3.PutBucketPolicyCommand({ Bucket, Policy }));
  expect(await (await read('pub/a')).Body!.transformToString()).toBe('x');
  expect(await errorOf(nobody.send(new S3.PutObjectCommand({ Bucket, Key: 'pub/a', Body: 'y' })))).toMatchObject(
    denied,
  );
  expect(await errorOf(nobody.send(new S3.ListObjectsV2Command({ Bucket })))).toMatchObject(denied);
  expect(await errorOf(nobody.send(new S3.ListBucketsCommand({})))).toMatchObject(denied);
  // Signed callers may do anything not denied: policies are not enforced.
  await s3.send(new S3.ListObjectsV2Command({ Bucket }));
  const missing = { name: 'NoSuchBucket', $metadata: { httpStatusCode: 404 } };
  expect(await errorOf(nobody.send(new S3.GetObjectCommand({ Bucket: 'no-bucket', Key: 'k' })))).toMatchObject(missing);
  expect(await errorOf(nobody.send(new S3.CreateBucketCommand({ Bucket: 'no-bucket' })))).toMatchObject(denied);
});

import * as S3 from '@aws-sdk/client-s3';
import { sendRaw } from '@emu/gateway/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { errorOf, SIGNED, s3Emulator } from './helpers.ts';

let env: Awaited<ReturnType<typeof s3Emulator>>;
let s3: S3.S3Client;
beforeAll(async () => {
  env = await s3Emulator();
  s3 = env.s3;
});
afterAll(() => env[Symbol.asyncDispose]());

it('requires requesters to accept charges, and a signature', async () => {
  const Bucket = 'requesters-pay';
  const others = new S3.S3Client(env.emulator.clientConfig({ accessKeyId: '000000000002' }));
  await s3.send(new S3.CreateBucketCommand({ Bucket }));
  await s3.send(new S3.DeletePublicAccessBlockCommand({ Bucket }));
  const statement = { Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: `arn:aws:s3:::${Bucket}/*` };
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: statement });
  await s3.send(new S3.PutBucketPolicyCommand({ Bucket, Policy }));
  await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }));
  const read = (client: S3.S3Client, RequestPayer?: S3.RequestPayer) =>
    client.send(new S3.HeadObjectCommand({ Bucket, Key: 'k', ...(RequestPayer && { RequestPayer }) }));
  expect((await read(others, 'requester')).RequestCharged).toBeUndefined();
  const RequestPaymentConfiguration = { Payer: 'Requester' as const };
  await s3.send(new S3.PutBucketRequestPaymentCommand({ Bucket, RequestPaymentConfiguration }));
  expect((await errorOf(read(others))).$metadata.httpStatusCode).toBe(403);
  expect((await read(others, 'requester')).RequestCharged).toBe('requester');
  expect((await read(s3)).RequestCharged).toBeUndefined();
  const headers = { host: 's3.us-east-1.amazonaws.com', 'x-amz-request-payer': 'requester' };
  expect((await sendRaw(env.emulator, { method: 'GET', target: `/${Bucket}/k`, headers })).status).toBe(403);
  const copy = { Bucket: 'copies', Key: 'k', CopySource: `${Bucket}/k` };
  await others.send(new S3.CreateBucketCommand({ Bucket: 'copies' }));
  expect(await errorOf(others.send(new S3.CopyObjectCommand(copy)))).toMatchObject({ name: 'AccessDenied' });
  await others.send(new S3.CopyObjectCommand({ ...copy, RequestPayer: 'requester' }));
  others.destroy();
});

it('serves buckets on acceleration hosts if enabled', async () => {
  const Bucket = 'accelerated';
  await s3.send(new S3.CreateBucketCommand({ Bucket }));
  const set = (Status: 'Enabled' | 'Suspended') =>
    s3.send(new S3.PutBucketAccelerateConfigurationCommand({ Bucket, AccelerateConfiguration: { Status } }));
  const headers = { host: `${Bucket}.s3-accelerate.amazonaws.com`, ...SIGNED };
  const list = () => sendRaw(env.emulator, { method: 'GET', target: '/', headers });
  const refused = await list();
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('<Message>S3 Transfer Acceleration is not configured on this bucket</Message>');
  await set('Enabled');
  expect((await list()).status).toBe(200);
  await set('Suspended');
  expect((await list()).text).toContain('S3 Transfer Acceleration is disabled on this bucket');
});

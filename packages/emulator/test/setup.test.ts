import { CreateBucketCommand, ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import setup, { endShared, startForClients } from '../src/setup.ts';

const set = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('AWS_')));

test('clients of applications reach an emulator until it is closed', async () => {
  const before = set();
  process.env.AWS_PROFILE = 'work';
  try {
    const emu = await startForClients({ services: ['s3'], region: 'eu-west-1' });
    expect(set()).toMatchObject({ AWS_ENDPOINT_URL: emu.url, AWS_DEFAULT_REGION: 'eu-west-1' });
    expect(process.env.AWS_PROFILE).toBeUndefined();
    const s3 = new S3Client({});
    await s3.send(new CreateBucketCommand({ Bucket: 'receipts' }));
    const own = await new S3Client(emu.clientConfig()).send(new ListBucketsCommand({}));
    expect(own.Buckets?.map(({ Name }) => Name)).toEqual(['receipts']);
    s3.destroy();
    await emu.close();
    expect(set()).toEqual({ ...before, AWS_PROFILE: 'work' });
  } finally {
    delete process.env.AWS_PROFILE;
  }
});

test('a global setup returns its teardown function', async () => {
  const before = set();
  const end = await setup();
  expect(end).toBe(endShared);
  const health = await fetch(`${process.env.AWS_ENDPOINT_URL}/_emulator/health`);
  expect(await health.json()).toMatchObject({ status: 'ok' });
  await end();
  expect(set()).toEqual(before);
});

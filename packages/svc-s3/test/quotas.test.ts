import * as S3 from '@aws-sdk/client-s3';
import { enforceQuota } from '@emu/gateway/testing';
import { expect, it } from 'vitest';
import { errorOf, s3Emulator } from './helpers.ts';

const DIRECTORY = 'fast--use1-az4--x-s3';

it('rejects buckets beyond the quota of their kind, across all regions', async () => {
  await using env = await s3Emulator();
  const s3 = new S3.S3Client({ ...env.emulator.clientConfig(), disableS3ExpressSessionAuth: true });
  const make = (Bucket: string) => s3.send(new S3.CreateBucketCommand({ Bucket }));
  const makeDirectory = () =>
    s3.send(
      new S3.CreateBucketCommand({
        Bucket: DIRECTORY,
        CreateBucketConfiguration: {
          Location: { Type: 'AvailabilityZone', Name: 'use1-az4' },
          Bucket: { Type: 'Directory', DataRedundancy: 'SingleAvailabilityZone' },
        },
      }),
    );
  await enforceQuota(env.emulator, 's3/L-DC2B2D3D', 1);
  await enforceQuota(env.emulator, 's3/L-775A314D', 0);
  await make('first-bucket');
  expect(await errorOf(make('second-bucket'))).toMatchObject({ name: 'TooManyBuckets' });
  expect(await errorOf(makeDirectory())).toMatchObject({ name: 'TooManyBuckets' });
  const elsewhere = new S3.S3Client({ ...env.emulator.clientConfig({ region: 'eu-west-1' }) });
  const LocationConstraint = 'eu-west-1';
  const far = new S3.CreateBucketCommand({ Bucket: 'far-bucket', CreateBucketConfiguration: { LocationConstraint } });
  expect(await errorOf(elsewhere.send(far))).toMatchObject({ name: 'TooManyBuckets' });
  await enforceQuota(env.emulator, 's3/L-775A314D');
  await makeDirectory();
  await s3.send(new S3.DeleteBucketCommand({ Bucket: 'first-bucket' }));
  await make('second-bucket');
});

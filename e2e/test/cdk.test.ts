import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { S3 } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACCOUNT, type CdkTest, clientConfig, REGION, startCdk } from '../src/cdk.ts';
import type { Emu } from '../src/emu.ts';

const MINUTES = 60_000;

let emu: Emu;
let cdk: CdkTest['cdk'];
let close: CdkTest['close'] | undefined;

beforeAll(async () => {
  ({ emu, cdk, close } = await startCdk('app.cjs'));
});
afterAll(() => close?.());

test('CDK bootstraps, deploys twice and destroys an application', { timeout: 6 * MINUTES }, async () => {
  expect(await cdk('bootstrap', `aws://${ACCOUNT}/${REGION}`)).toContain('bootstrapped');
  expect(await cdk('deploy', '--require-approval', 'never')).toContain('✅  Demo');
  const cfn = new CloudFormation(clientConfig(emu.url));
  const { Stacks } = await cfn.describeStacks({ StackName: 'Demo' });
  expect(Stacks).toMatchObject([{ StackStatus: 'CREATE_COMPLETE' }]);
  const bucket = Stacks![0]!.Outputs!.find(({ OutputKey }) => OutputKey === 'BucketName')!.OutputValue!;
  const s3 = new S3(clientConfig(emu.url));
  const { QueueConfigurations } = await s3.getBucketNotificationConfiguration({ Bucket: bucket });
  expect(QueueConfigurations).toHaveLength(1);
  expect(await cdk('deploy', '--require-approval', 'never')).toContain('(no changes)');
  // A custom resource deletes the contents of the bucket with it.
  await s3.putObject({ Bucket: bucket, Key: 'k', Body: 'x' });
  expect(await cdk('destroy', '--force')).toContain('✅  Demo: destroyed');
  await expect(s3.headBucket({ Bucket: bucket })).rejects.toMatchObject({ name: 'NotFound' });
});

import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { S3 } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Emu, startEmu } from '../src/emu.ts';

const run = promisify(execFile);
const CDK = fileURLToPath(new URL('../node_modules/aws-cdk/bin/cdk', import.meta.url));
const APP = fileURLToPath(new URL('../cdk/app.cjs', import.meta.url));
const ACCOUNT = '123456789012';
const REGION = 'us-east-1';
const MINUTES = 60_000;

let emu: Emu;
let directory: string;

beforeAll(async () => {
  emu = await startEmu({ env: { EMULATOR_LAMBDA_BACKEND: 'process' } });
  directory = await mkdtemp(join(tmpdir(), 'emu-cdk-'));
});
afterAll(async () => {
  await emu?.kill();
  await rm(directory, { recursive: true, force: true });
});

/** Runs CDK against emu, with nothing but its address. @returns what it wrote */
async function cdk(...args: string[]): Promise<string> {
  const { stdout, stderr } = await run(
    process.execPath,
    [CDK, ...args, '--app', `${process.execPath} ${APP}`, '--output', join(directory, 'out'), '--no-notices'],
    {
      cwd: directory,
      env: {
        ...process.env,
        HOME: directory,
        AWS_ENDPOINT_URL: emu.url,
        AWS_ACCESS_KEY_ID: ACCOUNT,
        AWS_SECRET_ACCESS_KEY: 'test',
        AWS_REGION: REGION,
        CDK_DISABLE_CLI_TELEMETRY: 'true',
      },
    },
  );
  return stdout + stderr;
}

const config = () => ({
  endpoint: emu.url,
  region: REGION,
  credentials: { accessKeyId: ACCOUNT, secretAccessKey: 'test' },
});

test('CDK bootstraps, deploys twice and destroys an application', { timeout: 6 * MINUTES }, async () => {
  expect(await cdk('bootstrap', `aws://${ACCOUNT}/${REGION}`)).toContain('bootstrapped');
  expect(await cdk('deploy', '--require-approval', 'never')).toContain('✅  Demo');
  const cfn = new CloudFormation(config());
  const { Stacks } = await cfn.describeStacks({ StackName: 'Demo' });
  expect(Stacks).toMatchObject([{ StackStatus: 'CREATE_COMPLETE' }]);
  const bucket = Stacks![0]!.Outputs!.find(({ OutputKey }) => OutputKey === 'BucketName')!.OutputValue!;
  const s3 = new S3({ ...config(), forcePathStyle: true });
  const { QueueConfigurations } = await s3.getBucketNotificationConfiguration({ Bucket: bucket });
  expect(QueueConfigurations).toHaveLength(1);
  expect(await cdk('deploy', '--require-approval', 'never')).toContain('(no changes)');
  // What is in the bucket goes with it, by a custom resource.
  await s3.putObject({ Bucket: bucket, Key: 'k', Body: 'x' });
  expect(await cdk('destroy', '--force')).toContain('✅  Demo: destroyed');
  await expect(s3.headBucket({ Bucket: bucket })).rejects.toMatchObject({ name: 'NotFound' });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { S3 } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsCli, noCli } from '../src/aws-cli.ts';
import { type Emu, startEmu, temporaryDirectory } from '../src/emu.ts';
import { canRun, clientEnvironment, proxiedEnvironment, run } from '../src/programs.ts';

const ACCOUNT = '123456789012';

let emu: Emu;
let s3: S3;
beforeAll(async () => {
  emu = await startEmu();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  s3 = new S3({ endpoint: emu.url, region: 'us-east-1', credentials });
});
afterAll(async () => {
  s3?.destroy();
  await emu?.kill();
});

describe.skipIf(noCli !== undefined)(`S3 Control through the AWS CLI${noCli ? ` (skipped: ${noCli})` : ''}`, () => {
  const cli = awsCli(() => emu.url, { env: () => proxiedEnvironment(emu.url) });
  const control = (operation: string, ...args: string[]) =>
    cli
      .with({ endpoint: 'http://s3-control.us-east-1.amazonaws.com' })
      .succeed('s3control', operation, '--account-id', ACCOUNT, ...args);

  test('creates an access point, through which objects are written and read', { timeout: 120_000 }, async () => {
    using directory = temporaryDirectory();
    const storage = cli.with({ endpoint: 'http://s3.us-east-1.amazonaws.com', cwd: directory.path }).succeed;
    await s3.createBucket({ Bucket: 'cli-points' });
    const created = JSON.parse(await control('create-access-point', '--name', 'cli-point', '--bucket', 'cli-points'));
    const arn = `arn:aws:s3:us-east-1:${ACCOUNT}:accesspoint/cli-point`;
    expect(created.AccessPointArn).toBe(arn);
    writeFileSync(join(directory.path, 'file'), 'text');
    await storage('s3', 'cp', 'file', `s3://${arn}/folder/file`);
    expect(await storage('s3', 'ls', `s3://${arn}/folder/`)).toMatch(/ 4 file\n$/);
    expect(await storage('s3', 'cp', `s3://${created.Alias}/folder/file`, '-')).toBe('text');
    const got = await s3.getObject({ Bucket: 'cli-points', Key: 'folder/file' });
    expect(await got.Body!.transformToString()).toBe('text');
    const listed = JSON.parse(await control('list-access-points'));
    expect(listed.AccessPointList.map(({ Name }: { Name: string }) => Name)).toContain('cli-point');
    await control('delete-access-point', '--name', 'cli-point');
  });

  test('runs a batch job and writes its report', { timeout: 120_000 }, async () => {
    const Bucket = 'cli-jobs';
    await s3.createBucket({ Bucket });
    for (const Key of ['a', 'b c']) await s3.putObject({ Bucket, Key, Body: Key });
    const { ETag } = await s3.putObject({ Bucket, Key: 'manifest.csv', Body: `${Bucket},a\n${Bucket},b%20c\n` });
    const { JobId } = JSON.parse(
      await control(
        'create-job',
        '--no-confirmation-required',
        '--priority',
        '1',
        '--role-arn',
        `arn:aws:iam::${ACCOUNT}:role/batch`,
        '--operation',
        '{"S3PutObjectTagging":{"TagSet":[{"Key":"team","Value":"orders"}]}}',
        '--manifest',
        JSON.stringify({
          Spec: { Format: 'S3BatchOperations_CSV_20180820', Fields: ['Bucket', 'Key'] },
          Location: { ObjectArn: `arn:aws:s3:::${Bucket}/manifest.csv`, ETag },
        }),
        '--report',
        JSON.stringify({
          Bucket: `arn:aws:s3:::${Bucket}`,
          Format: 'Report_CSV_20180820',
          Enabled: true,
          ReportScope: 'AllTasks',
        }),
      ),
    );
    const described = async () => JSON.parse(await control('describe-job', '--job-id', JobId)).Job;
    await expect.poll(async () => (await described()).Status, { timeout: 60_000, interval: 500 }).toBe('Complete');
    expect((await described()).ProgressSummary).toMatchObject({ TotalNumberOfTasks: 2, NumberOfTasksSucceeded: 2 });
    const { TagSet } = await s3.getObjectTagging({ Bucket, Key: 'b c' });
    expect(TagSet).toEqual([{ Key: 'team', Value: 'orders' }]);
    const manifest = await s3.getObject({ Bucket, Key: `job-${JobId}/manifest.json` });
    expect(JSON.parse(await manifest.Body!.transformToString()).Results).toHaveLength(1);
    const { Jobs } = JSON.parse(await control('list-jobs', '--job-statuses', 'Complete'));
    expect(Jobs).toMatchObject([{ JobId, Operation: 'S3PutObjectTagging' }]);
  });
});

const boto3 = canRun('python3', '-c', 'import boto3');

describe.skipIf(!boto3)(`S3 Control by boto3${boto3 ? '' : ' (skipped: there is no boto3 on this machine)'}`, () => {
  test('access points by ARN and alias', { timeout: 120_000 }, async () => {
    const program = fileURLToPath(new URL('../python/proxied/s3control_client.py', import.meta.url));
    const env = { ...clientEnvironment(emu.url), AWS_ENDPOINT_URL: undefined, EMU_PROXY: emu.url };
    expect(await run('python3', [program], { env })).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

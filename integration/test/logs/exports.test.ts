import { gunzipSync } from 'node:zlib';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { S3 } from '@aws-sdk/client-s3';
import { createTestEmulator, refusal, type TestEmulator } from '@emu/gateway/testing';
import { manifest as iamManifest } from '@emu/svc-iam/manifest';
import { manifest as logsManifest } from '@emu/svc-logs/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { afterAll, beforeAll, expect, it } from 'vitest';

// Messages from the recordings of AWS.

let emulator: TestEmulator;
let logs: CloudWatchLogs;
let s3: S3;
beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [logsManifest, s3Manifest] });
  emulator.kernel.clock.freeze();
  logs = new CloudWatchLogs(emulator.clientConfig());
  s3 = new S3(emulator.clientConfig());
  await s3.createBucket({ Bucket: 'exports' });
});
afterAll(() => emulator.close());

const logGroupName = 'exported';
const failureOf = async (request: Promise<unknown>): Promise<string> => {
  const { name, message } = await refusal(request);
  return `${name}: ${message}`;
};

it('writes the events of a time range to a bucket, one file per stream', async () => {
  const now = emulator.kernel.clock.now();
  await logs.createLogGroup({ logGroupName });
  for (const logStreamName of ['a/1', 'b']) {
    await logs.createLogStream({ logGroupName, logStreamName });
    const logEvents = [
      { timestamp: now - 1000, message: `${logStreamName} early` },
      { timestamp: now, message: `${logStreamName} late\n` },
    ];
    await logs.putLogEvents({ logGroupName, logStreamName, logEvents });
  }
  const request = { logGroupName, from: now - 500, to: now + 1, destination: 'exports', logStreamNamePrefix: 'a' };
  const { taskId } = await logs.createExportTask({ ...request, taskName: 'mine' });
  const described = { taskId, taskName: 'mine', logGroupName, from: now - 500, to: now + 1, destination: 'exports' };
  // https://github.com/getmoto/moto/blob/master/tests/test_logs/test_export_tasks.py
  const test = await s3.getObject({ Bucket: 'exports', Key: 'aws-logs-write-test' });
  expect(await test.Body!.transformToString()).toBe('Permission Check Successful');
  const pending = await logs.describeExportTasks({ taskId });
  expect(pending.exportTasks).toEqual([
    {
      ...described,
      destinationPrefix: 'exportedlogs',
      status: { code: 'PENDING' },
      executionInfo: { creationTime: now },
    },
  ]);
  expect(await failureOf(logs.createExportTask(request))).toBe('LimitExceededException: Resource limit exceeded.');
  await emulator.kernel.clock.advance(1000);
  const done = await logs.describeExportTasks({ statusCode: 'COMPLETED' });
  expect(done.exportTasks).toMatchObject([{ taskId, status: { message: 'Completed successfully' } }]);
  const { Contents } = await s3.listObjectsV2({ Bucket: 'exports' });
  const key = `exportedlogs/${taskId}/a-1/000000.gz`;
  expect(new Set(Contents!.map(({ Key }) => Key))).toEqual(new Set([key, 'aws-logs-write-test']));
  const { Body } = await s3.getObject({ Bucket: 'exports', Key: key });
  const text = gunzipSync(await Body!.transformToByteArray()).toString();
  expect(text).toBe(`${new Date(now).toISOString()} a/1 late\n`);
});

it('can be cancelled while pending, and is rejected without a bucket, group or task', async () => {
  const now = emulator.kernel.clock.now();
  const request = { logGroupName, from: 0, to: now, destination: 'exports' };
  const { taskId } = await logs.createExportTask({ ...request, destinationPrefix: 'below' });
  await s3.headObject({ Bucket: 'exports', Key: 'below/aws-logs-write-test' });
  await logs.cancelExportTask({ taskId: taskId! });
  const { exportTasks } = await logs.describeExportTasks({ taskId });
  expect(exportTasks![0]!.status!.code).toBe('CANCELLED');
  const failures: [Promise<unknown>, string][] = [
    [
      logs.cancelExportTask({ taskId: taskId! }),
      'InvalidOperationException: The specified export task has already finished',
    ],
    [
      logs.createExportTask({ ...request, destination: 'none' }),
      'InvalidParameterException: The given bucket does not exist. Please make sure the bucket is valid.',
    ],
    [
      logs.createExportTask({ ...request, logGroupName: 'none' }),
      'ResourceNotFoundException: The specified log group does not exist.',
    ],
    [logs.cancelExportTask({ taskId: 'none' }), 'ResourceNotFoundException: The specified export task does not exist.'],
  ];
  for (const [request, failure] of failures) expect(await failureOf(request)).toBe(failure);
  expect((await logs.describeExportTasks({ taskId: 'none' })).exportTasks).toEqual([]);
});

// Policies and principal: https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/S3ExportTasks.html
// First message: https://github.com/DistributedScience/Distributed-CellProfiler/issues/144
it('is permitted by the bucket policy that AWS documents if policies are enforced', async () => {
  await using enforced = await createTestEmulator({
    manifests: [iamManifest, logsManifest, s3Manifest],
    settings: { accountId: '000000000000', region: 'us-east-1', values: { EMULATOR_ENFORCE_IAM: true } },
  });
  const logs = new CloudWatchLogs(enforced.clientConfig());
  const s3 = new S3(enforced.clientConfig());
  await s3.createBucket({ Bucket: 'exports' });
  await logs.createLogGroup({ logGroupName });
  await logs.createLogStream({ logGroupName, logStreamName: 's' });
  const now = enforced.kernel.clock.now();
  await logs.putLogEvents({ logGroupName, logStreamName: 's', logEvents: [{ timestamp: now, message: 'm' }] });
  const task = { logGroupName, from: 0, to: now + 1, destination: 'exports', destinationPrefix: 'p' };
  const Statement: object[] = [];
  const permit = (Action: string, Resource: string, acl: object) => {
    const source = { 'aws:SourceAccount': ['000000000000'] };
    const arns = { 'aws:SourceArn': ['arn:aws:logs:us-east-1:000000000000:log-group:*'] };
    const Condition = { StringEquals: { ...acl, ...source }, ArnLike: arns };
    Statement.push({
      Action,
      Effect: 'Allow',
      Resource,
      Principal: { Service: 'logs.us-east-1.amazonaws.com' },
      Condition,
    });
    return s3.putBucketPolicy({ Bucket: 'exports', Policy: JSON.stringify({ Version: '2012-10-17', Statement }) });
  };
  const refused = (call: string) =>
    `InvalidParameterException: ${call} call on the given bucket failed. Please check if CloudWatch Logs has been granted permission to perform this operation.`;
  expect(await failureOf(logs.createExportTask(task))).toBe(refused('GetBucketAcl'));
  await permit('s3:GetBucketAcl', 'arn:aws:s3:::exports', {});
  expect(await failureOf(logs.createExportTask(task))).toBe(refused('PutObject'));
  await permit('s3:PutObject', 'arn:aws:s3:::exports/*', { 's3:x-amz-acl': 'bucket-owner-full-control' });
  const { taskId } = await logs.createExportTask(task);
  await enforced.kernel.clock.advance(1000);
  expect((await logs.describeExportTasks({ taskId })).exportTasks![0]!.status!.code).toBe('COMPLETED');
  await s3.headObject({ Bucket: 'exports', Key: `p/${taskId}/s/000000.gz` });
});

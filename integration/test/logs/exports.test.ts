import { gunzipSync } from 'node:zlib';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { S3 } from '@aws-sdk/client-s3';
import { createTestEmulator, refusal, type TestEmulator } from '@emu/gateway/testing';
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

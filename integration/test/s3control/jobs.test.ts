import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as S3 from '@aws-sdk/client-s3';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  Bucket,
  describeJob,
  ended,
  manifestOf,
  put,
  ROLE,
  reportOf,
  request,
  runJob,
  startJobs,
} from './jobs-support.ts';
import { ACCOUNT as AccountId, type ControlTest, errorOf, start } from './support.ts';

let test: ControlTest;
beforeEach(async () => {
  test = await startJobs();
});
afterEach(() => test[Symbol.asyncDispose]());

const tagging = { S3PutObjectTagging: { TagSet: [{ Key: 'a', Value: 'b' }] } };
const tagsOf = async (Key: string) => (await test.s3.send(new S3.GetObjectTaggingCommand({ Bucket, Key }))).TagSet;
const step = () => test.emulator.kernel.clock.advance(500);

describe('a job', () => {
  it('passes through its statuses and reports its results', async () => {
    await put(test, 'one');
    await put(test, 'two words');
    const manifest = await manifestOf(test, [`${Bucket},one`, `${Bucket},two%20words`, `${Bucket},missing`]);
    const input = request(tagging, { ...manifest, Description: 'tags', Tags: [{ Key: 'team', Value: 'x' }] });
    const { JobId } = await test.control.createJob(input);
    expect(JobId).toMatch(/^[0-9a-f-]{36}$/);
    expect(await describeJob(test, JobId!)).toMatchObject({
      JobId,
      JobArn: `arn:aws:s3:us-east-1:${AccountId}:job/${JobId}`,
      Status: 'New',
      Operation: tagging,
      Priority: 10,
      RoleArn: ROLE,
      ConfirmationRequired: false,
      ...manifest,
      ProgressSummary: { TotalNumberOfTasks: 0, NumberOfTasksSucceeded: 0, NumberOfTasksFailed: 0 },
    });
    await step();
    expect(await describeJob(test, JobId!)).toMatchObject({
      Status: 'Ready',
      ProgressSummary: { TotalNumberOfTasks: 3 },
    });
    const job = await ended(test, JobId!);
    expect(job).toMatchObject({
      Status: 'Complete',
      TerminationDate: expect.any(Date),
      ProgressSummary: { TotalNumberOfTasks: 3, NumberOfTasksSucceeded: 2, NumberOfTasksFailed: 1 },
    });
    for (const key of ['one', 'two words']) expect(await tagsOf(key)).toEqual([{ Key: 'a', Value: 'b' }]);
    const { manifest: report, rows, digest } = await reportOf(test, JobId!);
    expect(rows).toEqual({
      succeeded: [`${Bucket},one,,succeeded,200,,Successful`, `${Bucket},two%20words,,succeeded,200,,Successful`],
      failed: [`${Bucket},missing,,failed,404,NoSuchKey,The specified key does not exist.`],
    });
    expect(report).toMatchObject({
      Format: 'Report_CSV_20180820',
      ReportSchema: 'Bucket, Key, VersionId, TaskStatus, ErrorCode, HTTPStatusCode, ResultMessage',
      Results: [
        {
          TaskExecutionStatus: 'succeeded',
          Bucket,
          Key: expect.stringMatching(new RegExp(`^reports/job-${JobId}/results/[0-9a-f]{40}\\.csv$`)),
          MD5Checksum: createHash('md5')
            .update(`${rows.succeeded!.join('\n')}\n`)
            .digest('hex'),
        },
        { TaskExecutionStatus: 'failed' },
      ],
    });
    expect(digest).toBe(createHash('md5').update(JSON.stringify(report)).digest('hex'));
    const { Jobs } = await test.control.listJobs({ AccountId, JobStatuses: ['Complete'] });
    expect(Jobs).toMatchObject([{ JobId, Operation: 'S3PutObjectTagging', Description: 'tags', Status: 'Complete' }]);
    expect((await test.control.listJobs({ AccountId, JobStatuses: ['Failed'] })).Jobs ?? []).toEqual([]);
    await test.emulator.kernel.clock.advance(90 * 86_400_000);
    expect(await errorOf(describeJob(test, JobId!))).toMatchObject({
      name: 'NoSuchJobException',
      message: 'No such job',
    });
  });

  it('waits for confirmation, and expires without it', async () => {
    await put(test, 'one');
    const manifest = await manifestOf(test, [`${Bucket},one`]);
    const confirmed = { ...manifest, ConfirmationRequired: true };
    const make = async () => (await test.control.createJob(request(tagging, confirmed))).JobId!;
    const [first, second, third] = [await make(), await make(), await make()];
    const update = (JobId: string, RequestedJobStatus: 'Ready' | 'Cancelled') =>
      test.control.updateJobStatus({ AccountId, JobId, RequestedJobStatus, StatusUpdateReason: 'why' });
    expect((await errorOf(update(first, 'Ready'))).name).toBe('JobStatusException');
    await test.emulator.kernel.clock.advance(5000);
    expect(await describeJob(test, first)).toMatchObject({
      Status: 'Suspended',
      SuspendedDate: expect.any(Date),
      SuspendedCause: 'AWAITING_CONFIRMATION',
    });
    expect(await update(first, 'Ready')).toMatchObject({ JobId: first, Status: 'Ready', StatusUpdateReason: 'why' });
    expect((await update(second, 'Cancelled')).Status).toBe('Cancelling');
    expect((await ended(test, first)).Status).toBe('Complete');
    expect(await ended(test, second)).toMatchObject({ Status: 'Cancelled', StatusUpdateReason: 'why' });
    expect((await errorOf(update(second, 'Cancelled'))).name).toBe('JobStatusException');
    await test.emulator.kernel.clock.advance(30 * 86_400_000);
    expect(await describeJob(test, third)).toMatchObject({
      Status: 'Failed',
      FailureReasons: [{ FailureReason: 'The job was not confirmed within 30 days.' }],
    });
  });

  it('is created once per token, and has tags', async () => {
    const manifest = await manifestOf(test, [`${Bucket},one`]);
    const input = request(tagging, { ...manifest, ClientRequestToken: 'same', Tags: [{ Key: 'k', Value: 'v' }] });
    const { JobId } = await test.control.createJob(input);
    expect((await test.control.createJob(input)).JobId).toBe(JobId);
    const other = test.control.createJob({ ...input, Description: 'another' });
    expect((await errorOf(other)).name).toBe('IdempotencyException');
    const of = { AccountId, JobId };
    expect((await test.control.getJobTagging(of)).Tags).toEqual([{ Key: 'k', Value: 'v' }]);
    await test.control.putJobTagging({ ...of, Tags: [{ Key: 'l', Value: 'w' }] });
    expect((await test.control.getJobTagging(of)).Tags).toEqual([{ Key: 'l', Value: 'w' }]);
    const many = Array.from({ length: 51 }, (_, i) => ({ Key: `k${i}`, Value: '' }));
    expect((await errorOf(test.control.putJobTagging({ ...of, Tags: many }))).name).toBe('TooManyTagsException');
    await test.control.deleteJobTagging(of);
    expect((await test.control.getJobTagging(of)).Tags ?? []).toEqual([]);
  });

  it('runs by priority', async () => {
    const keys = Array.from({ length: 3 }, (_, i) => `k${i}`);
    for (const key of keys) await put(test, key);
    const manifest = await manifestOf(
      test,
      keys.map((key) => `${Bucket},${key}`),
    );
    const job = async (value: string, Priority: number) => {
      const operation = { S3PutObjectTagging: { TagSet: [{ Key: 'by', Value: value }] } };
      return (await test.control.createJob(request(operation, { ...manifest, Priority }))).JobId!;
    };
    const [low, high] = [await job('low', 1), await job('high', 2)];
    expect(await test.control.updateJobPriority({ AccountId, JobId: low, Priority: 3 })).toMatchObject({
      JobId: low,
      Priority: 3,
    });
    await ended(test, low);
    expect((await ended(test, high)).Status).toBe('Complete');
    // The last one to run leaves its mark.
    expect(await tagsOf('k0')).toEqual([{ Key: 'by', Value: 'high' }]);
    const late = test.control.updateJobPriority({ AccountId, JobId: high, Priority: 9 });
    expect((await errorOf(late)).name).toBe('BadRequestException');
  });

  it('yields to another of higher priority, and continues afterwards', async () => {
    // Both run in real time, so that the second is ready while the first runs.
    test.emulator.kernel.clock.resume();
    await put(test, 'one');
    const lines = (count: number) => Array.from({ length: count }, () => `${Bucket},one`);
    const report = { Report: { Enabled: false } };
    const long = await manifestOf(test, lines(6000));
    const { JobId: low } = await test.control.createJob(request(tagging, { ...long, ...report, Priority: 1 }));
    await expect.poll(async () => (await describeJob(test, low!)).Status, { timeout: 30_000 }).toBe('Ready');
    const short = await manifestOf(test, lines(1));
    const { JobId: high } = await test.control.createJob(request(tagging, { ...short, ...report, Priority: 2 }));
    await test.control.updateJobPriority({ AccountId, JobId: low!, Priority: 0 });
    const status = async (id: string) => (await describeJob(test, id)).Status;
    for (const id of [high!, low!])
      await expect.poll(() => status(id), { timeout: 60_000, interval: 20 }).toBe('Complete');
    expect((await describeJob(test, low!)).ProgressSummary).toMatchObject({
      TotalNumberOfTasks: 6000,
      NumberOfTasksSucceeded: 6000,
    });
  }, 120_000);

  it('can be cancelled while it runs', async () => {
    test.emulator.kernel.clock.resume();
    await put(test, 'one');
    const manifest = await manifestOf(
      test,
      Array.from({ length: 20_000 }, () => `${Bucket},one`),
    );
    const { JobId } = await test.control.createJob(request(tagging, manifest));
    const status = async () => (await describeJob(test, JobId!)).Status;
    await expect.poll(status, { timeout: 30_000, interval: 5 }).toBe('Active');
    const cancelled = await test.control.updateJobStatus({
      AccountId,
      JobId: JobId!,
      RequestedJobStatus: 'Cancelled',
    });
    expect(cancelled.Status).toBe('Cancelling');
    await expect.poll(status, { timeout: 30_000, interval: 5 }).toBe('Cancelled');
    const { NumberOfTasksSucceeded: done = 0 } = (await describeJob(test, JobId!)).ProgressSummary!;
    expect(done).toBeLessThan(20_000);
    if (done > 0) expect((await reportOf(test, JobId!)).rows.succeeded).toHaveLength(done);
  }, 120_000);

  it('fails if more than half of a thousand tasks fail', async () => {
    const lines = Array.from({ length: 1200 }, (_, i) => `${Bucket},missing-${i}`);
    const job = await runJob(test, request(tagging, await manifestOf(test, lines)));
    expect(job).toMatchObject({
      Status: 'Failed',
      ProgressSummary: { TotalNumberOfTasks: 1200, NumberOfTasksFailed: 1000, NumberOfTasksSucceeded: 0 },
    });
    expect((await reportOf(test, job.JobId!)).rows.failed).toHaveLength(1000);
  });

  it('continues after a crash of the process', async () => {
    await test[Symbol.asyncDispose]();
    const dataPath = mkdtempSync(join(tmpdir(), 'emu-jobs-'));
    try {
      test = await startJobs({ dataPath });
      await put(test, 'one');
      const { JobId } = await test.control.createJob(request(tagging, await manifestOf(test, [`${Bucket},one`])));
      await step();
      expect((await describeJob(test, JobId!)).Status).toBe('Ready');
      await test[Symbol.asyncDispose]();
      test = await start({ dataPath, others: [sts] });
      expect((await ended(test, JobId!)).Status).toBe('Complete');
      expect(await tagsOf('one')).toEqual([{ Key: 'a', Value: 'b' }]);
    } finally {
      await test[Symbol.asyncDispose]();
      rmSync(dataPath, { recursive: true });
    }
  });

  it('lists many in pages', async () => {
    const manifest = await manifestOf(test, [`${Bucket},one`]);
    for (let i = 0; i < 3; i++) await test.control.createJob(request(tagging, manifest));
    const first = await test.control.listJobs({ AccountId, MaxResults: 2 });
    const second = await test.control.listJobs({ AccountId, MaxResults: 2, NextToken: first.NextToken });
    expect([first.Jobs!.length, second.Jobs!.length, second.NextToken]).toEqual([2, 1, undefined]);
    const bad = test.control.listJobs({ AccountId, NextToken: 'bad' });
    expect((await errorOf(bad)).name).toBe('InvalidNextTokenException');
  });
});

it('rejects invalid requests', async () => {
  const manifest = await manifestOf(test, [`${Bucket},one`]);
  const { Spec, Location } = manifest.Manifest;
  const refused = async (input: Parameters<typeof runJob>[1]) => (await errorOf(test.control.createJob(input))).name;
  for (const input of [
    request(tagging, {}),
    request({}, manifest),
    request({ ...tagging, S3DeleteObjectTagging: {} }, manifest),
    request({ S3PutObjectCopy: {} }, manifest),
    request({ S3PutObjectAcl: {} }, manifest),
    request({ LambdaInvoke: { FunctionArn: 'f', UserArguments: { a: 'b' } } }, manifest),
    request(tagging, { Manifest: { Spec: { ...Spec, Fields: ['Key'] }, Location } }),
    request(tagging, { Manifest: { Spec, Location: { ...Location, ObjectArn: 'arn:aws:s3:::bucket' } } }),
    request(tagging, { ...manifest, Report: { Enabled: true } }),
  ])
    expect(await refused(input)).toBe('BadRequestException');
  const JobId = 'nothing-like-it';
  for (const call of [
    test.control.describeJob({ AccountId, JobId }),
    test.control.updateJobPriority({ AccountId, JobId, Priority: 1 }),
    test.control.updateJobStatus({ AccountId, JobId, RequestedJobStatus: 'Ready' }),
    test.control.getJobTagging({ AccountId, JobId }),
  ])
    expect(await errorOf(call)).toMatchObject({ name: 'NoSuchJobException', $metadata: { httpStatusCode: 404 } });
});

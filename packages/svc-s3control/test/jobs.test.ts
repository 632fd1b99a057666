import { createHash } from 'node:crypto';
import * as S3 from '@aws-sdk/client-s3';
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
  text,
} from './jobs-support.ts';
import { ACCOUNT as AccountId, type ControlTest, errorOf } from './support.ts';

let test: ControlTest;
beforeEach(async () => {
  test = await startJobs();
});
afterEach(() => test[Symbol.asyncDispose]());

const tagging = { S3PutObjectTagging: { TagSet: [{ Key: 'a', Value: 'b' }] } };
const tagsOf = async (Key: string) => (await test.s3.send(new S3.GetObjectTaggingCommand({ Bucket, Key }))).TagSet;
const step = () => test.emulator.kernel.clock.advance(500);

describe('a job', () => {
  it('goes through its statuses and tells what it did', async () => {
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

  it('waits to be confirmed, and not for ever', async () => {
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

  it('is made once for a token, and has tags', async () => {
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

  it('has its turn by its priority', async () => {
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

  it('fails where more than half of a thousand tasks fail', async () => {
    const lines = Array.from({ length: 1200 }, (_, i) => `${Bucket},missing-${i}`);
    const job = await runJob(test, request(tagging, await manifestOf(test, lines)));
    expect(job).toMatchObject({
      Status: 'Failed',
      ProgressSummary: { TotalNumberOfTasks: 1200, NumberOfTasksFailed: 1000, NumberOfTasksSucceeded: 0 },
    });
    expect((await reportOf(test, job.JobId!)).rows.failed).toHaveLength(1000);
  });

  it('pages through many', async () => {
    const manifest = await manifestOf(test, [`${Bucket},one`]);
    for (let i = 0; i < 3; i++) await test.control.createJob(request(tagging, manifest));
    const first = await test.control.listJobs({ AccountId, MaxResults: 2 });
    const second = await test.control.listJobs({ AccountId, MaxResults: 2, NextToken: first.NextToken });
    expect([first.Jobs!.length, second.Jobs!.length, second.NextToken]).toEqual([2, 1, undefined]);
    const bad = test.control.listJobs({ AccountId, NextToken: 'bad' });
    expect((await errorOf(bad)).name).toBe('InvalidNextTokenException');
  });
});

describe('a manifest', () => {
  const failureOf = async (input: Parameters<typeof runJob>[1]) => (await runJob(test, input)).FailureReasons;

  it('must be the one that was meant and readable', async () => {
    const { Manifest } = await manifestOf(test, [`${Bucket},one`]);
    const changed = { Manifest: { ...Manifest, Location: { ...Manifest.Location, ETag: 'other' } } };
    expect(await failureOf(request(tagging, changed))).toMatchObject([{ FailureCode: 'PreconditionFailed' }]);
    const gone = { ...Manifest, Location: { ...Manifest.Location, ObjectArn: `arn:aws:s3:::${Bucket}/nothing` } };
    expect(await failureOf(request(tagging, { Manifest: gone }))).toMatchObject([{ FailureCode: 'NoSuchKey' }]);
    const columns = await manifestOf(test, [`${Bucket},one`, `${Bucket}`]);
    const [reason] = (await failureOf(request(tagging, columns)))!;
    expect(reason).toMatchObject({
      FailureCode: 'InvalidManifest',
      FailureReason: expect.stringMatching(
        /^Failed to parse task from Manifest .* at Line 2: expected 2 columns, found 1$/,
      ),
    });
  });

  it('may name versions and be an inventory', async () => {
    await test[Symbol.asyncDispose]();
    test = await startJobs({ settings: { values: { EMULATOR_S3_EAGER_DELIVERY: true } } });
    const { s3 } = test;
    await s3.send(new S3.PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }));
    const old = await put(test, 'one');
    await put(test, 'one');
    const versions = await manifestOf(test, [`x,${Bucket},${old},one`], ['Ignore', 'Bucket', 'VersionId', 'Key']);
    const job = await runJob(test, request(tagging, versions));
    expect(job.ProgressSummary!.NumberOfTasksSucceeded).toBe(1);
    expect(await tagsOf('one')).toEqual([]);
    expect((await reportOf(test, job.JobId!)).rows.succeeded).toEqual([
      `${Bucket},one,${old},succeeded,200,,Successful`,
    ]);
    await s3.send(
      new S3.PutBucketInventoryConfigurationCommand({
        Bucket,
        Id: 'list',
        InventoryConfiguration: {
          Id: 'list',
          IsEnabled: true,
          IncludedObjectVersions: 'Current',
          Schedule: { Frequency: 'Daily' },
          Filter: { Prefix: 'one' },
          Destination: {
            S3BucketDestination: { Bucket: `arn:aws:s3:::${Bucket}`, Format: 'CSV', Prefix: 'inventory' },
          },
        },
      }),
    );
    await test.emulator.kernel.clock.advance(2 * 86_400_000);
    const { Contents } = await s3.send(new S3.ListObjectsV2Command({ Bucket, Prefix: 'inventory/' }));
    const { Key, ETag } = Contents!.find((entry) => entry.Key!.endsWith('/manifest.json'))!;
    const Manifest = {
      Spec: { Format: 'S3InventoryReport_CSV_20161130' as const },
      Location: { ObjectArn: `arn:aws:s3:::${Bucket}/${Key}`, ETag: ETag! },
    };
    expect((await runJob(test, request(tagging, { Manifest }))).ProgressSummary).toMatchObject({
      NumberOfTasksSucceeded: 1,
    });
    expect(await tagsOf('one')).toEqual([{ Key: 'a', Value: 'b' }]);
  });

  it('may be generated', async () => {
    for (const key of ['in/a.txt', 'in/b.jpg', 'out/c.txt']) await put(test, key);
    const generator = (Filter: object) => ({
      ManifestGenerator: {
        S3JobManifestGenerator: {
          SourceBucket: `arn:aws:s3:::${Bucket}`,
          EnableManifestOutput: true,
          ManifestOutputLocation: {
            Bucket: `arn:aws:s3:::${Bucket}`,
            ManifestPrefix: 'generated',
            ManifestFormat: 'S3InventoryReport_CSV_20211130' as const,
          },
          Filter,
        },
      },
    });
    const names = { MatchAnyPrefix: ['in/'], MatchAnySuffix: ['.txt'] };
    const job = await runJob(test, request(tagging, generator({ KeyNameConstraint: names })));
    expect(job).toMatchObject({ Status: 'Complete', ProgressSummary: { TotalNumberOfTasks: 1 } });
    const { ObjectArn } = job.GeneratedManifestDescriptor!.Location!;
    expect(await text(test, ObjectArn!.slice(`arn:aws:s3:::${Bucket}/`.length))).toBe(`${Bucket},in/a.txt,\n`);
    expect(await tagsOf('in/a.txt')).toEqual([{ Key: 'a', Value: 'b' }]);
    expect(await tagsOf('in/b.jpg')).toEqual([]);
    expect(await failureOf(request(tagging, generator({ ObjectSizeGreaterThanBytes: 1_000_000 })))).toMatchObject([
      { FailureReason: 'Manifest generation found no keys matching the filter criteria.' },
    ]);
    const encrypted = generator({ MatchAnyObjectEncryption: [{ SSES3: {} }], KeyNameConstraint: names });
    expect((await runJob(test, request(tagging, encrypted))).ProgressSummary!.TotalNumberOfTasks).toBe(1);
  });
});

it('refuses requests that mean nothing', async () => {
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

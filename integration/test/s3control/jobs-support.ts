import * as S3 from '@aws-sdk/client-s3';
import type { CreateJobCommandInput, JobOperation, JobStatus } from '@aws-sdk/client-s3-control';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { ACCOUNT as AccountId, type ControlTest, start } from './support.ts';

export const Bucket = 'a-bucket';
export const ROLE = `arn:aws:iam::${AccountId}:role/batch`;

/** Starts an emulator with a bucket. */
export async function startJobs(others: Parameters<typeof start>[0] = {}): Promise<ControlTest> {
  const test = await start({ ...others, others: [sts, ...(others.others ?? [])] });
  await test.s3.send(new S3.CreateBucketCommand({ Bucket }));
  return test;
}

/** Puts an object with its key as text. @returns its version */
export async function put({ s3 }: ControlTest, Key: string, input: Partial<S3.PutObjectCommandInput> = {}) {
  return (await s3.send(new S3.PutObjectCommand({ Bucket, Key, Body: Key, ...input }))).VersionId;
}

/** Returns the text of an object. */
export async function text({ s3 }: ControlTest, Key: string, from = Bucket): Promise<string> {
  return (await s3.send(new S3.GetObjectCommand({ Bucket: from, Key }))).Body!.transformToString();
}

/** Writes a manifest. @returns the part of a job request that names it */
export async function manifestOf(
  { s3 }: ControlTest,
  lines: readonly string[],
  Fields: ('Bucket' | 'Key' | 'VersionId' | 'Ignore')[] = ['Bucket', 'Key'],
) {
  const { ETag } = await s3.send(
    new S3.PutObjectCommand({ Bucket, Key: 'manifest.csv', Body: lines.map((line) => `${line}\n`).join('') }),
  );
  return {
    Manifest: {
      Spec: { Format: 'S3BatchOperations_CSV_20180820' as const, Fields },
      Location: { ObjectArn: `arn:aws:s3:::${Bucket}/manifest.csv`, ETag: ETag! },
    },
  };
}

/** Returns a request for a job with a report of all tasks. */
export const request = (Operation: JobOperation, rest: Partial<CreateJobCommandInput>): CreateJobCommandInput => ({
  AccountId,
  ConfirmationRequired: false,
  Operation,
  Report: {
    Enabled: true,
    Bucket: `arn:aws:s3:::${Bucket}`,
    Format: 'Report_CSV_20180820',
    ReportScope: 'AllTasks',
    Prefix: 'reports',
  },
  ClientRequestToken: `token-${++tokens}`,
  Priority: 10,
  RoleArn: ROLE,
  ...rest,
});
let tokens = 0;

export const describeJob = async ({ control }: ControlTest, JobId: string) =>
  (await control.describeJob({ AccountId, JobId })).Job!;

/** Advances time until a job has ended. */
export async function ended(test: ControlTest, JobId: string) {
  const final: readonly (JobStatus | undefined)[] = ['Complete', 'Cancelled', 'Failed'];
  for (let i = 0; i < 20; i++) {
    const job = await describeJob(test, JobId);
    if (final.includes(job.Status)) return job;
    await test.emulator.kernel.clock.advance(500);
  }
  throw new Error('the job did not end');
}

/** Creates a job and waits for its end. */
export async function runJob(test: ControlTest, input: CreateJobCommandInput) {
  const { JobId } = await test.control.createJob(input);
  return ended(test, JobId!);
}

/** Returns the rows of a job's report, by outcome, and its manifest. */
export async function reportOf(test: ControlTest, JobId: string) {
  const base = `reports/job-${JobId}`;
  const manifest = JSON.parse(await text(test, `${base}/manifest.json`));
  const rows: Record<string, string[]> = {};
  for (const { TaskExecutionStatus, Key } of manifest.Results)
    rows[TaskExecutionStatus] = (await text(test, Key)).trimEnd().split('\n');
  return { manifest, rows, digest: await text(test, `${base}/manifest.json.md5`) };
}

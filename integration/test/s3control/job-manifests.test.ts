import * as S3 from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Bucket, manifestOf, put, reportOf, request, runJob, startJobs, text } from './jobs-support.ts';
import type { ControlTest } from './support.ts';

let test: ControlTest;
beforeEach(async () => {
  test = await startJobs();
});
afterEach(() => test[Symbol.asyncDispose]());

const tagging = { S3PutObjectTagging: { TagSet: [{ Key: 'a', Value: 'b' }] } };
const tagsOf = async (Key: string) => (await test.s3.send(new S3.GetObjectTaggingCommand({ Bucket, Key }))).TagSet;

/** Delivers the bucket's inventory. @returns the part of a job request that names it */
async function inventoryOf(
  Format: S3.InventoryFormat,
  Filter: S3.InventoryFilter,
  IncludedObjectVersions: S3.InventoryIncludedObjectVersions = 'Current',
) {
  const { s3 } = test;
  await s3.send(
    new S3.PutBucketInventoryConfigurationCommand({
      Bucket,
      Id: 'list',
      InventoryConfiguration: {
        Id: 'list',
        IsEnabled: true,
        IncludedObjectVersions,
        Schedule: { Frequency: 'Daily' },
        Filter,
        Destination: { S3BucketDestination: { Bucket: `arn:aws:s3:::${Bucket}`, Format, Prefix: 'inventory' } },
      },
    }),
  );
  await test.emulator.kernel.clock.advance(2 * 86_400_000);
  const { Contents } = await s3.send(new S3.ListObjectsV2Command({ Bucket, Prefix: 'inventory/' }));
  const { Key, ETag } = Contents!.find((entry) => entry.Key!.endsWith('/manifest.json'))!;
  return {
    Manifest: {
      Spec: { Format: 'S3InventoryReport_CSV_20161130' as const },
      Location: { ObjectArn: `arn:aws:s3:::${Bucket}/${Key}`, ETag: ETag! },
    },
  };
}

describe('a manifest', () => {
  const failureOf = async (input: Parameters<typeof runJob>[1]) => (await runJob(test, input)).FailureReasons;

  it('must be the named one and readable', async () => {
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
    const inventory = await inventoryOf('CSV', { Prefix: 'one' });
    expect((await runJob(test, request(tagging, inventory))).ProgressSummary).toMatchObject({
      NumberOfTasksSucceeded: 1,
    });
    expect(await tagsOf('one')).toEqual([{ Key: 'a', Value: 'b' }]);
  });

  it('may be an inventory in Parquet', async () => {
    await test[Symbol.asyncDispose]();
    test = await startJobs({ settings: { values: { EMULATOR_S3_EAGER_DELIVERY: true } } });
    await test.s3.send(new S3.PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }));
    for (const key of ['in/a b+%20', 'in/é', 'out']) await put(test, key);
    const inventory = await inventoryOf('Parquet', { Prefix: 'in/' }, 'All');
    const job = await runJob(test, request(tagging, inventory));
    expect(job.ProgressSummary).toMatchObject({ TotalNumberOfTasks: 2, NumberOfTasksSucceeded: 2 });
    for (const key of ['in/a b+%20', 'in/é']) expect(await tagsOf(key)).toEqual([{ Key: 'a', Value: 'b' }]);
    expect(await tagsOf('out')).toEqual([]);
  });

  it('must be a readable inventory', async () => {
    const write = async (Key: string, Body: string) =>
      (await test.s3.send(new S3.PutObjectCommand({ Bucket, Key, Body }))).ETag!;
    const failureIn = async (fileFormat: string) => {
      const files = [{ key: 'data' }];
      const ETag = await write('manifest.json', JSON.stringify({ fileFormat, fileSchema: '', files }));
      const Location = { ObjectArn: `arn:aws:s3:::${Bucket}/manifest.json`, ETag };
      const Manifest = { Spec: { Format: 'S3InventoryReport_CSV_20161130' as const }, Location };
      return (await failureOf(request(tagging, { Manifest })))![0]!;
    };
    expect(await failureIn('Parquet')).toMatchObject({ FailureCode: 'NoSuchKey' });
    await write('data', 'no Parquet');
    expect(await failureIn('Parquet')).toEqual({
      FailureCode: 'InvalidManifest',
      FailureReason:
        'Failed to parse task from Manifest B:a-bucket K:data: Error parsing Parquet file. Please check the file and try again.',
    });
    expect(await failureIn('ORC')).toMatchObject({
      FailureCode: 'InvalidManifest',
      FailureReason: expect.stringMatching(
        /: inventory lists in ORC are not supported, only those in CSV and Parquet$/,
      ),
    });
  });

  it('can be generated', async () => {
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

import { createHash } from 'node:crypto';
import { CreateFunctionCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as S3 from '@aws-sdk/client-s3';
import type { JobOperation } from '@aws-sdk/client-s3-control';
import { zipOf } from '@emu/gateway/testing';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Bucket, describeJob, manifestOf, put, reportOf, request, runJob, startJobs, text } from './jobs-support.ts';
import { ACCOUNT as AccountId, type ControlTest } from './support.ts';

let test: ControlTest;
beforeEach(async () => {
  test = await startJobs({ others: [lambda] });
});
afterEach(() => test[Symbol.asyncDispose]());

const YEAR = 365 * 86_400_000;
const later = () => new Date(Math.floor(test.emulator.kernel.clock.now() / 1000) * 1000 + YEAR);
const head = (Key: string, from = Bucket) => test.s3.send(new S3.HeadObjectCommand({ Bucket: from, Key }));

/** Runs an operation on objects. @returns the rows of its report */
async function run(operation: JobOperation, ...keys: string[]) {
  const lines = keys.map((key) => `${Bucket},${encodeURIComponent(key)}`);
  const job = await runJob(test, request(operation, await manifestOf(test, lines)));
  expect(job.Status, JSON.stringify(job.FailureReasons)).toBe('Complete');
  return (await reportOf(test, job.JobId!)).rows;
}
const done = (key: string) => ({ succeeded: [`${Bucket},${encodeURIComponent(key)},,succeeded,200,,Successful`] });

describe('tasks', () => {
  it('copy objects', async () => {
    const { s3 } = test;
    await s3.send(new S3.CreateBucketCommand({ Bucket: 'target' }));
    await put(test, 'a key+', { Metadata: { m: '1' }, ContentType: 'text/plain' });
    const TargetResource = 'arn:aws:s3:::target';
    expect(await run({ S3PutObjectCopy: { TargetResource, StorageClass: 'STANDARD_IA' } }, 'a key+')).toEqual(
      done('a key+'),
    );
    expect(await text(test, 'a key+', 'target')).toBe('a key+');
    expect(await head('a key+', 'target')).toMatchObject({ StorageClass: 'STANDARD_IA', Metadata: { m: '1' } });
    await run(
      {
        S3PutObjectCopy: {
          TargetResource,
          TargetKeyPrefix: 'folder',
          NewObjectMetadata: { CacheControl: 'no-store', UserMetadata: { n: '2' }, SSEAlgorithm: 'AES256' },
          NewObjectTagging: [{ Key: 'k', Value: 'v = w' }],
        },
      },
      'a key+',
    );
    expect(await head('folder/a key+', 'target')).toMatchObject({ CacheControl: 'no-store', Metadata: { n: '2' } });
    const tags = await s3.send(new S3.GetObjectTaggingCommand({ Bucket: 'target', Key: 'folder/a key+' }));
    expect(tags.TagSet).toEqual([{ Key: 'k', Value: 'v = w' }]);
    const modified = { S3PutObjectCopy: { TargetResource, UnModifiedSinceConstraint: new Date(1_000_000_000_000) } };
    expect((await run(modified, 'a key+')).failed).toEqual([
      expect.stringMatching(`^${Bucket},a%20key%2B,,failed,412,PreconditionFailed,`),
    ]);
  });

  it('change ACLs and tags', async () => {
    const { s3 } = test;
    await s3.send(new S3.DeletePublicAccessBlockCommand({ Bucket }));
    await s3.send(
      new S3.PutBucketOwnershipControlsCommand({
        Bucket,
        OwnershipControls: { Rules: [{ ObjectOwnership: 'ObjectWriter' }] },
      }),
    );
    await put(test, 'o', { Tagging: 'a=b' });
    expect(await run({ S3DeleteObjectTagging: {} }, 'o')).toEqual(done('o'));
    expect((await s3.send(new S3.GetObjectTaggingCommand({ Bucket, Key: 'o' }))).TagSet).toEqual([]);
    const acl = async () => s3.send(new S3.GetObjectAclCommand({ Bucket, Key: 'o' }));
    await run({ S3PutObjectAcl: { AccessControlPolicy: { CannedAccessControlList: 'public-read' } } }, 'o');
    const { Owner, Grants } = await acl();
    expect(Grants).toHaveLength(2);
    const identifier = { TypeIdentifier: 'id' as const, Identifier: Owner!.ID! };
    await run(
      {
        S3PutObjectAcl: {
          AccessControlPolicy: {
            AccessControlList: { Owner: { ID: Owner!.ID! }, Grants: [{ Grantee: identifier, Permission: 'READ' }] },
          },
        },
      },
      'o',
    );
    expect((await acl()).Grants).toMatchObject([{ Grantee: { ID: Owner!.ID }, Permission: 'READ' }]);
  });

  it('hold and retain objects', async () => {
    const { s3 } = test;
    await s3.send(new S3.CreateBucketCommand({ Bucket: 'locked', ObjectLockEnabledForBucket: true }));
    await s3.send(new S3.PutObjectCommand({ Bucket: 'locked', Key: 'o', Body: 'x' }));
    const RetainUntilDate = later();
    const operations: JobOperation[] = [
      { S3PutObjectLegalHold: { LegalHold: { Status: 'ON' } } },
      { S3PutObjectRetention: { Retention: { Mode: 'GOVERNANCE', RetainUntilDate } } },
    ];
    for (const operation of operations)
      expect(await runJob(test, request(operation, await manifestOf(test, ['locked,o'])))).toMatchObject({
        Operation: operation,
        ProgressSummary: { NumberOfTasksSucceeded: 1 },
      });
    expect(await head('o', 'locked')).toMatchObject({
      ObjectLockLegalHoldStatus: 'ON',
      ObjectLockMode: 'GOVERNANCE',
      ObjectLockRetainUntilDate: RetainUntilDate,
    });
    const sooner = { Retention: { Mode: 'GOVERNANCE' as const, RetainUntilDate: new Date(+RetainUntilDate - 1000) } };
    const shorten = (BypassGovernanceRetention: boolean) => ({
      S3PutObjectRetention: { ...sooner, BypassGovernanceRetention },
    });
    const manifest = await manifestOf(test, ['locked,o']);
    const failed = await runJob(test, request(shorten(false), manifest));
    expect(failed.ProgressSummary!.NumberOfTasksFailed).toBe(1);
    const bypassed = await runJob(test, request(shorten(true), manifest));
    expect(bypassed.ProgressSummary!.NumberOfTasksSucceeded).toBe(1);
  });

  it('restore objects', async () => {
    await put(test, 'cold', { StorageClass: 'GLACIER' });
    await put(test, 'warm');
    const rows = await run(
      { S3InitiateRestoreObject: { ExpirationInDays: 3, GlacierJobTier: 'STANDARD' } },
      'cold',
      'warm',
    );
    expect(rows.succeeded).toEqual(done('cold').succeeded);
    expect(rows.failed).toEqual([expect.stringMatching(`^${Bucket},warm,,failed,403,InvalidObjectState,`)]);
    await test.emulator.kernel.clock.advance(2000);
    expect((await head('cold')).Restore).toMatch(/^ongoing-request="false"/);
  });

  it('compute checksums', async () => {
    await put(test, 'o');
    const { ETag } = await head('o');
    const sha = createHash('sha256').update('o').digest();
    const rows = await run({ S3ComputeObjectChecksum: { ChecksumAlgorithm: 'SHA256' } }, 'o');
    const [line] = rows.succeeded!;
    expect(JSON.parse(line!.slice(line!.indexOf('"') + 1, -1).replaceAll('""', '"'))).toEqual({
      checksum_base64: sha.toString('base64'),
      etag: ETag!.replaceAll('"', ''),
      checksumAlgorithm: 'SHA256',
      checksumType: 'FULL_OBJECT',
      checksum_hex: sha.toString('hex').toUpperCase(),
    });
    const composite = await run({ S3ComputeObjectChecksum: { ChecksumType: 'COMPOSITE' } }, 'o');
    expect(composite.failed).toEqual([expect.stringMatching(/,failed,400,InvalidRequest,/)]);
  });

  it('replicate existing objects', async () => {
    const { s3 } = test;
    await put(test, 'early');
    expect((await run({ S3ReplicateObject: {} }, 'early')).failed).toEqual([
      `${Bucket},early,,failed,404,ReplicationConfigurationNotFoundError,The replication configuration was not found`,
    ]);
    for (const name of [Bucket, 'replica']) {
      if (name !== Bucket) await s3.send(new S3.CreateBucketCommand({ Bucket: name }));
      const VersioningConfiguration = { Status: 'Enabled' as const };
      await s3.send(new S3.PutBucketVersioningCommand({ Bucket: name, VersioningConfiguration }));
    }
    const VersionId = await put(test, 'before');
    await s3.send(
      new S3.PutBucketReplicationCommand({
        Bucket,
        ReplicationConfiguration: {
          Role: `arn:aws:iam::${AccountId}:role/replicate`,
          Rules: [
            {
              Status: 'Enabled',
              Priority: 1,
              Filter: { Prefix: 'be' },
              DeleteMarkerReplication: { Status: 'Disabled' },
              Destination: { Bucket: 'arn:aws:s3:::replica' },
            },
          ],
        },
      }),
    );
    const Filter = { EligibleForReplication: true, ObjectReplicationStatuses: ['NONE' as const] };
    const generator = { SourceBucket: `arn:aws:s3:::${Bucket}`, EnableManifestOutput: false, Filter };
    const ManifestGenerator = { S3JobManifestGenerator: generator };
    const job = await runJob(test, request({ S3ReplicateObject: {} }, { ManifestGenerator }));
    expect(job.ProgressSummary).toMatchObject({ TotalNumberOfTasks: 1, NumberOfTasksSucceeded: 1 });
    expect(await head('before', 'replica')).toMatchObject({ VersionId, ReplicationStatus: 'REPLICA' });
    expect((await head('before')).ReplicationStatus).toBe('COMPLETED');
  });
});

it('cannot be requested through APIs that S3 lacks', async () => {
  await put(test, 'o');
  const { kernel } = test.emulator;
  const input = { Bucket, Key: 'o', algorithm: 'MD5' } as const;
  const value = createHash('md5').update('o').digest('base64');
  const options = { accountId: AccountId, region: 'us-east-1' };
  expect(await kernel.call('s3', 'ComputeObjectChecksum', input, options)).toMatchObject({ checksum_base64: value });
  const http = {
    method: 'GET',
    path: '/',
    signedPath: '/',
    query: '',
    headers: {},
    remoteAddress: undefined,
    protocol: 'restXml',
    secure: false,
  };
  const invocation = {
    ...options,
    service: 's3',
    operation: 'ComputeObjectChecksum',
    input,
    principal: {
      type: 'root' as const,
      accountId: AccountId,
      arn: `arn:aws:iam::${AccountId}:root`,
      userId: AccountId,
    },
    requestId: 'r',
    endpoint: '',
    http,
    signal: () => new AbortController().signal,
  };
  await expect(async () => kernel.invoke(invocation)).rejects.toMatchObject({ code: 'NotImplemented', status: 501 });
});

describe('functions', () => {
  const FunctionArn = `arn:aws:lambda:us-east-1:${AccountId}:function:worker`;
  const code = `
exports.handler = async (event) => {
  const [task] = event.tasks;
  const answer = (resultCode, resultString) => ({
    invocationSchemaVersion: event.invocationSchemaVersion,
    invocationId: event.invocationId,
    treatMissingKeysAs: 'PermanentFailure',
    results: resultCode ? [{ taskId: task.taskId, resultCode, resultString }] : [],
  });
  if (task.s3Key === 'throws') throw new Error('boom');
  if (task.s3Key === 'missing') return answer();
  if (task.s3Key === 'busy') return answer('TemporaryFailure', 'later');
  const { taskId, ...rest } = task;
  return answer('Succeeded', JSON.stringify({ version: event.invocationSchemaVersion, job: event.job, rest }));
};`;

  it('run tasks and report their results', async () => {
    // Functions take real time.
    test.emulator.kernel.clock.resume();
    await new LambdaClient(test.emulator.clientConfig()).send(
      new CreateFunctionCommand({
        FunctionName: 'worker',
        Role: `arn:aws:iam::${AccountId}:role/r`,
        Runtime: 'nodejs20.x',
        Handler: 'index.handler',
        Timeout: 30,
        Code: { ZipFile: zipOf({ 'index.js': code }) },
      }),
    );
    const keys = ['a b', 'throws', 'missing', 'busy'];
    const lines = keys.map((key) => `${Bucket},${encodeURIComponent(key)}`);
    const invoke = async (rest: object) => {
      const operation = { LambdaInvoke: { FunctionArn, ...rest } };
      const { JobId } = await test.control.createJob(request(operation, await manifestOf(test, lines)));
      const status = async () => (await describeJob(test, JobId!)).Status;
      await expect.poll(status, { interval: 20, timeout: 30_000 }).toBeOneOf(['Complete', 'Failed']);
      expect(await status()).toBe('Complete');
      const { rows } = await reportOf(test, JobId!);
      const [line] = rows.succeeded!;
      const message = JSON.parse(line!.slice(line!.indexOf('"') + 1, -1).replaceAll('""', '"'));
      return { JobId, message, failed: rows.failed };
    };
    const first = await invoke({});
    expect(first.message).toEqual({
      version: '1.0',
      job: { id: first.JobId },
      rest: { s3Key: 'a%20b', s3VersionId: null, s3BucketArn: `arn:aws:s3:::${Bucket}` },
    });
    expect(first.failed).toEqual([
      expect.stringMatching(`^${Bucket},throws,,failed,200,PermanentFailure,"Lambda returned function error: .*boom`),
      `${Bucket},missing,,failed,200,PermanentFailure,`,
      `${Bucket},busy,,failed,200,TemporaryFailure,later`,
    ]);
    const second = await invoke({ InvocationSchemaVersion: '2.0', UserArguments: { k: 'v' } });
    expect(second.message).toEqual({
      version: '2.0',
      job: { id: second.JobId, userArguments: { k: 'v' } },
      rest: { s3Key: 'a%20b', s3VersionId: null, s3Bucket: Bucket },
    });
  }, 60_000);
});

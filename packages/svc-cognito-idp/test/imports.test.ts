import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CognitoTest, countedFailureOf, failureOf, type Made, startCognito } from './support.ts';

const CloudWatchLogsRoleArn = 'arn:aws:iam::000000000000:role/logs';

describe('import jobs', () => {
  let test: CognitoTest;
  let made: Made;
  let header: string[];
  beforeAll(async () => {
    test = await startCognito();
    made = await test.make({
      AutoVerifiedAttributes: ['email'],
      Schema: [{ Name: 'team', AttributeDataType: 'String' }],
    });
    header = (await test.cognito.getCSVHeader(made)).CSVHeader!;
  });
  afterAll(() => test[Symbol.asyncDispose]());

  const create = async () =>
    (await test.cognito.createUserImportJob({ ...made, JobName: 'import', CloudWatchLogsRoleArn })).UserImportJob!;
  const upload = (url: string, body: string, headers: object = { 'x-amz-server-side-encryption': 'aws:kms' }) =>
    test.emulator.gateway.fetch(
      new Request(url, { method: 'PUT', body, headers: headers as Record<string, string> }),
    ) as Promise<Response>;
  const row = (values: Record<string, string>): string => header.map((name) => values[name] ?? '').join(',');
  const user = (name: string, more: Record<string, string> = {}): string =>
    row({
      'cognito:username': name,
      'cognito:mfa_enabled': 'FALSE',
      email: `${name}@example.com`,
      email_verified: 'TRUE',
      ...more,
    });
  const describeJob = async (JobId: string) =>
    (await test.cognito.describeUserImportJob({ ...made, JobId })).UserImportJob!;
  const ended = async (JobId: string) => {
    await expect.poll(async () => (await describeJob(JobId)).CompletionDate, { timeout: 5_000 }).toBeDefined();
    return describeJob(JobId);
  };

  it('have the header of the pool', () => {
    expect(header.slice(0, 2)).toEqual(['name', 'given_name']);
    expect(header.slice(-3)).toEqual(['custom:team', 'cognito:mfa_enabled', 'cognito:username']);
  });

  it('import users, who choose a password at the first sign-in', async () => {
    const { cognito } = test;
    const job = await create();
    expect(job).toMatchObject({ Status: 'Created', ImportedUsers: 0, SkippedUsers: 0, FailedUsers: 0 });
    const csv = [
      header.join(','),
      user('ann', { address: '1 Main Street\\, Town', 'custom:team': 'red' }),
      user('bob', { email_verified: 'FALSE' }),
      user('ann'),
      user('has space'),
      'too,short',
    ].join('\n');
    expect((await upload(job.PreSignedUrl!, csv, {})).status).toBe(403);
    expect((await upload(job.PreSignedUrl!.replace(/.$/, 'x'), csv)).status).toBe(403);
    expect((await upload(job.PreSignedUrl!, csv)).status).toBe(200);
    const started = await cognito.startUserImportJob({ ...made, JobId: job.JobId });
    expect(['Pending', 'InProgress', 'Succeeded']).toContain(started.UserImportJob!.Status);
    expect(await ended(job.JobId!)).toMatchObject({
      Status: 'Succeeded',
      ImportedUsers: 1,
      SkippedUsers: 1,
      FailedUsers: 3,
    });
    const ann = await cognito.adminGetUser({ UserPoolId: made.UserPoolId, Username: 'ann' });
    expect(ann.UserStatus).toBe('RESET_REQUIRED');
    expect(ann.UserAttributes).toContainEqual({ Name: 'address', Value: '1 Main Street, Town' });
    expect(ann.UserAttributes).toContainEqual({ Name: 'email_verified', Value: 'true' });
    expect(await countedFailureOf(test.signIn(made, 'ann'))).toContain('PasswordResetRequiredException');
    const list = await cognito.listUserImportJobs({ ...made, MaxResults: 10 });
    expect(list.UserImportJobs!.map(({ JobId }) => JobId)).toEqual([job.JobId]);
    expect((await upload(job.PreSignedUrl!, csv)).status).toBe(403);
  });

  it('fail for another header, and reject a start without file or in another state', async () => {
    const { cognito } = test;
    const job = await create();
    const id = { ...made, JobId: job.JobId };
    expect(await failureOf(cognito.startUserImportJob(id))).toContain('PreconditionNotMetException');
    expect(await failureOf(cognito.stopUserImportJob(id))).toContain('PreconditionNotMetException');
    await upload(job.PreSignedUrl!, 'a,b\n1,2');
    await cognito.startUserImportJob(id);
    expect(await ended(job.JobId!)).toMatchObject({ Status: 'Failed', ImportedUsers: 0 });
    expect(await failureOf(cognito.describeUserImportJob({ ...made, JobId: 'import-0' }))).toContain(
      'ResourceNotFoundException',
    );
    const other = await test.make();
    expect(await failureOf(cognito.startUserImportJob({ ...other, JobId: job.JobId! }))).toContain(
      'ResourceNotFoundException',
    );
    expect(
      await failureOf(
        cognito.createUserImportJob({ ...made, JobName: 'x', CloudWatchLogsRoleArn: 'arn:aws:s3:::b/role' }),
      ),
    ).toContain('InvalidParameterException');
  });

  it('can be stopped, and run one at a time', async () => {
    const { cognito } = test;
    const long = await create();
    const next = await create();
    const rows = Array.from({ length: 20_000 }, (_, index) => user(`u${index}`));
    await upload(long.PreSignedUrl!, [header.join(','), ...rows].join('\n'));
    await upload(next.PreSignedUrl!, header.join(','));
    await cognito.startUserImportJob({ ...made, JobId: long.JobId });
    expect(await failureOf(cognito.startUserImportJob({ ...made, JobId: next.JobId }))).toContain(
      'UserImportInProgressException',
    );
    const { UserImportJob } = await cognito.stopUserImportJob({ ...made, JobId: long.JobId });
    expect(UserImportJob).toMatchObject({
      Status: 'Stopped',
      CompletionMessage: 'The Import Job was stopped by the developer.',
    });
    await cognito.startUserImportJob({ ...made, JobId: next.JobId });
    expect(await ended(next.JobId!)).toMatchObject({ Status: 'Succeeded' });
    expect((await describeJob(long.JobId!)).ImportedUsers).toBeLessThan(20_000);
  });

  it('expire', async () => {
    const job = await create();
    await test.advance(15 * 60_000);
    expect((await upload(job.PreSignedUrl!, 'x')).status).toBe(403);
    await test.advance(24 * 60 * 60_000);
    expect((await describeJob(job.JobId!)).Status).toBe('Expired');
  });
});

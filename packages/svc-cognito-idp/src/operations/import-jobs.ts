import { parseArn } from '@emu/core/service';
import type { InputOf, OutputOf, UserImportJobType } from '@emu/service-types/cognito-idp';
import type { CognitoIdpContext } from '../context.ts';
import { importInProgress, invalidParameter, notFound, preconditionNotMet } from '../errors.ts';
import { csvHeader } from '../imports/header.ts';
import { importsOf } from '../imports/imports.ts';
import { poolOf } from '../lookup.ts';
import { MAX_ITEMS, paging } from '../paging.ts';
import type { ImportJobRecord, Pool } from '../records.ts';

type Job = Readonly<ImportJobRecord>;

const ID_LENGTH = 10;
const ID_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function describe(job: Job, { state }: CognitoIdpContext): UserImportJobType {
  return {
    JobName: job.name,
    JobId: job.id,
    UserPoolId: job.poolId,
    PreSignedUrl: importsOf(state).uploadUrl(job),
    CreationDate: new Date(job.createdAt),
    ...(job.startedAt !== undefined && { StartDate: new Date(job.startedAt) }),
    ...(job.completedAt !== undefined && { CompletionDate: new Date(job.completedAt) }),
    Status: job.status,
    CloudWatchLogsRoleArn: job.roleArn,
    ImportedUsers: job.imported,
    SkippedUsers: job.skipped,
    FailedUsers: job.failed,
    ...(job.message !== undefined && { CompletionMessage: job.message }),
  };
}

/**
 * Returns the job of a request.
 * @throws AwsError `ResourceNotFoundException`
 */
function jobOf(input: { UserPoolId: string; JobId: string }, pool: Pool, { state }: CognitoIdpContext): Job {
  const job = importsOf(state).get(pool.id, input.JobId);
  if (!job) throw notFound(`Job ${input.JobId} does not exist.`);
  return job;
}

export function GetCSVHeader(input: InputOf<'GetCSVHeader'>, ctx: CognitoIdpContext): OutputOf<'GetCSVHeader'> {
  const pool = poolOf(input, ctx);
  return { UserPoolId: pool.id, CSVHeader: csvHeader(pool) };
}

export function CreateUserImportJob(
  input: InputOf<'CreateUserImportJob'>,
  ctx: CognitoIdpContext,
): OutputOf<'CreateUserImportJob'> {
  const { state } = ctx;
  const pool = poolOf(input, ctx);
  const { JobName: name, CloudWatchLogsRoleArn: roleArn } = input;
  const role = parseArn(roleArn);
  if (role?.service !== 'iam' || !role.resource.startsWith('role/'))
    throw invalidParameter(`Invalid role ARN ${roleArn}.`);
  const job: ImportJobRecord = {
    id: `import-${state.ids.chars(ID_LENGTH, ID_CHARACTERS)}`,
    poolId: pool.id,
    name,
    roleArn,
    status: 'Created',
    secret: state.ids.hex(64),
    endpoint: ctx.endpoint,
    createdAt: state.clock.now(),
    imported: 0,
    skipped: 0,
    failed: 0,
  };
  return { UserImportJob: describe(state.importJobs.put(job.id, job) as Job, ctx) };
}

export function DescribeUserImportJob(
  input: InputOf<'DescribeUserImportJob'>,
  ctx: CognitoIdpContext,
): OutputOf<'DescribeUserImportJob'> {
  return { UserImportJob: describe(jobOf(input, poolOf(input, ctx), ctx), ctx) };
}

export function ListUserImportJobs(
  input: InputOf<'ListUserImportJobs'>,
  ctx: CognitoIdpContext,
): OutputOf<'ListUserImportJobs'> {
  const jobs = importsOf(ctx.state).of(poolOf(input, ctx).id);
  if (input.MaxResults > MAX_ITEMS) throw invalidParameter(`MaxResults must be no more than ${MAX_ITEMS}.`);
  return paging
    .page('ListUserImportJobs', input, jobs, ({ createdAt, id }) => `${String(createdAt).padStart(16, '0')}/${id}`, {
      descending: true,
    })
    .list((job) => describe(job, ctx));
}

export function StartUserImportJob(
  input: InputOf<'StartUserImportJob'>,
  ctx: CognitoIdpContext,
): OutputOf<'StartUserImportJob'> {
  const imports = importsOf(ctx.state);
  const pool = poolOf(input, ctx);
  const job = jobOf(input, pool, ctx);
  if (job.status !== 'Created')
    throw preconditionNotMet(`The job is in the state ${job.status} and cannot be started.`);
  if (!pool.settings.AutoVerifiedAttributes?.length)
    throw preconditionNotMet('The user pool must have at least one auto verified attribute.');
  if (job.file === undefined) throw preconditionNotMet('The CSV file of the job has not been uploaded.');
  if (imports.isBusy) throw importInProgress('Another import job is in progress.');
  return { UserImportJob: describe(imports.start(job), ctx) };
}

export function StopUserImportJob(
  input: InputOf<'StopUserImportJob'>,
  ctx: CognitoIdpContext,
): OutputOf<'StopUserImportJob'> {
  const job = jobOf(input, poolOf(input, ctx), ctx);
  if (job.status !== 'Pending' && job.status !== 'InProgress')
    throw preconditionNotMet(`The job is in the state ${job.status} and cannot be stopped.`);
  return { UserImportJob: describe(importsOf(ctx.state).stop(job), ctx) };
}

import type { DeepReadonly } from '@emu/core/service';
import type { InputOf, JobProgressSummary, OutputOf, S3Tag } from '@emu/service-types/s3control';
import type { S3controlContext } from '../context.ts';
import { checkAccount } from '../context.ts';
import { badRequest, noSuchJob, wrongStatus } from '../jobs/errors.ts';
import { type JobRecord, requestOf } from '../jobs/records.ts';
import { checkJobRequest, operationName } from '../jobs/requests.ts';
import { paging } from '../paging.ts';
import { jobType } from '../resources.ts';
import { jobTagging } from '../tags.ts';

type Job = DeepReadonly<JobRecord>;

/** Statuses that a job cannot change to. */
const ENDED: ReadonlySet<string> = new Set(['Cancelled', 'Cancelling', 'Complete', 'Completing', 'Failed', 'Failing']);

/** @throws AwsError `NoSuchJobException` */
function findJob(ctx: S3controlContext, input: { AccountId: string; JobId: string }): Job {
  checkAccount(ctx, input.AccountId);
  const job = ctx.state.jobs.records.get(input.JobId);
  if (!job) throw noSuchJob();
  return job;
}

/**
 * Creates a job, once per idempotency token.
 * @throws AwsError `BadRequestException`, `InvalidTag`, `TooManyTags`, `IdempotencyException`
 */
export function CreateJob(input: InputOf<'CreateJob'>, ctx: S3controlContext): OutputOf<'CreateJob'> {
  const { AccountId, ClientRequestToken, Tags: tags = [], Priority, ...rest } = input;
  checkAccount(ctx, AccountId);
  checkJobRequest(input);
  const { jobs } = ctx.state;
  const { id } = jobs.tokens.once('CreateJob', { ...rest, ClientRequestToken }, () =>
    jobs.create({
      id: ctx.ids.uuid(),
      request: JSON.stringify(rest),
      clientToken: ClientRequestToken,
      priority: Priority,
      status: 'New',
      failures: [],
      tags: tags.map(({ Key, Value }) => ({ Key, Value })),
      createdAt: ctx.clock.now(),
      cause: ctx.requestId,
      succeeded: 0,
      failed: 0,
      size: 0,
      done: 0,
      results: [],
      active: 0,
    }),
  );
  return { JobId: id };
}

function progressOf({ total, succeeded, failed, active }: Job): JobProgressSummary {
  return {
    TotalNumberOfTasks: total ?? 0,
    NumberOfTasksSucceeded: succeeded,
    NumberOfTasksFailed: failed,
    Timers: { ElapsedTimeInActiveSeconds: Math.floor(active / 1000) },
  };
}

const dateOf = (at: number | undefined): Date | undefined => (at === undefined ? undefined : new Date(at));

/** @throws AwsError `NoSuchJobException` */
export function DescribeJob(input: InputOf<'DescribeJob'>, ctx: S3controlContext): OutputOf<'DescribeJob'> {
  const job = findJob(ctx, input);
  const request = requestOf(job);
  return {
    Job: {
      JobId: job.id,
      ConfirmationRequired: request.ConfirmationRequired ?? false,
      Description: request.Description,
      JobArn: jobType.arn(job, ctx),
      Status: job.status,
      Manifest: request.Manifest,
      Operation: request.Operation,
      Priority: job.priority,
      ProgressSummary: progressOf(job),
      StatusUpdateReason: job.statusUpdateReason,
      FailureReasons: job.failures.map((failure) => ({ ...failure })),
      Report: request.Report,
      CreationTime: new Date(job.createdAt),
      TerminationDate: dateOf(job.terminatedAt),
      RoleArn: request.RoleArn,
      SuspendedDate: dateOf(job.suspendedAt),
      SuspendedCause: job.suspendedAt === undefined ? undefined : 'AWAITING_CONFIRMATION',
      ManifestGenerator: request.ManifestGenerator,
      GeneratedManifestDescriptor: job.generated && {
        Format: 'S3InventoryReport_CSV_20211130',
        Location: job.generated,
      },
    },
  };
}

/**
 * Lists the jobs of the last 90 days, newest first.
 * @throws AwsError `InvalidNextTokenException`
 */
export function ListJobs(input: InputOf<'ListJobs'>, ctx: S3controlContext): OutputOf<'ListJobs'> {
  checkAccount(ctx, input.AccountId);
  const { JobStatuses: statuses = [] } = input;
  const jobs = [...ctx.state.jobs.records.values()].filter(
    ({ status }) => statuses.length === 0 || statuses.includes(status),
  );
  // Pages are in order of keys.
  const keyOf = ({ createdAt, id }: Job): string => `${String(Number.MAX_SAFE_INTEGER - createdAt)}/${id}`;
  return paging.page('ListJobs', input, jobs, keyOf).list((job) => {
    const request = requestOf(job);
    return {
      JobId: job.id,
      Description: request.Description,
      Operation: operationName(request.Operation),
      Priority: job.priority,
      Status: job.status,
      CreationTime: new Date(job.createdAt),
      TerminationDate: dateOf(job.terminatedAt),
      ProgressSummary: progressOf(job),
    };
  });
}

/** @throws AwsError `NoSuchJobException`, `BadRequestException` for a job that has ended */
export function UpdateJobPriority(
  input: InputOf<'UpdateJobPriority'>,
  ctx: S3controlContext,
): OutputOf<'UpdateJobPriority'> {
  const job = findJob(ctx, input);
  if (ENDED.has(job.status))
    throw badRequest(`Request invalid: the priority of a job in the ${job.status} status cannot be changed.`);
  ctx.state.jobs.prioritize(job.id, input.Priority);
  return { JobId: job.id, Priority: input.Priority };
}

/** Confirms or cancels a job. @throws AwsError `NoSuchJobException`, `JobStatusException` */
export function UpdateJobStatus(input: InputOf<'UpdateJobStatus'>, ctx: S3controlContext): OutputOf<'UpdateJobStatus'> {
  const { id, status } = findJob(ctx, input);
  const { RequestedJobStatus: requested, StatusUpdateReason: reason } = input;
  if (requested === 'Ready') {
    if (status !== 'Suspended') throw wrongStatus(status, 'made ready');
    ctx.state.jobs.confirm(id, reason);
  } else {
    if (ENDED.has(status)) throw wrongStatus(status, 'cancelled');
    ctx.state.jobs.cancel(id, reason);
  }
  const job = findJob(ctx, input);
  return { JobId: id, Status: job.status, StatusUpdateReason: job.statusUpdateReason };
}

/** @throws AwsError `NoSuchJobException` */
export function GetJobTagging(input: InputOf<'GetJobTagging'>, ctx: S3controlContext): OutputOf<'GetJobTagging'> {
  return { Tags: findJob(ctx, input).tags.map((tag) => ({ ...tag })) };
}

/**
 * Replaces all tags.
 * @throws AwsError `NoSuchJobException`, `TooManyTagsException`, `InvalidTag`
 */
export function PutJobTagging(input: InputOf<'PutJobTagging'>, ctx: S3controlContext): OutputOf<'PutJobTagging'> {
  const { id } = findJob(ctx, input);
  replaceTags(ctx, id, jobTagging.merge(undefined, input.Tags));
  return {};
}

/** @throws AwsError `NoSuchJobException` */
export function DeleteJobTagging(
  input: InputOf<'DeleteJobTagging'>,
  ctx: S3controlContext,
): OutputOf<'DeleteJobTagging'> {
  replaceTags(ctx, findJob(ctx, input).id, []);
  return {};
}

function replaceTags(ctx: S3controlContext, id: string, tags: S3Tag[]): void {
  ctx.state.jobs.records.update(id, (draft) => {
    draft.tags = tags;
  });
}

import {
  type Collection,
  type DeepReadonly,
  DueTimers,
  IdempotencyTokens,
  type InterruptedWork,
  interruptedRecords,
  type StateScope,
  tokensOf,
  type Worker,
} from '@emu/core/service';
import { assumeJobRole, type JobCall } from './caller.ts';
import { bytesOf, linesOf } from './encoding.ts';
import { JobFailedError, tokenUsed } from './errors.ts';
import { prepareTasks } from './preparation.ts';
import { type JobRecord, jobCollection, requestOf, type Task, type TaskResult } from './records.ts';
import { resultLine, writeReport } from './report.ts';
import { runTask } from './tasks.ts';

/** Milliseconds in each of a job's initial statuses; AWS takes seconds to minutes. */
const STEP = 500;
const DAY = 86_400_000;
/** Milliseconds for which an ended job can be described, and for which one may wait for confirmation. */
const RETENTION = 90 * DAY;
const CONFIRMATION = 30 * DAY;
/** Number of tasks between progress records: after a crash, at most these are repeated. */
const BATCH = 500;
/** Number of concurrent tasks. */
const CONCURRENCY = 10;
/** Number of tasks after which a job fails if more than half of them failed. */
const THRESHOLD = 1000;

type Job = DeepReadonly<JobRecord>;

/** Statuses of jobs waiting to run. */
const RUNNABLE: ReadonlySet<string> = new Set(['Ready', 'Paused', 'Active']);

const isUnfinished = ({ status, terminatedAt }: Job): boolean => terminatedAt === undefined && status !== 'Suspended';

/**
 * Jobs of an account in a region. One runs at a time: the oldest of highest priority.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/batch-ops-job-status.html
 */
export class BatchJobs implements Worker {
  readonly records: Collection<JobRecord>;
  readonly tokens: IdempotencyTokens<DeepReadonly<JobRecord>>;
  /** Pending timer or work of each job: one at a time. */
  private readonly timers: DueTimers;
  private running: string | undefined;
  /** Jobs that were interrupted by a restart and are not resumed yet. */
  private readonly held = new Set<string>();
  private closed = false;

  constructor(private readonly scope: StateScope) {
    this.records = scope.collection(jobCollection);
    this.tokens = new IdempotencyTokens({
      clock: scope.clock,
      member: 'ClientRequestToken',
      records: tokensOf(this.records, ({ clientToken: token, request }) => ({ token, request })),
      refuse: tokenUsed,
    });
    this.timers = new DueTimers(scope.clock);
  }

  resume(): void {
    const now = this.scope.clock.now();
    for (const { id, status, suspendedAt, terminatedAt } of this.records.values())
      if (terminatedAt !== undefined) this.schedule(id, terminatedAt + RETENTION - now, () => this.discard(id));
      else if (status === 'Suspended') this.schedule(id, suspendedAt! + CONFIRMATION - now, () => this.expire(id));
  }

  /** Continues jobs after a restart. */
  interrupted(): InterruptedWork[] {
    for (const job of this.records.values()) if (isUnfinished(job)) this.held.add(job.id);
    return interruptedRecords(this.records, {
      name: ({ id }) => `batch job ${id}`,
      isLeft: (job) => isUnfinished(job) && this.held.has(job.id),
      resume: (job) => {
        this.held.delete(job.id);
        this.goOn(job);
        return undefined;
      },
      fail: ({ id }, reason) => this.fail(id, new JobFailedError('InternalError', reason)),
    });
  }

  /** Starts a new job. */
  create(record: JobRecord): DeepReadonly<JobRecord> {
    const job = this.records.put(record.id, record);
    this.schedule(job.id, STEP, () => this.prepare(job.id));
    return job;
  }

  /** Confirms a suspended job. */
  confirm(id: string, reason: string | undefined): void {
    this.enter(id, 'Ready', reason);
    this.schedule(id, STEP, () => this.pump());
  }

  /** Cancels a job: at once, or after running tasks have ended. */
  cancel(id: string, reason: string | undefined): void {
    this.enter(id, 'Cancelling', reason);
    if (this.running !== id) this.schedule(id, 0, () => this.finish(id));
  }

  /** Changes a job's priority. */
  prioritize(id: string, priority: number): void {
    this.records.update(id, (draft) => {
      draft.priority = priority;
    });
    this.schedule('', 0, () => this.pump());
  }

  /** Abandons work in progress. */
  close(): void {
    this.closed = true;
  }

  private goOn({ id, status }: Job): void {
    if (status === 'New' || status === 'Preparing') this.schedule(id, STEP, () => this.prepare(id));
    else if (RUNNABLE.has(status) || status === 'Pausing') {
      if (status !== 'Ready') this.enter(id, 'Paused');
      this.schedule(id, STEP, () => this.pump());
    } else this.schedule(id, 0, () => this.finish(id));
  }

  /** @param key id of the job */
  private schedule(key: string, delay: number, callback: () => void | Promise<void>): void {
    this.timers.set(key, this.scope.clock.now() + delay, callback);
  }

  private enter(id: string, status: JobRecord['status'], reason?: string): void {
    this.records.update(id, (draft) => {
      draft.status = status;
      if (reason !== undefined) draft.statusUpdateReason = reason;
    });
  }

  private async prepare(id: string): Promise<void> {
    this.enter(id, 'Preparing');
    try {
      const { scope } = this;
      const job = this.records.get(id)!;
      const request = requestOf(job);
      const call = await assumeJobRole(scope, job, request.RoleArn);
      const { body, total, generated } = await prepareTasks(request, id, scope, call);
      if (this.status(id) === 'Preparing')
        this.records.update(id, (draft) => {
          Object.assign(draft, { tasks: body.id, size: body.size, total, ...(generated && { generated }) });
          draft.status = request.ConfirmationRequired ? 'Suspended' : 'Ready';
          if (request.ConfirmationRequired) draft.suspendedAt = scope.clock.now();
        });
      scope.bodies.release(body.id);
    } catch (error) {
      // It may have been cancelled meanwhile.
      if (this.status(id) === 'Preparing') this.fail(id, error);
    }
    const status = this.status(id);
    if (status === 'Suspended') this.schedule(id, CONFIRMATION, () => this.expire(id));
    else if (status === 'Ready') this.schedule(id, STEP, () => this.pump());
  }

  /** Returns the status of the job; undefined if it was deleted or the runner is closed. */
  private status(id: string): JobRecord['status'] | undefined {
    return this.closed ? undefined : this.records.get(id)?.status;
  }

  /** Starts the next job. */
  private pump(): void {
    const next = this.next();
    if (!next) return;
    if (this.running === undefined) {
      this.running = next.id;
      this.enter(next.id, 'Active');
      this.schedule(next.id, 0, () => this.run(next.id));
      return;
    }
    const current = this.records.get(this.running);
    if (current?.status === 'Active' && next.id !== current.id) this.enter(current.id, 'Pausing');
  }

  private next(): Job | undefined {
    let best: Job | undefined;
    for (const job of this.records.values())
      if (RUNNABLE.has(job.status) && !this.held.has(job.id) && (!best || job.priority > best.priority)) best = job;
    return best;
  }

  /** Runs a batch of a job's tasks and schedules the next step. */
  private async run(id: string): Promise<void> {
    try {
      const job = this.records.get(id)!;
      const call = await assumeJobRole(this.scope, job, requestOf(job).RoleArn);
      const more = await this.runBatch(id, call);
      if (this.status(id) === 'Active') {
        if (more) return this.schedule(id, 0, () => this.run(id));
        this.enter(id, 'Completing');
      }
    } catch (error) {
      this.fail(id, error);
    }
    if (this.closed) return;
    this.running = undefined;
    const status = this.status(id);
    if (status === 'Pausing') this.enter(id, 'Paused');
    else if (status !== undefined && status !== 'Failed') this.schedule(id, 0, () => this.finish(id));
    this.pump();
  }

  /** @returns whether more tasks remain */
  private async runBatch(id: string, call: JobCall): Promise<boolean> {
    const { scope } = this;
    const job = this.records.get(id)!;
    const { Operation: operation, Report: report } = requestOf(job);
    const start = scope.clock.now();
    const runner = { jobId: id, operation, call, scope };
    const batch = await this.tasksFrom(job);
    const rows: string[] = [];
    const counts = { succeeded: 0, failed: 0, bytes: 0 };
    const overThreshold = (): boolean => {
      const [succeeded, failed] = [job.succeeded + counts.succeeded, job.failed + counts.failed];
      return succeeded + failed >= THRESHOLD && failed > succeeded;
    };
    for (let at = 0; at < batch.length && this.status(id) === 'Active' && !overThreshold(); at += CONCURRENCY) {
      const tasks = batch.slice(at, at + CONCURRENCY);
      const results = await Promise.all(tasks.map(({ task }) => runTask(runner, task)));
      for (const [index, result] of results.entries()) {
        counts[result.succeeded ? 'succeeded' : 'failed']++;
        counts.bytes += tasks[index]!.bytes;
        if (report.Enabled && wanted(report.ReportScope, result)) rows.push(resultLine(tasks[index]!.task, result));
      }
    }
    if (this.status(id) === undefined) return false;
    const body = rows.length ? await scope.bodies.write(bytesOf(rows)) : undefined;
    if (this.status(id) !== undefined)
      this.records.update(id, (draft) => {
        draft.done += counts.bytes;
        draft.succeeded += counts.succeeded;
        draft.failed += counts.failed;
        draft.active += scope.clock.now() - start;
        if (body) draft.results.push(body.id);
        if (overThreshold() && draft.status === 'Active') {
          draft.status = 'Failing';
          draft.failures = [
            {
              FailureCode: 'JobFailureThresholdExceeded',
              FailureReason: 'More than 50% of the tasks of the job failed.',
            },
          ];
        }
      });
    if (body) scope.bodies.release(body.id);
    return batch.length === BATCH;
  }

  private async tasksFrom({ tasks, done, size }: Job): Promise<{ task: Task; bytes: number }[]> {
    const batch: { task: Task; bytes: number }[] = [];
    if (done === size) return batch;
    for await (const { text, bytes } of linesOf(this.scope.bodies.read(tasks!, { start: done, end: size }))) {
      const [bucket, key, versionId] = JSON.parse(text) as [string, string, string | undefined];
      if (batch.push({ task: { bucket, key, versionId }, bytes }) === BATCH) break;
    }
    return batch;
  }

  /** Writes the report of a finished job and ends it. */
  private async finish(id: string): Promise<void> {
    const job = this.records.get(id);
    if (!job) return;
    try {
      const { Report: report, RoleArn: roleArn } = requestOf(job);
      if (report.Enabled && job.succeeded + job.failed > 0)
        await writeReport({ ...job, report }, this.scope, await assumeJobRole(this.scope, job, roleArn));
    } catch (error) {
      return this.fail(id, error);
    }
    const ended = { Cancelling: 'Cancelled', Failing: 'Failed' } as const;
    this.end(id, ended[job.status as keyof typeof ended] ?? 'Complete');
  }

  private fail(id: string, error: unknown): void {
    if (this.status(id) === undefined) return;
    if (!(error instanceof JobFailedError)) this.scope.log.error('a batch job failed', { job: id, error });
    const reason =
      error instanceof JobFailedError ? error : { code: 'InternalError', message: 'We encountered an internal error.' };
    this.records.update(id, (draft) => {
      draft.failures = [...draft.failures, { FailureCode: reason.code, FailureReason: reason.message }];
    });
    this.end(id, 'Failed');
  }

  /** Expires a job that was never confirmed. */
  private expire(id: string): void {
    this.fail(id, new JobFailedError('JobExpired', 'The job was not confirmed within 30 days.'));
  }

  private end(id: string, status: 'Complete' | 'Cancelled' | 'Failed'): void {
    if (this.status(id) === undefined) return;
    this.records.update(id, (draft) => {
      draft.status = status;
      draft.terminatedAt = this.scope.clock.now();
      // No longer needed.
      delete draft.tasks;
      draft.results = [];
    });
    this.schedule(id, RETENTION, () => this.discard(id));
  }

  private discard(id: string): void {
    this.records.delete(id);
  }
}

function wanted(scope: string | undefined, { succeeded }: TaskResult): boolean {
  return scope === 'AllTasks' || !succeeded;
}

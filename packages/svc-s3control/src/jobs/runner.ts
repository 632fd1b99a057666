import {
  type Collection,
  type DeepReadonly,
  DueTimers,
  IdempotencyTokens,
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

/** Milliseconds that a job rests in each of its first statuses; AWS takes seconds to minutes. */
const STEP = 500;
const DAY = 86_400_000;
/** Milliseconds for which an ended job can be described, and for which one may wait to be confirmed. */
const RETENTION = 90 * DAY;
const CONFIRMATION = 30 * DAY;
/** Tasks after which a job's progress is kept: after the death of the process they are done again at most. */
const BATCH = 500;
/** Tasks that are done at the same time. */
const CONCURRENCY = 10;
/** Tasks after which a job fails of which more than half have failed. */
const THRESHOLD = 1000;

type Job = DeepReadonly<JobRecord>;

/** Statuses of jobs that are waiting for their turn. */
const RUNNABLE: ReadonlySet<string> = new Set(['Ready', 'Paused', 'Active']);

/**
 * The jobs of an account in a region, one of which runs at a time: that of the highest priority, the oldest of those.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/batch-ops-job-status.html
 */
export class BatchJobs implements Worker {
  readonly records: Collection<JobRecord>;
  readonly tokens: IdempotencyTokens<DeepReadonly<JobRecord>>;
  /** What each job waits for: one thing at a time. */
  private readonly timers: DueTimers;
  private running: string | undefined;
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

  /** Lets the jobs go on that the emulator was stopped in. */
  resume(): void {
    for (const job of this.records.values()) this.goOn(job);
  }

  /** Takes a new job in. */
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

  /** Cancels a job: at once, or when the tasks that are being done have ended. */
  cancel(id: string, reason: string | undefined): void {
    this.enter(id, 'Cancelling', reason);
    if (this.running !== id) this.schedule(id, 0, () => this.finish(id));
  }

  /** Changes when a job has its turn. */
  prioritize(id: string, priority: number): void {
    this.records.update(id, (draft) => {
      draft.priority = priority;
    });
    this.schedule('', 0, () => this.pump());
  }

  /** What is being done ends unheard. */
  close(): void {
    this.closed = true;
  }

  private goOn({ id, status, suspendedAt, terminatedAt }: Job): void {
    const now = this.scope.clock.now();
    if (status === 'New' || status === 'Preparing') this.schedule(id, STEP, () => this.prepare(id));
    else if (terminatedAt !== undefined) this.schedule(id, terminatedAt + RETENTION - now, () => this.forget(id));
    else if (status === 'Suspended') this.schedule(id, suspendedAt! + CONFIRMATION - now, () => this.expire(id));
    else if (RUNNABLE.has(status) || status === 'Pausing') {
      if (status !== 'Ready') this.enter(id, 'Paused');
      this.schedule(id, STEP, () => this.pump());
    } else this.schedule(id, 0, () => this.finish(id));
  }

  /** @param key a job's id */
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

  /** The job's status, or undefined where it is gone or nobody listens any more. */
  private status(id: string): JobRecord['status'] | undefined {
    return this.closed ? undefined : this.records.get(id)?.status;
  }

  /** Gives the turn to whose it is. */
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
      if (RUNNABLE.has(job.status) && (!best || job.priority > best.priority)) best = job;
    return best;
  }

  /** Does a batch of a job's tasks, and sees to what comes next. */
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

  /** @returns whether there are more tasks */
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

  /** Writes the report of a job that has ended, and ends it. */
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

  /** A job that nobody confirmed. */
  private expire(id: string): void {
    this.fail(id, new JobFailedError('JobExpired', 'The job was not confirmed within 30 days.'));
  }

  private end(id: string, status: 'Complete' | 'Cancelled' | 'Failed'): void {
    if (this.status(id) === undefined) return;
    this.records.update(id, (draft) => {
      draft.status = status;
      draft.terminatedAt = this.scope.clock.now();
      // Nobody needs them any more.
      delete draft.tasks;
      draft.results = [];
    });
    this.schedule(id, RETENTION, () => this.forget(id));
  }

  private forget(id: string): void {
    this.records.delete(id);
  }
}

function wanted(scope: string | undefined, { succeeded }: TaskResult): boolean {
  return scope === 'AllTasks' || !succeeded;
}

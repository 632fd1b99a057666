import { createHmac } from 'node:crypto';
import {
  type InterruptedWork,
  interruptedRecords,
  logWriter,
  ServiceRole,
  Slices,
  type Worker,
} from '@emu/core/service';
import type { ImportJobRecord } from '../records.ts';
import { same } from '../srp/srp.ts';
import type { CognitoState } from '../state.ts';
import { fieldsOf, importRow, problemOfHeader } from './rows.ts';

/** Roles with which jobs write to CloudWatch Logs. */
const logsRole = new ServiceRole({
  service: 'cognito-idp',
  session: 'CognitoImport',
  refuse: () => new Error('The CloudWatch Logs role cannot be assumed.'),
});
const MINUTE = 60_000;
/** Validity of an upload URL, in milliseconds. */
const UPLOAD_TIME = 15 * MINUTE;
/** Milliseconds within which a job must be started. */
const START_TIME = 24 * 60 * MINUTE;
const MAX_ROWS = 500_000;
const MAX_ROW_LENGTH = 16_000;
/** Rows per batch, after which the log is written and other work can run. */
const AT_ONCE = 200;

type Job = Readonly<ImportJobRecord>;

/** Jobs that import users from files. An interrupted job continues after a restart and skips existing users. */
class Imports implements Worker {
  private closed = false;

  constructor(private readonly state: CognitoState) {}

  interrupted(): InterruptedWork[] {
    return interruptedRecords(this.state.importJobs, {
      name: ({ id }) => `user import job ${id}`,
      isLeft: (job) => isActive(job as Job),
      resume: ({ id }) => this.run(id),
      fail: (job, reason) => void this.end(job as Job, 'Failed', reason),
    });
  }

  close(): void {
    this.closed = true;
  }

  /** Returns the jobs of a pool, newest first. */
  of(poolId: string): Job[] {
    return [...this.state.importJobs.values()]
      .filter((job) => job.poolId === poolId)
      .map((job) => this.current(job))
      .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  }

  /** Returns a job of a pool; undefined if unknown. */
  get(poolId: string, id: string): Job | undefined {
    const job = this.state.importJobs.get(id);
    return job?.poolId === poolId ? this.current(job) : undefined;
  }

  /** Whether a job of the account is running; at most one runs at a time. */
  get isBusy(): boolean {
    return [...this.state.importJobs.values()].some(isActive);
  }

  /** Returns the URL for uploading a job's file with PUT. */
  uploadUrl(job: Job): string {
    return `${job.endpoint}/${job.poolId}/import/${job.id}?signature=${signatureOf(job)}`;
  }

  /** Whether a signature authorizes the upload of a job's file. */
  accepts(job: Job, signature: string | null): boolean {
    const isInTime = this.state.clock.now() < job.createdAt + UPLOAD_TIME;
    return isInTime && job.status === 'Created' && same(Buffer.from(signature ?? ''), Buffer.from(signatureOf(job)));
  }

  /** Stores a job's file, replacing a previous one. */
  async upload(job: Job, body: AsyncIterable<Uint8Array>): Promise<void> {
    const { id } = await this.state.bodies.write(body);
    if (this.state.importJobs.get(job.id)?.status === 'Created') this.change(job, (draft) => (draft.file = id));
    this.state.bodies.release(id);
  }

  /** Starts a job with an uploaded file. */
  start(job: Job): Job {
    const started = this.change(job, (draft) => {
      draft.status = 'Pending';
      draft.startedAt = this.state.clock.now();
    });
    void this.run(job.id);
    return started;
  }

  /** Stops a running job. */
  stop(job: Job): Job {
    return this.end(job, 'Stopped', 'The Import Job was stopped by the developer.');
  }

  private current(job: Job): Job {
    if (job.status !== 'Created' || this.state.clock.now() < job.createdAt + START_TIME) return job;
    return this.change(job, (draft) => {
      draft.status = 'Expired';
      delete draft.file;
    });
  }

  private change(job: Job, change: (draft: ImportJobRecord) => void): Job {
    return this.state.importJobs.update(job.id, change) as Job;
  }

  private end(job: Job, status: ImportJobRecord['status'], message?: string): Job {
    return this.change(job, (draft) => {
      draft.status = status;
      draft.completedAt = this.state.clock.now();
      if (message !== undefined) draft.message = message;
      delete draft.file;
    });
  }

  private async run(id: string): Promise<void> {
    const job = this.change(this.state.importJobs.get(id)! as Job, (draft) => {
      draft.status = 'InProgress';
    });
    try {
      await this.importFile(job);
    } catch (error) {
      const left = this.state.importJobs.get(id);
      if (!this.closed && left && isActive(left as Job)) this.end(job, 'Failed', (error as Error).message);
    }
  }

  private async importFile(job: Job): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.state.bodies.read(job.file!)) chunks.push(chunk);
    const lines = Buffer.concat(chunks).toString('utf8').split(/\r?\n/);
    const header = fieldsOf(lines[0] ?? '');
    const pool = this.state.pools.get(job.poolId)!;
    const problem = problemOfHeader(pool, header);
    if (problem !== undefined) throw new Error(problem);
    const { roleArn, poolId } = job;
    await logsRole.check(roleArn, this.state, { RoleSessionName: job.id, sourceArn: this.state.poolArn(poolId) });
    const rows = lines.slice(1).map((line, index) => ({ line, number: index + 2 }));
    const full = rows.filter(({ line }) => line.trim() !== '');
    if (full.length > MAX_ROWS) throw new Error('The CSV file has more than 500,000 users.');
    for (let at = 0; at < full.length; at += AT_ONCE) {
      if (!this.isRunning(job)) return;
      await this.importRows(job, header, full.slice(at, at + AT_ONCE));
    }
    if (this.isRunning(job)) this.end(job, 'Succeeded', 'Import Job Completed Successfully.');
  }

  private isRunning(job: Job): boolean {
    return !this.closed && this.state.importJobs.get(job.id)?.status === 'InProgress';
  }

  private async importRows(job: Job, header: string[], rows: { line: string; number: number }[]): Promise<void> {
    const { state } = this;
    const count = { SUCCEEDED: 0, SKIPPED: 0, FAILED: 0 };
    const log: { timestamp: number; message: string }[] = [];
    const pool = state.pools.get(job.poolId);
    if (!pool) return;
    const slices = new Slices();
    for (const { line, number } of rows) {
      const fields = fieldsOf(line);
      const outcome =
        line.length > MAX_ROW_LENGTH || fields.length !== header.length
          ? { kind: 'FAILED' as const, reason: 'The row does not have the columns of the header.' }
          : importRow(pool, Object.fromEntries(header.map((name, index) => [name, fields[index]!])), state);
      count[outcome.kind]++;
      log.push({
        timestamp: state.clock.now(),
        message: `[${outcome.kind}] Line Number ${number} - ${outcome.reason}`,
      });
      const pause = slices.pause();
      if (pause) await pause;
      if (!this.isRunning(job)) break;
    }
    if (!state.importJobs.has(job.id)) return;
    this.change(job, (draft) => {
      draft.imported += count.SUCCEEDED;
      draft.skipped += count.SKIPPED;
      draft.failed += count.FAILED;
    });
    const group = `/aws/cognito/userpools/${pool.id}/${pool.name}`;
    const { accountId, region } = state;
    const writer = await state.service.capability(logWriter);
    await writer?.write({ accountId, region, group, stream: `${job.id}/${job.name}` }, log);
  }
}

const isActive = ({ status }: { status: ImportJobRecord['status'] }): boolean =>
  status === 'Pending' || status === 'InProgress';

const signatureOf = ({ secret, id }: Job): string => createHmac('sha256', secret).update(id).digest('hex');

const ofStates = new WeakMap<CognitoState, Imports>();

/** Returns the import jobs of a state. */
export function importsOf(state: CognitoState): Imports {
  let imports = ofStates.get(state);
  if (!imports) {
    imports = new Imports(state);
    ofStates.set(state, imports);
  }
  return imports;
}

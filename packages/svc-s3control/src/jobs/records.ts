import { defineCollection } from '@emu/core/service';
import type { CreateJobRequest, JobFailure, JobManifestLocation, JobStatus, S3Tag } from '@emu/service-types/s3control';

/** Operation and objects of a job: a request without token and tags. */
export type JobRequest = Omit<CreateJobRequest, 'AccountId' | 'ClientRequestToken' | 'Tags' | 'Priority'>;

/** A job of S3 Batch Operations. Times are epoch milliseconds. */
export interface JobRecord {
  id: string;
  /** The request as JSON text; see `requestOf`. */
  request: string;
  clientToken: string;
  priority: number;
  status: JobStatus;
  statusUpdateReason?: string;
  failures: JobFailure[];
  tags: S3Tag[];
  createdAt: number;
  /** Id of the creating request. */
  cause?: string;
  terminatedAt?: number;
  suspendedAt?: number;
  /** Id of the task list's body: on each line a JSON array of bucket, key and version. */
  tasks?: string;
  /** Size of the list in bytes. */
  size: number;
  /** Number of tasks; undefined before the list is read. */
  total?: number;
  succeeded: number;
  failed: number;
  /** Processed bytes of the list. */
  done: number;
  /** Ids of the result bodies: one report row per line, as JSON. */
  results: string[];
  /** Milliseconds spent on tasks. */
  active: number;
  /** Location of a generated manifest. */
  generated?: JobManifestLocation;
}

/** Jobs by id. */
export const jobCollection = defineCollection<JobRecord>('jobs', 'region', {
  bodies: ({ tasks, results }) => [...(tasks === undefined ? [] : [tasks]), ...results],
});

/** Request members that are times. */
const DATES: ReadonlySet<string> = new Set([
  'ModifiedSinceConstraint',
  'UnModifiedSinceConstraint',
  'ObjectLockRetainUntilDate',
  'HttpExpiresDate',
  'RetainUntilDate',
  'CreatedAfter',
  'CreatedBefore',
]);

/** Returns the request of a job, with times restored to dates. */
export function requestOf({ request }: Pick<JobRecord, 'request'>): JobRequest {
  return JSON.parse(request, (name, value: unknown) =>
    DATES.has(name) && typeof value === 'string' ? new Date(value) : value,
  ) as JobRequest;
}

/** One object of a job. */
export interface Task {
  bucket: string;
  key: string;
  versionId: string | undefined;
}

/** Result of a task: a row of the completion report. */
export interface TaskResult {
  succeeded: boolean;
  /** HTTP status of the task's request. */
  status: number;
  /** Empty on success. */
  code: string;
  message: string;
}

/** Returns the result of a permanently failed task. */
export const failure = (status: number, code: string, message: string): TaskResult => ({
  succeeded: false,
  status,
  code,
  message,
});

/** Returns the result of a successful task. */
export const success = (message = 'Successful'): TaskResult => ({ succeeded: true, status: 200, code: '', message });

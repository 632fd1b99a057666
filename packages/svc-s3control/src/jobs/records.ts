import { defineCollection } from '@emu/core/service';
import type { CreateJobRequest, JobFailure, JobManifestLocation, JobStatus, S3Tag } from '@emu/service-types/s3control';

/** What a job does and to what: a request without its token and tags. */
export type JobRequest = Omit<CreateJobRequest, 'AccountId' | 'ClientRequestToken' | 'Tags' | 'Priority'>;

/** A job of S3 Batch Operations. Points in time are epoch milliseconds. */
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
  /** Id of the request that created it. */
  cause?: string;
  terminatedAt?: number;
  suspendedAt?: number;
  /** Id of the body that lists the tasks, a JSON array of bucket, key and version on each line. */
  tasks?: string;
  /** Its bytes. */
  size: number;
  /** Tasks of the list; undefined until it has been read. */
  total?: number;
  succeeded: number;
  failed: number;
  /** Bytes of the list whose tasks have been done. */
  done: number;
  /** Ids of the bodies that tell what became of tasks, one row of the report on each line as JSON. */
  results: string[];
  /** Milliseconds in which tasks were done. */
  active: number;
  /** Where a generated list was written to. */
  generated?: JobManifestLocation;
}

/** Jobs by id. */
export const jobCollection = defineCollection<JobRecord>('jobs', 'region', {
  bodies: ({ tasks, results }) => [...(tasks === undefined ? [] : [tasks]), ...results],
});

/** Members of requests that are points in time. */
const DATES: ReadonlySet<string> = new Set([
  'ModifiedSinceConstraint',
  'UnModifiedSinceConstraint',
  'ObjectLockRetainUntilDate',
  'HttpExpiresDate',
  'RetainUntilDate',
  'CreatedAfter',
  'CreatedBefore',
]);

/** The request of a job, its points in time as dates again. */
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

/** What became of a task: a row of the completion report. */
export interface TaskResult {
  succeeded: boolean;
  /** HTTP status of the request that was made for the task. */
  status: number;
  /** Empty where the task succeeded. */
  code: string;
  message: string;
}

/** A task that failed for good. */
export const failure = (status: number, code: string, message: string): TaskResult => ({
  succeeded: false,
  status,
  code,
  message,
});

/** A task that succeeded. */
export const success = (message = 'Successful'): TaskResult => ({ succeeded: true, status: 200, code: '', message });

import type { Collection, DeepReadonly } from '@emu/core/service';
import type { jobStatusType } from '@emu/service-types/iam';

/** Milliseconds until a report is complete. */
export const JOB_DURATION = 1000;
/** Maximum number of stored jobs per kind and account. */
const MAX_JOBS = 100;

/** Progress of an access advisor job. */
export interface Progress {
  done: boolean;
  JobStatus: jobStatusType;
  JobCreationDate: Date;
  JobCompletionDate: Date;
}

/** Returns the progress of a job; an unfinished one has its start time as required end time. */
export function progressOf(
  { startedAt, readyAt }: DeepReadonly<{ startedAt: number; readyAt: number }>,
  now: number,
): Progress {
  const done = now >= readyAt;
  return {
    done,
    JobStatus: done ? 'COMPLETED' : 'IN_PROGRESS',
    JobCreationDate: new Date(startedAt),
    JobCompletionDate: new Date(done ? readyAt : startedAt),
  };
}

/** Evicts the oldest jobs to make room for one. */
export function dropOldest<T>(jobs: Collection<T>): void {
  if (jobs.size >= MAX_JOBS) jobs.delete(jobs.keys().next().value!);
}

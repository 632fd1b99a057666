import type { Collection, DeepReadonly } from '@emu/core/service';
import type { jobStatusType } from '@emu/service-types/iam';

/** Milliseconds that reports take to make. */
export const JOB_DURATION = 1000;
/** Most jobs of a kind that an account remembers. */
const MOST_JOBS = 100;

/** How far a job of access advisor is. */
export interface Progress {
  done: boolean;
  JobStatus: jobStatusType;
  JobCreationDate: Date;
  JobCompletionDate: Date;
}

/** How far a job is; one that is not done has the time it began as that of its end, because the member is required. */
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

/** Makes room for one more job. */
export function dropOldest<T>(jobs: Collection<T>): void {
  if (jobs.size >= MOST_JOBS) jobs.delete(jobs.keys().next().value!);
}

import type { Located, Timestamp } from './common.ts';

/** A job. */
export interface GlueJob extends Located {
  name: string;
  role: string;
  /** e.g. `glueetl`. */
  command: string;
  scriptLocation?: string;
  glueVersion?: string;
  workerType?: string;
  numberOfWorkers?: number;
  createdOn: Timestamp;
  lastModifiedOn: Timestamp;
}

/** A run of a job. */
export interface GlueJobRun extends Located {
  id: string;
  jobName: string;
  attempt: number;
  jobRunState: string;
  arguments: Record<string, string>;
  errorMessage?: string;
  startedOn: Timestamp;
  completedOn?: Timestamp;
  /** Seconds. */
  executionTime: number;
}

/** A crawler. */
export interface GlueCrawler extends Located {
  name: string;
  role: string;
  databaseName?: string;
  state: 'READY' | 'RUNNING' | 'STOPPING';
  /** Number of its targets by kind, e.g. `{ s3: 2 }`. */
  targets: Record<string, number>;
  createdAt: Timestamp;
  lastUpdatedAt: Timestamp;
  lastCrawlAt?: Timestamp;
}

import type { GlueCrawler, GlueJob, GlueJobRun } from '../records/glue.ts';
import { json, type MethodsOf, type RoutesOf } from '../table.ts';

/** Control routes of Glue. */
export const glue = {
  /** Lists the jobs of all accounts. `GET /_emulator/glue/jobs` */
  jobs: json<{ jobs: GlueJob[] }>()('GET /_emulator/glue/jobs'),

  /**
   * Lists job runs. `GET /_emulator/glue/job-runs`
   * @param jobName only the runs of this job
   */
  jobRuns: json<{ jobRuns: GlueJobRun[] }>()(
    'GET /_emulator/glue/job-runs',
    (jobName?: string): { query?: { job_name?: string } } => ({
      query: { job_name: jobName },
    }),
  ),

  /** Lists crawlers by account and name. `GET /_emulator/glue/crawlers` */
  crawlers: json<{ crawlers: GlueCrawler[] }>()('GET /_emulator/glue/crawlers'),
};

/** Methods for the control routes of Glue. */
export interface GlueControl extends MethodsOf<typeof glue> {}

/** Control routes of Glue by name. */
export type GlueRoutes = RoutesOf<typeof glue>;

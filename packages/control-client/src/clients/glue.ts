import type { GlueCrawler, GlueJob, GlueJobRun } from '../routes/glue.ts';
import { AreaControl } from './area.ts';

/** Control routes of Glue. */
export class GlueControl extends AreaControl {
  /** Lists the jobs of all accounts. `GET /_emulator/glue/jobs` */
  jobs(): Promise<{ jobs: GlueJob[] }> {
    return this.transport.json('GET /_emulator/glue/jobs');
  }

  /**
   * Lists job runs. `GET /_emulator/glue/job-runs`
   * @param jobName only the runs of this job
   */
  jobRuns(jobName?: string): Promise<{ jobRuns: GlueJobRun[] }> {
    return this.transport.json('GET /_emulator/glue/job-runs', { query: { job_name: jobName } });
  }

  /** Lists crawlers by account and name. `GET /_emulator/glue/crawlers` */
  crawlers(): Promise<{ crawlers: GlueCrawler[] }> {
    return this.transport.json('GET /_emulator/glue/crawlers');
  }
}

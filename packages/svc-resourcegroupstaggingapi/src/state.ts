import type { StateScope, Worker, WorkingState } from '@emu/core/service';
import { Reports } from './report/reports.ts';

/** State of the tagging API for one account and region: its report. The services store the tags. */
export class TaggingState implements WorkingState {
  readonly workers: readonly Worker[];
  readonly reports: Reports;

  constructor(scope: StateScope) {
    this.reports = new Reports(scope);
    this.workers = [this.reports];
  }
}

/** Creates the state of an account and region. */
export const createState = (scope: StateScope): TaggingState => new TaggingState(scope);

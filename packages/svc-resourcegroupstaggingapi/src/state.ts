import type { StateScope, Worker, WorkingState } from '@emu/core';
import { Reports } from './report/reports.ts';

/** What the tagging API keeps of one account and region: its report. Tags are kept by the services. */
export class TaggingState implements WorkingState {
  readonly workers: readonly Worker[];
  readonly reports: Reports;

  constructor(scope: StateScope) {
    this.reports = new Reports(scope);
    this.workers = [this.reports];
  }
}

/** Makes the state of an account and region. */
export const createState = (scope: StateScope): TaggingState => new TaggingState(scope);

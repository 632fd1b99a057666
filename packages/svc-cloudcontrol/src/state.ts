import type { StateScope, Worker, WorkingState } from '@emu/core/service';
import { Applied } from './requests/applied.ts';
import { Requests } from './requests/requests.ts';
import { Runner } from './requests/runner.ts';

/** State of Cloud Control for one account and region: its requests. The services store the resources. */
export class CloudControlState implements WorkingState {
  readonly workers: readonly Worker[];
  readonly requests: Requests;
  readonly applied: Applied;
  readonly runner: Runner;

  constructor(readonly scope: StateScope) {
    this.requests = new Requests(scope);
    this.applied = new Applied(scope);
    this.runner = new Runner(scope, this.requests, this.applied);
    this.workers = [this.runner];
  }
}

/** Creates the state of an account and region. */
export const createState = (scope: StateScope): CloudControlState => new CloudControlState(scope);

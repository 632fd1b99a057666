import type { Collection, StateScope, Worker, WorkingState } from '@emu/core/service';
import { AutomaticManagement } from './automatic/management.ts';
import {
  type ReportRecord,
  type RequestRecord,
  reportCollection,
  requestCollection,
  type TagsRecord,
  tagsCollection,
} from './records.ts';
import type { QuotasRegistry } from './registry.ts';

/** State of Service Quotas for one account and region. core stores the applied values: see `quotaDirectory`. */
export class ServicequotasState implements QuotasRegistry, WorkingState {
  readonly workers: readonly Worker[];
  readonly accountId: string;
  readonly region: string;
  readonly requests: Collection<RequestRecord>;
  readonly tags: Collection<TagsRecord>;
  readonly reports: Collection<ReportRecord>;
  readonly management: AutomaticManagement;

  constructor(readonly scope: StateScope) {
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.requests = scope.collection(requestCollection);
    this.tags = scope.collection(tagsCollection);
    this.reports = scope.collection(reportCollection);
    this.management = new AutomaticManagement(this);
    this.workers = [this.management];
  }
}

/** Creates the state of an account and region. */
export function createState(scope: StateScope): ServicequotasState {
  return new ServicequotasState(scope);
}

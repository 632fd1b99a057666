import type { Collection, DeepReadonly, StateScope, Worker, WorkingState } from '@emu/core/service';
import {
  type GroupingRecord,
  type GroupRecord,
  groupCollection,
  groupingCollection,
  type TagSyncTaskRecord,
} from './records.ts';

/** A stored group. */
export type Group = DeepReadonly<GroupRecord>;
/** A stored tag-sync task. */
export type TagSyncTask = DeepReadonly<TagSyncTaskRecord>;

/** Tag-sync tasks of an account and region, with their synchronization. */
export interface TagSyncTasks extends Worker {
  get(id: string): TagSyncTask | undefined;
  /** Returns all tasks by id. */
  all(): TagSyncTask[];
  /** Starts a task and adds the existing resources. */
  start(record: TagSyncTaskRecord): Promise<TagSyncTask>;
  cancel(id: string): void;
  /** Ends the tasks of a deleted group. */
  cancelOf(group: string): void;
}

/** Limit of stored grouping outcomes per application group. The oldest are evicted first. */
const MAX_GROUPINGS = 1000;

/** State of Resource Groups for one account and region. */
export class GroupsState implements WorkingState {
  readonly workers: readonly Worker[];
  readonly tagSync: TagSyncTasks;
  readonly accountId: string;
  readonly region: string;
  readonly groups: Collection<GroupRecord>;
  private readonly groupings: Collection<GroupingRecord>;
  private readonly groupingsOf = new Map<string, Map<string, DeepReadonly<GroupingRecord>>>();

  /** @param syncs creates the synchronization of tasks, which records grouping outcomes */
  constructor(scope: StateScope, syncs: (keep: (grouping: GroupingRecord) => void) => TagSyncTasks) {
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.groups = scope.collection(groupCollection);
    this.groupings = scope.collection(groupingCollection);
    for (const record of this.groupings.values()) this.index(record);
    this.tagSync = syncs((grouping) => this.keepGrouping(grouping));
    this.workers = [this.tagSync];
  }

  /** Returns the grouping outcomes of a group by ARN, the latest last. */
  groupingsIn(group: string): ReadonlyMap<string, DeepReadonly<GroupingRecord>> {
    return this.groupingsOf.get(group) ?? new Map();
  }

  /** Stores the outcome of a resource's grouping and replaces an earlier one. */
  keepGrouping(record: GroupingRecord): void {
    this.index(this.groupings.put(keyOf(record), record));
    const [oldest] = this.groupingsIn(record.group).values();
    if (oldest && this.groupingsIn(record.group).size > MAX_GROUPINGS) this.discard(oldest);
  }

  /** Deletes a group and its grouping outcomes. */
  remove(name: string): void {
    for (const record of [...this.groupingsIn(name).values()]) this.discard(record);
    this.tagSync.cancelOf(name);
    this.groups.delete(name);
  }

  private index(record: DeepReadonly<GroupingRecord>): void {
    const groupings = this.groupingsOf.get(record.group) ?? new Map<string, DeepReadonly<GroupingRecord>>();
    this.groupingsOf.set(record.group, groupings);
    groupings.delete(record.arn);
    groupings.set(record.arn, record);
  }

  private discard(record: DeepReadonly<GroupingRecord>): void {
    this.groupings.delete(keyOf(record));
    const groupings = this.groupingsOf.get(record.group);
    groupings?.delete(record.arn);
    if (!groupings?.size) this.groupingsOf.delete(record.group);
  }
}

const keyOf = ({ group, arn }: { group: string; arn: string }): string => `${group} ${arn}`;

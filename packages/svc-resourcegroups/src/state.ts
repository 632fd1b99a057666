import type { Collection, DeepReadonly, StateScope, Worker, WorkingState } from '@emu/core';
import {
  type GroupingRecord,
  type GroupRecord,
  groupCollection,
  groupingCollection,
  type TagSyncTaskRecord,
} from './records.ts';

/** A group, to be read only. */
export type Group = DeepReadonly<GroupRecord>;
/** A tag-sync task, to be read only. */
export type TagSyncTask = DeepReadonly<TagSyncTaskRecord>;

/** The tag-sync tasks of an account and region, and what keeps to them. */
export interface TagSyncTasks extends Worker {
  get(id: string): TagSyncTask | undefined;
  /** Every task, by id. */
  all(): TagSyncTask[];
  /** Begins a task and brings in what there is. */
  start(record: TagSyncTaskRecord): Promise<TagSyncTask>;
  cancel(id: string): void;
  /** Ends the tasks of a group that is no more. */
  cancelOf(group: string): void;
}

/** How groupings went that an application group remembers; the oldest are forgotten first. */
const MOST_GROUPINGS = 1000;

/** What Resource Groups keeps of one account and region. */
export class GroupsState implements WorkingState {
  readonly workers: readonly Worker[];
  readonly tagSync: TagSyncTasks;
  readonly accountId: string;
  readonly region: string;
  readonly groups: Collection<GroupRecord>;
  private readonly groupings: Collection<GroupingRecord>;
  private readonly groupingsOf = new Map<string, Map<string, DeepReadonly<GroupingRecord>>>();

  /** @param syncs makes what keeps to tag-sync tasks and notes how groupings went */
  constructor(scope: StateScope, syncs: (keep: (grouping: GroupingRecord) => void) => TagSyncTasks) {
    this.accountId = scope.accountId;
    this.region = scope.region;
    this.groups = scope.collection(groupCollection);
    this.groupings = scope.collection(groupingCollection);
    for (const record of this.groupings.values()) this.index(record);
    this.tagSync = syncs((grouping) => this.keepGrouping(grouping));
    this.workers = [this.tagSync];
  }

  /** The groupings of a group by ARN, the latest last. */
  groupingsIn(group: string): ReadonlyMap<string, DeepReadonly<GroupingRecord>> {
    return this.groupingsOf.get(group) ?? new Map();
  }

  /** Keeps how the grouping of a resource went, in the place of the one before. */
  keepGrouping(record: GroupingRecord): void {
    this.index(this.groupings.put(keyOf(record), record));
    const [oldest] = this.groupingsIn(record.group).values();
    if (oldest && this.groupingsIn(record.group).size > MOST_GROUPINGS) this.forget(oldest);
  }

  /** Removes a group and what is known of its groupings. */
  remove(name: string): void {
    for (const record of [...this.groupingsIn(name).values()]) this.forget(record);
    this.tagSync.cancelOf(name);
    this.groups.delete(name);
  }

  private index(record: DeepReadonly<GroupingRecord>): void {
    const groupings = this.groupingsOf.get(record.group) ?? new Map<string, DeepReadonly<GroupingRecord>>();
    this.groupingsOf.set(record.group, groupings);
    groupings.delete(record.arn);
    groupings.set(record.arn, record);
  }

  private forget(record: DeepReadonly<GroupingRecord>): void {
    this.groupings.delete(keyOf(record));
    const groupings = this.groupingsOf.get(record.group);
    groupings?.delete(record.arn);
    if (!groupings?.size) this.groupingsOf.delete(record.group);
  }
}

const keyOf = ({ group, arn }: { group: string; arn: string }): string => `${group} ${arn}`;

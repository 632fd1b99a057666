import {
  type Collection,
  resourceDirectory,
  roleSessionPrincipal,
  type StateScope,
  type Timer,
} from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { APPLICATION_TAG } from './application.ts';
import { find } from './query/members.ts';
import { parseQuery } from './query/parse.ts';
import type { QueryContext } from './query/query-context.ts';
import { type GroupingRecord, type TagSyncTaskRecord, tagSyncTaskCollection } from './records.ts';
import { groupType } from './resources.ts';
import type { TagSyncTasks, TagSyncTask as Task } from './state.ts';

/** Emulated milliseconds between two synchronizations. */
const INTERVAL = 60_000;
const SESSION = 'ResourceGroupsTagSync';

/** Synchronizes the members of applications with the resources of their tag-sync tasks, as the tasks' roles. */
export class TagSync implements TagSyncTasks {
  private readonly tasks: Collection<TagSyncTaskRecord>;
  private timer: Timer | undefined;
  private isClosed = false;

  /** @param keep stores the outcome of a resource's grouping */
  constructor(
    private readonly scope: StateScope,
    private readonly keep: (grouping: GroupingRecord) => void,
  ) {
    this.tasks = scope.collection(tagSyncTaskCollection);
  }

  resume(): void {
    this.schedule();
  }

  close(): void {
    this.isClosed = true;
    this.timer?.cancel();
  }

  get(id: string): Task | undefined {
    return this.tasks.get(id);
  }

  all(): Task[] {
    return [...this.tasks.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async start(record: TagSyncTaskRecord): Promise<Task> {
    this.tasks.put(record.id, record);
    await this.sync(record.id);
    this.schedule();
    return this.tasks.get(record.id) ?? record;
  }

  cancel(id: string): void {
    this.tasks.delete(id);
    this.schedule();
  }

  cancelOf(group: string): void {
    for (const { id, group: own } of this.all()) if (own === group) this.cancel(id);
  }

  /** Synchronizes every minute while a task exists. */
  private schedule(): void {
    if (this.tasks.size === 0 || this.isClosed) {
      this.timer?.cancel();
      this.timer = undefined;
    } else this.timer ??= this.scope.clock.every(INTERVAL, () => this.syncAll());
  }

  private async syncAll(): Promise<void> {
    for (const { id } of this.all()) await this.sync(id);
  }

  private async sync(id: string): Promise<void> {
    const task = this.tasks.get(id);
    if (!task) return;
    const members = new Set(task.members);
    let problem: string | undefined;
    try {
      problem = await this.change(task, members);
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      problem = error.message;
    }
    if (!this.tasks.has(id) || this.isClosed) return;
    this.tasks.update(id, (draft) => {
      draft.members = [...members];
      if (problem === undefined) delete draft.errorMessage;
      else draft.errorMessage = problem.slice(0, 1024);
    });
  }

  /**
   * Tags the resources that a task selects and untags those that it no longer selects.
   * @param members resources added by the task; updated
   * @returns the first error
   */
  private async change(task: Task, members: Set<string>): Promise<string | undefined> {
    const { accountId, region } = this.scope;
    const directory = (await this.scope.service.capability(resourceDirectory))!;
    const arn = groupType.arn({ name: task.group }, this.scope);
    const wanted = new Set(await this.found(task));
    let problem: string | undefined;
    const attempt = async (resource: string, action: 'GROUP' | 'UNGROUP'): Promise<boolean> => {
      const tagging = await directory.tagging(resource, accountId, region);
      if (!tagging) return false;
      const call = action === 'GROUP' ? tagging.tag({ [APPLICATION_TAG]: arn }) : tagging.untag([APPLICATION_TAG]);
      const grouping = { group: task.group, arn: resource, action, updatedAt: this.scope.clock.now() };
      try {
        await this.scope.callJson(tagging.service, call.operation, call.input, this.as(task));
        this.keep({ ...grouping, status: 'SUCCESS' });
        return true;
      } catch (error) {
        if (!(error instanceof AwsError)) throw error;
        problem ??= error.message;
        this.keep({ ...grouping, status: 'FAILED', errorCode: error.code, errorMessage: error.message });
        return false;
      }
    };
    for (const resource of wanted) {
      const application = directory.find(resource, accountId, region)?.tags?.[APPLICATION_TAG];
      // A resource belongs to one application, so those of others are skipped.
      if (application === undefined && (await attempt(resource, 'GROUP'))) members.add(resource);
    }
    for (const resource of [...members]) {
      const known = directory.find(resource, accountId, region);
      if (known && wanted.has(resource)) continue;
      if (known?.tags?.[APPLICATION_TAG] !== arn || (await attempt(resource, 'UNGROUP'))) members.delete(resource);
    }
    return problem;
  }

  /** Returns the ARNs of the resources that a task selects. */
  private async found({ tagKey, tagValue, query, ...task }: Task): Promise<string[]> {
    const { scope } = this;
    const ctx: QueryContext = {
      accountId: scope.accountId,
      region: scope.region,
      capability: (wanted) => scope.service.capability(wanted),
      call: (service, operation, input) => scope.call(service, operation, input, this.as(task)),
    };
    const wanted = query
      ? parseQuery(query)
      : { types: undefined, by: { tags: [{ key: tagKey!, values: [tagValue!] }] } };
    return (await find(wanted, ctx)).resources.map(({ ResourceArn }) => ResourceArn!);
  }

  /** The role is the caller. */
  private as({ roleArn }: Pick<Task, 'roleArn'>) {
    return { principal: roleSessionPrincipal(roleArn, SESSION), authorize: {} };
  }
}

import { type Collection, type DeepReadonly, DueTimers, type StateScope, type Worker } from '@emu/core/service';
import {
  type ExecutionRecord,
  executionCollection,
  type TaskExecutionRecord,
  taskExecutionCollection,
  type WindowRecord,
  type WindowTargetRecord,
  type WindowTaskRecord,
  windowCollection,
  windowTargetCollection,
  windowTaskCollection,
} from './records.ts';
import { nextOpening } from './timing.ts';

export type Window = DeepReadonly<WindowRecord>;
export type WindowTarget = DeepReadonly<WindowTargetRecord>;
export type WindowTask = DeepReadonly<WindowTaskRecord>;
export type Execution = DeepReadonly<ExecutionRecord>;
export type TaskExecution = DeepReadonly<TaskExecutionRecord>;

/** Retention of executions, in milliseconds. */
const RETENTION = 30 * 86_400_000;

/** Maintenance windows of an account and region, with their schedules. */
export class WindowStore implements Worker {
  readonly windows: Collection<WindowRecord>;
  readonly targets: Collection<WindowTargetRecord>;
  readonly tasks: Collection<WindowTaskRecord>;
  readonly executions: Collection<ExecutionRecord>;
  readonly taskExecutions: Collection<TaskExecutionRecord>;
  private readonly timers: DueTimers;

  /** @param open runs a window at its scheduled time */
  constructor(
    private readonly scope: StateScope,
    private readonly open: (window: Window) => Promise<void>,
  ) {
    this.windows = scope.collection(windowCollection);
    this.targets = scope.collection(windowTargetCollection);
    this.tasks = scope.collection(windowTaskCollection);
    this.executions = scope.collection(executionCollection);
    this.taskExecutions = scope.collection(taskExecutionCollection);
    this.timers = new DueTimers(scope.clock);
  }

  resume(): void {
    for (const { id } of this.windows.values()) this.watch(id);
  }

  close(): void {
    this.timers.cancelAll();
  }

  /** Sets the timer for a window's next opening; clears it if there is none. */
  watch(id: string): void {
    const window = this.windows.get(id);
    const now = this.scope.clock.now();
    const due = window && nextOpening(window, Math.max(now, window.ranFor ?? 0));
    if (due === undefined) this.timers.cancel(id);
    else
      this.timers.set(id, due, () => {
        const opened = this.windows.update(id, (draft) => {
          draft.ranFor = due;
        });
        this.evictOld();
        this.watch(id);
        return this.open(opened);
      });
  }

  /** Deletes a window with its targets and tasks; running executions continue. */
  delete(id: string): void {
    this.windows.delete(id);
    this.timers.cancel(id);
    for (const { id: target } of this.targetsOf(id)) this.targets.delete(target);
    for (const { id: task } of this.tasksOf(id)) this.tasks.delete(task);
  }

  targetsOf(windowId: string): WindowTarget[] {
    return [...this.targets.values()].filter((target) => target.windowId === windowId);
  }

  tasksOf(windowId: string): WindowTask[] {
    return [...this.tasks.values()].filter((task) => task.windowId === windowId);
  }

  executionsOf(windowId: string): Execution[] {
    return [...this.executions.values()].filter((execution) => execution.windowId === windowId);
  }

  private evictOld(): void {
    const since = this.scope.clock.now() - RETENTION;
    for (const { id, endedAt, taskIds } of [...this.executions.values()]) {
      if (endedAt === undefined || endedAt > since) continue;
      for (const task of taskIds) this.taskExecutions.delete(task);
      this.executions.delete(id);
    }
  }
}

import { type InterruptedWork, interruptedRecords, type StateScope, type Worker } from '@emu/core/service';
import type { AlarmStateInformation, MaintenanceWindowExecutionStatus } from '@emu/service-types/ssm';
import { triggeredAlarms } from '../alarms.ts';
import { errorText } from '../errors.ts';
import { asSsm, type EventType } from '../parameters/events.ts';
import { Pollers } from '../pollers.ts';
import { concurrencyOf, tooManyErrors } from '../rate-control.ts';
import { type Call, callOf, cancelCommand, type Outcome, outcomeOf } from './calls.ts';
import { invocationsOf, isOver, type NodeFinder, pseudoValues, statusOfAll } from './progress.ts';
import type { ExecutionRecord, InvocationRecord, WindowTaskRecord } from './records.ts';
import type { Execution, TaskExecution, Window, WindowStore, WindowTask } from './store.ts';

const HOUR = 3_600_000;

/** Sends an event of an execution. */
export type WindowEvent = (detailType: EventType, execution: Execution, detail: object) => void;

/**
 * Runs the tasks of open windows: priorities in sequence, tasks of one priority in parallel. The next action depends
 * only on the records, so that an execution continues after a restart.
 */
export class WindowRunner implements Worker {
  private readonly looks: Pollers;
  /** Ids of the tasks whose alarms are polled until the task ends. */
  private readonly watched = new Set<string>();
  private closed = false;

  constructor(
    private readonly scope: StateScope,
    private readonly store: () => WindowStore,
    private readonly announce: WindowEvent,
    private readonly findNodes: NodeFinder,
  ) {
    this.looks = new Pollers(scope.clock);
  }

  interrupted(): InterruptedWork[] {
    return interruptedRecords(this.store().executions, {
      name: ({ id }) => `execution ${id} of a maintenance window`,
      isLeft: ({ endedAt }) => endedAt === undefined,
      resume: ({ id, taskIds }) => {
        // An execution that was not prepared before the restart is dropped.
        if (taskIds.every((task) => this.store().taskExecutions.has(task))) this.resumeOne(id);
        else this.end(id, 'FAILED', 'The execution was interrupted by a restart.');
        return undefined;
      },
      fail: ({ id }, reason) => this.end(id, 'FAILED', reason),
    });
  }

  close(): void {
    this.closed = true;
    this.looks.cancelAll();
  }

  /** Starts an execution of a window, unless one is running. */
  async open(window: Window): Promise<void> {
    const { ids, clock } = this.scope;
    const store = this.store();
    const now = clock.now();
    const running = store.executionsOf(window.id).some(({ endedAt }) => endedAt === undefined);
    const tasks = running ? [] : [...store.tasksOf(window.id)].sort((a, b) => a.priority - b.priority);
    const execution: ExecutionRecord = {
      id: ids.uuid(),
      windowId: window.id,
      status: 'PENDING',
      startedAt: now,
      cutoffAt: now + (window.duration - window.cutoff) * HOUR,
      taskIds: tasks.map(() => ids.uuid()),
    };
    store.executions.put(execution.id, execution);
    if (running) {
      this.end(execution.id, 'SKIPPED_OVERLAPPING', 'The window was still running from an earlier time.');
      return;
    }
    await this.prepare(execution, tasks);
  }

  /** Resolves the targets of an execution's tasks and starts it. */
  private async prepare(execution: ExecutionRecord, tasks: readonly WindowTask[]): Promise<void> {
    const { ids } = this.scope;
    const store = this.store();
    for (const [index, task] of tasks.entries()) {
      const id = execution.taskIds[index]!;
      const invocations = await invocationsOf(task, store, ids, this.findNodes);
      if (this.closed || !store.executions.has(execution.id)) return;
      store.taskExecutions.put(id, {
        id,
        executionId: execution.id,
        windowId: execution.windowId,
        // A copy is not needed: parts of a record are immutable.
        task: task as WindowTaskRecord,
        status: 'PENDING',
        invocations,
      });
    }
    if (store.executions.get(execution.id)!.status === 'PENDING')
      this.announceExecution(
        store.executions.update(execution.id, (draft) => {
          draft.status = 'IN_PROGRESS';
        }),
      );
    this.step(execution.id);
  }

  /** Starts no further work of an execution; running work continues to its end. */
  cancel(id: string): void {
    this.store().executions.update(id, (draft) => {
      draft.status = 'CANCELLING';
    });
    this.announceExecution(this.store().executions.get(id)!);
    this.step(id);
  }

  private resumeOne(id: string): void {
    for (const task of this.tasksOf(id))
      task.invocations.forEach((invocation, index) => {
        if (invocation.status !== 'IN_PROGRESS') return;
        if (invocation.executionId === undefined)
          this.settle(task.id, index, { status: 'FAILED', details: 'The call was interrupted by a restart.' });
        else this.look(task.id, index);
      });
    this.step(id);
  }

  private tasksOf(executionId: string): TaskExecution[] {
    const { executions, taskExecutions } = this.store();
    return (executions.get(executionId)?.taskIds ?? []).flatMap((id) => taskExecutions.get(id) ?? []);
  }

  /** Performs the next actions of an execution. */
  private step(executionId: string): void {
    if (this.closed) return;
    const execution = this.store().executions.get(executionId);
    if (!execution || execution.endedAt !== undefined) return;
    const now = this.scope.clock.now();
    const stop: Outcome | undefined =
      execution.status === 'CANCELLING'
        ? { status: 'CANCELLED', details: 'The execution was cancelled.' }
        : now >= execution.cutoffAt
          ? { status: 'TIMED_OUT', details: 'The cutoff of the window was reached.' }
          : undefined;
    for (const task of this.tasksOf(executionId)) if (stop && !isOver(task)) this.stopTask(task, stop);
    const open = this.tasksOf(executionId).filter((task) => !isOver(task));
    if (!open.length) {
      const { status, details } = statusOfAll(this.tasksOf(executionId), execution.status === 'CANCELLING');
      this.end(executionId, status, details);
      return;
    }
    if (!stop) this.looks.at(executionId, execution.cutoffAt, () => this.step(executionId));
    const first = Math.min(...open.map(({ task }) => task.priority));
    for (const { id, task } of open) if (task.priority === first) this.advance(id);
    // A task without invocations ends immediately, and the next one can start.
    if (this.tasksOf(executionId).some((task) => isOver(task) && open.some(({ id }) => id === task.id)))
      this.step(executionId);
  }

  /** Ends the pending invocations of a task; at the cutoff also its commands, if configured, and at an alarm. */
  private stopTask({ id, status, task, invocations, triggeredAlarms: alarms }: TaskExecution, stop: Outcome): void {
    const cutoff = stop.status === 'TIMED_OUT';
    if (status !== 'PENDING' && cutoff && task.cutoffBehavior !== 'CANCEL_TASK') return;
    const commands = (cutoff || alarms !== undefined) && task.type === 'RUN_COMMAND';
    invocations.forEach((invocation, index) => {
      if (invocation.status === 'PENDING') this.settle(id, index, stop);
      else if (invocation.status === 'IN_PROGRESS' && commands && invocation.executionId) {
        void cancelCommand(invocation as InvocationRecord, this.scope).catch((error: unknown) =>
          this.scope.log.warn(`command ${invocation.executionId} could not be cancelled`, { error }),
        );
        this.settle(id, index, stop);
      }
    });
    this.endTaskIfDone(id, stop);
  }

  /** Starts the invocations of a task that its concurrency allows. */
  private advance(taskId: string): void {
    const store = this.store();
    let task = store.taskExecutions.get(taskId)!;
    if (task.status === 'PENDING') {
      task = store.taskExecutions.update(taskId, (draft) => {
        draft.status = 'IN_PROGRESS';
        draft.startedAt = this.scope.clock.now();
      });
      this.announceTask(task);
    }
    const { maxConcurrency, maxErrors, alarms } = task.task;
    if (alarms && !this.watched.has(taskId)) {
      this.watchAlarms(taskId);
      return;
    }
    const total = task.invocations.length;
    const failed = task.invocations.filter(({ status }) => status === 'FAILED' || status === 'TIMED_OUT').length;
    const stopped = tooManyErrors(maxErrors, failed, total);
    let running = task.invocations.filter(({ status }) => status === 'IN_PROGRESS').length;
    // A command handles the concurrency of its nodes itself; its targets run in sequence.
    const most = task.task.type === 'RUN_COMMAND' ? 1 : concurrencyOf(maxConcurrency, total);
    task.invocations.forEach(({ status }, index) => {
      if (status !== 'PENDING') return;
      if (stopped) this.settle(taskId, index, { status: 'CANCELLED', details: 'There were too many errors.' });
      else if (running < most) {
        running++;
        this.begin(taskId, index);
      }
    });
    this.endTaskIfDone(taskId, undefined);
  }

  /** Continues a task after checking that no alarm is in the state ALARM, and polls its alarms until it ends. */
  private watchAlarms(taskId: string): void {
    this.watched.add(taskId);
    void this.mayContinue(taskId).then((calm) => {
      if (!calm) return;
      this.looks.watch(`alarms ${taskId}`, async () => !(await this.mayContinue(taskId)));
      this.step(this.store().taskExecutions.get(taskId)!.executionId);
    });
  }

  /** Whether a task may continue; stops it if one of its alarms is in the state ALARM. */
  private async mayContinue(taskId: string): Promise<boolean> {
    const task = this.store().taskExecutions.get(taskId);
    const { accountId, region, log } = this.scope;
    let triggered: AlarmStateInformation[] = [];
    let details = 'An alarm of the task is in the state ALARM.';
    let calm = task !== undefined && !isOver(task);
    if (calm)
      try {
        triggered = await triggeredAlarms(task!.task.alarms!, this.scope, asSsm(accountId, region, task!.executionId));
        calm = triggered.length === 0;
      } catch (error) {
        log.warn(`the task ${taskId} of a maintenance window is stopped`, { error });
        details = errorText(error);
        calm = false;
      }
    const current = this.store().taskExecutions.get(taskId);
    if (this.closed || !current || isOver(current)) return false;
    if (calm) return true;
    const stopped = this.store().taskExecutions.update(taskId, (draft) => {
      draft.triggeredAlarms = triggered;
    });
    this.stopTask(stopped, { status: 'CANCELLED', details });
    this.step(stopped.executionId);
    return false;
  }

  private begin(taskId: string, index: number): void {
    const task = this.store().taskExecutions.get(taskId)!;
    const invocation = task.invocations[index]! as InvocationRecord;
    let call: Call;
    try {
      call = callOf(task.task as WindowTaskRecord, invocation, pseudoValues(task, invocation), this.scope);
    } catch (error) {
      this.settle(taskId, index, { status: 'FAILED', details: errorText(error) });
      return;
    }
    const begun = this.store().taskExecutions.update(taskId, (draft) => {
      const own = draft.invocations[index]!;
      own.status = 'IN_PROGRESS';
      own.startedAt = this.scope.clock.now();
      own.parameters = call.parameters;
    });
    this.announceInvocation(begun, index);
    void this.attempt(() => call.begin()).then((outcome) => {
      if (this.closed || !this.store().taskExecutions.has(taskId)) return;
      this.settle(taskId, index, outcome);
      if (outcome.status === 'IN_PROGRESS') this.look(taskId, index);
      else this.step(task.executionId);
    });
  }

  private async attempt(work: () => Promise<Outcome>): Promise<Outcome> {
    try {
      return await work();
    } catch (error) {
      return { status: 'FAILED', details: errorText(error) };
    }
  }

  /** Polls later for the outcome of an invocation. */
  private look(taskId: string, index: number): void {
    this.looks.watch(`${taskId} ${index}`, async () => {
      const task = this.store().taskExecutions.get(taskId);
      const invocation = task?.invocations[index];
      if (invocation?.status !== 'IN_PROGRESS') return true;
      const outcome = await this.attempt(() =>
        outcomeOf(task!.task as WindowTaskRecord, invocation as InvocationRecord, this.scope),
      );
      if (this.closed || this.store().taskExecutions.get(taskId)?.invocations[index]?.status !== 'IN_PROGRESS')
        return true;
      if (outcome.status === 'IN_PROGRESS') return false;
      this.settle(taskId, index, outcome);
      this.step(task!.executionId);
      return true;
    });
  }

  /** Records the outcome of an invocation. */
  private settle(taskId: string, index: number, { status, details, executionId }: Outcome): void {
    const task = this.store().taskExecutions.update(taskId, (draft) => {
      const invocation = draft.invocations[index]!;
      invocation.status = status;
      invocation.details = details?.slice(0, 250);
      invocation.executionId = executionId ?? invocation.executionId;
      if (status !== 'IN_PROGRESS') invocation.endedAt = this.scope.clock.now();
    });
    if (status !== 'IN_PROGRESS') this.announceInvocation(task, index);
  }

  private endTaskIfDone(taskId: string, stop: Outcome | undefined): void {
    const task = this.store().taskExecutions.get(taskId)!;
    if (!task.invocations.every(isOver)) return;
    this.watched.delete(taskId);
    this.looks.cancel(`alarms ${taskId}`);
    const { status, details } = task.status === 'PENDING' && stop ? stop : statusOfAll(task.invocations, false);
    const ended = this.store().taskExecutions.update(taskId, (draft) => {
      draft.status = status;
      draft.details = draft.invocations.length ? details : (stop?.details ?? 'No invocations to execute.');
      draft.endedAt = this.scope.clock.now();
    });
    this.announceTask(ended);
  }

  private end(id: string, status: MaintenanceWindowExecutionStatus, details: string | undefined): void {
    this.looks.cancel(id);
    const ended = this.store().executions.update(id, (draft) => {
      draft.status = status;
      draft.details = details;
      draft.endedAt = this.scope.clock.now();
    });
    this.announceExecution(ended);
  }

  private announceExecution(execution: Execution): void {
    this.announce('Maintenance Window Execution State-change Notification', execution, timesOf(execution));
  }

  private announceTask(task: TaskExecution): void {
    const execution = this.store().executions.get(task.executionId)!;
    this.announce('Maintenance Window Task Execution State-change Notification', execution, {
      'task-execution-id': task.id,
      ...timesOf(task),
    });
  }

  private announceInvocation(task: TaskExecution, index: number): void {
    const execution = this.store().executions.get(task.executionId)!;
    const invocation = task.invocations[index]!;
    this.announce('Maintenance Window Task Target Invocation State-change Notification', execution, {
      'task-execution-id': task.id,
      ...timesOf(invocation),
      'window-target-id': invocation.windowTargetId,
      'owner-information': invocation.ownerInformation,
    });
  }
}

const timesOf = ({
  status,
  startedAt,
  endedAt,
}: Pick<Execution, 'status' | 'endedAt'> & { startedAt?: number | undefined }) => ({
  ...(startedAt !== undefined && { 'start-time': new Date(startedAt).toISOString() }),
  ...(endedAt !== undefined && { 'end-time': new Date(endedAt).toISOString() }),
  status,
});

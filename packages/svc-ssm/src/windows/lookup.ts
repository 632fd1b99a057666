import type { AwsError } from '@emu/wire';
import type { SsmContext } from '../context.ts';
import { ssmError } from '../errors.ts';
import type { Execution, TaskExecution, Window, WindowTarget, WindowTask } from './store.ts';

const notThere = (message: string): AwsError => ssmError('DoesNotExistException', message);

/**
 * Returns a window by id.
 * @throws AwsError `DoesNotExistException`
 */
export function windowAt(id: string, { state }: SsmContext): Window {
  const window = state.windows.windows.get(id);
  if (!window) throw notThere(`Maintenance window ${id} does not exist.`);
  return window;
}

/**
 * Returns a target of a window.
 * @throws AwsError `DoesNotExistException`
 */
export function windowTargetAt(windowId: string, id: string, ctx: SsmContext): WindowTarget {
  windowAt(windowId, ctx);
  const target = ctx.state.windows.targets.get(id);
  if (target?.windowId !== windowId)
    throw notThere(`Window target ${id} does not exist in maintenance window ${windowId}.`);
  return target;
}

/**
 * Returns a task of a window.
 * @throws AwsError `DoesNotExistException`
 */
export function windowTaskAt(windowId: string, id: string, ctx: SsmContext): WindowTask {
  windowAt(windowId, ctx);
  const task = ctx.state.windows.tasks.get(id);
  if (task?.windowId !== windowId)
    throw notThere(`Window task ${id} does not exist in maintenance window ${windowId}.`);
  return task;
}

/**
 * Returns an execution of a window.
 * @throws AwsError `DoesNotExistException`
 */
export function executionAt(id: string, { state }: SsmContext): Execution {
  const execution = state.windows.executions.get(id);
  if (!execution) throw notThere(`Maintenance window execution ${id} does not exist.`);
  return execution;
}

/**
 * Returns the execution of a task.
 * @throws AwsError `DoesNotExistException`
 */
export function taskExecutionAt(executionId: string, taskId: string, ctx: SsmContext): TaskExecution {
  executionAt(executionId, ctx);
  const task = ctx.state.windows.taskExecutions.get(taskId);
  if (task?.executionId !== executionId)
    throw notThere(`Task ${taskId} does not exist in maintenance window execution ${executionId}.`);
  return task;
}

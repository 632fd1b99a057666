import type { Ids } from '@emu/core/service';
import type { MaintenanceWindowExecutionStatus, Target } from '@emu/service-types/ssm';
import type { Outcome } from './calls.ts';
import type { InvocationRecord } from './records.ts';
import type { TaskExecution, WindowStore, WindowTask } from './store.ts';
import type { PseudoValues } from './substitution.ts';

const WINDOW_TARGETS = 'WindowTargetIds';

/** Whether an execution, task or invocation has ended. */
export const isOver = ({ status }: { readonly status: MaintenanceWindowExecutionStatus }): boolean =>
  status !== 'PENDING' && status !== 'IN_PROGRESS' && status !== 'CANCELLING';

/** Returns the combined status of several executions. */
export function statusOfAll(
  parts: readonly { readonly status: MaintenanceWindowExecutionStatus }[],
  cancelled: boolean,
): Outcome {
  if (cancelled) return { status: 'CANCELLED' };
  if (!parts.length) return { status: 'SUCCESS', details: 'No tasks to execute.' };
  const any = (wanted: MaintenanceWindowExecutionStatus) => parts.some(({ status }) => status === wanted);
  if (any('FAILED')) return { status: 'FAILED', details: 'One or more tasks in the orchestration failed.' };
  if (any('TIMED_OUT')) return { status: 'TIMED_OUT' };
  return { status: any('CANCELLED') ? 'CANCELLED' : 'SUCCESS' };
}

/** Targets of a task, with the window target that they come from. */
interface Source {
  readonly windowTargetId?: string;
  readonly ownerInformation?: string | undefined;
  readonly targets: Target[];
}

function sourcesOf(task: WindowTask, store: WindowStore): Source[] {
  return task.targets.flatMap(({ Key, Values = [] }): Source[] => {
    if (Key !== WINDOW_TARGETS) return [{ targets: [{ Key, Values: [...Values] }] }];
    return Values.flatMap((id) => {
      const found = store.targets.get(id);
      if (!found) return [];
      const { ownerInformation, targets } = found;
      return [{ windowTargetId: id, ownerInformation, targets: targets as Target[] }];
    });
  });
}

/** Returns the node ids of targets: those that they name, existing or not, and those that match. */
export type NodeFinder = (targets: readonly Target[]) => Promise<string[]>;

/**
 * Returns the invocations of a task: for a command one per target, otherwise one per node, and one for a task without
 * targets.
 */
export async function invocationsOf(
  task: WindowTask,
  store: WindowStore,
  ids: Ids,
  find: NodeFinder,
): Promise<InvocationRecord[]> {
  const pending = (more: Omit<InvocationRecord, 'id' | 'status'>): InvocationRecord => ({
    id: ids.uuid(),
    status: 'PENDING',
    ...more,
  });
  if (!task.targets.length) return [pending({ targets: [] })];
  const sources = sourcesOf(task, store);
  if (task.type === 'RUN_COMMAND') return sources.map(pending);
  const found = await Promise.all(
    sources.map(async (source) => (await find(source.targets)).map((resourceId) => pending({ ...source, resourceId }))),
  );
  return found.flat();
}

/** Returns the values of pseudo parameters in an invocation. */
export const pseudoValues = (execution: TaskExecution, invocation: InvocationRecord): PseudoValues => ({
  WINDOW_ID: execution.windowId,
  WINDOW_TASK_ID: execution.task.id,
  WINDOW_EXECUTION_ID: execution.executionId,
  TASK_EXECUTION_ID: execution.id,
  INVOCATION_ID: invocation.id,
  WINDOW_TARGET_ID: invocation.windowTargetId,
  TARGET_ID: invocation.resourceId,
  RESOURCE_ID: invocation.resourceId,
  TARGET_TYPE: invocation.resourceId === undefined ? undefined : 'INSTANCE',
});

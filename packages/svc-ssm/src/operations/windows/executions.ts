import type {
  AlarmConfiguration,
  AlarmStateInformation,
  InputOf,
  MaintenanceWindowExecutionStatus,
  OutputOf,
} from '@emu/service-types/ssm';
import type { SsmContext } from '../../context.ts';
import { ssmError } from '../../errors.ts';
import { passesAll } from '../../orchestrator-filters.ts';
import { paging } from '../../paging.ts';
import { executionAt, taskExecutionAt } from '../../windows/lookup.ts';
import { isOver } from '../../windows/progress.ts';
import type { Execution, TaskExecution } from '../../windows/store.ts';

interface Progress {
  readonly status: MaintenanceWindowExecutionStatus;
  readonly details?: string | undefined;
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
}

const dateOf = (time: number | undefined): Date | undefined => (time === undefined ? undefined : new Date(time));

const progressOf = ({ status, details, startedAt, endedAt }: Progress) => ({
  Status: status,
  StatusDetails: details,
  StartTime: dateOf(startedAt),
  EndTime: dateOf(endedAt),
});

const BY_STATUS = { STATUS: ({ status }: Progress, values: readonly string[]) => values.includes(status) };

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeMaintenanceWindowExecutions.html */
export function DescribeMaintenanceWindowExecutions(
  input: InputOf<'DescribeMaintenanceWindowExecutions'>,
  { state }: SsmContext,
): OutputOf<'DescribeMaintenanceWindowExecutions'> {
  const passes = passesAll<Execution>(input.Filters, {
    ExecutedBefore: ({ startedAt }, values) => values.every((value) => startedAt < Date.parse(value)),
    ExecutedAfter: ({ startedAt }, values) => values.every((value) => startedAt > Date.parse(value)),
  });
  const listed = state.windows.executionsOf(input.WindowId).filter(passes);
  return paging
    .page(
      'DescribeMaintenanceWindowExecutions',
      input,
      listed,
      ({ startedAt, id }) => `${String(startedAt).padStart(16, '0')} ${id}`,
      { descending: true },
    )
    .list((execution) => ({
      WindowId: execution.windowId,
      WindowExecutionId: execution.id,
      ...progressOf(execution),
    }));
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetMaintenanceWindowExecution.html */
export function GetMaintenanceWindowExecution(
  input: InputOf<'GetMaintenanceWindowExecution'>,
  ctx: SsmContext,
): OutputOf<'GetMaintenanceWindowExecution'> {
  const execution = executionAt(input.WindowExecutionId, ctx);
  return { WindowExecutionId: execution.id, TaskIds: [...execution.taskIds], ...progressOf(execution) };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_CancelMaintenanceWindowExecution.html */
export function CancelMaintenanceWindowExecution(
  input: InputOf<'CancelMaintenanceWindowExecution'>,
  ctx: SsmContext,
): OutputOf<'CancelMaintenanceWindowExecution'> {
  const execution = executionAt(input.WindowExecutionId, ctx);
  if (!isOver(execution)) ctx.state.windowRunner.cancel(execution.id);
  return { WindowExecutionId: execution.id };
}

/** Returns the items that match a filter, with keys that preserve their order. */
const inOrder = <Item>(items: readonly Item[], passes: (item: Item) => boolean): { item: Item; key: string }[] =>
  items.map((item, index) => ({ item, key: String(index).padStart(6, '0') })).filter(({ item }) => passes(item));

const taskFacts = (task: TaskExecution) => ({
  WindowExecutionId: task.executionId,
  TaskExecutionId: task.id,
  TaskArn: task.task.arn,
  AlarmConfiguration: task.task.alarms as AlarmConfiguration | undefined,
  TriggeredAlarms: task.triggeredAlarms as AlarmStateInformation[] | undefined,
  ...progressOf(task),
});

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeMaintenanceWindowExecutionTasks.html */
export function DescribeMaintenanceWindowExecutionTasks(
  input: InputOf<'DescribeMaintenanceWindowExecutionTasks'>,
  ctx: SsmContext,
): OutputOf<'DescribeMaintenanceWindowExecutionTasks'> {
  const { taskIds } = executionAt(input.WindowExecutionId, ctx);
  const passes = passesAll<TaskExecution>(input.Filters, BY_STATUS);
  const listed = inOrder(
    taskIds.flatMap((id) => ctx.state.windows.taskExecutions.get(id) ?? []),
    passes,
  );
  return paging
    .page('DescribeMaintenanceWindowExecutionTasks', input, listed, ({ key }) => key)
    .list(({ item }) => ({ ...taskFacts(item), TaskType: item.task.type }));
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetMaintenanceWindowExecutionTask.html */
export function GetMaintenanceWindowExecutionTask(
  input: InputOf<'GetMaintenanceWindowExecutionTask'>,
  ctx: SsmContext,
): OutputOf<'GetMaintenanceWindowExecutionTask'> {
  const execution = taskExecutionAt(input.WindowExecutionId, input.TaskId, ctx);
  const { task } = execution;
  return {
    ...taskFacts(execution),
    ServiceRole: task.serviceRoleArn,
    Type: task.type,
    TaskParameters: [
      Object.fromEntries(Object.entries(task.parameters).map(([name, Values]) => [name, { Values: [...Values] }])),
    ],
    Priority: task.priority,
    MaxConcurrency: task.maxConcurrency,
    MaxErrors: task.maxErrors,
  };
}

const invocationFacts = (task: TaskExecution, invocation: TaskExecution['invocations'][number]) => ({
  WindowExecutionId: task.executionId,
  TaskExecutionId: task.id,
  InvocationId: invocation.id,
  ExecutionId: invocation.executionId,
  TaskType: task.task.type,
  Parameters: invocation.parameters,
  ...progressOf(invocation),
  OwnerInformation: invocation.ownerInformation,
  WindowTargetId: invocation.windowTargetId,
});

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeMaintenanceWindowExecutionTaskInvocations.html */
export function DescribeMaintenanceWindowExecutionTaskInvocations(
  input: InputOf<'DescribeMaintenanceWindowExecutionTaskInvocations'>,
  ctx: SsmContext,
): OutputOf<'DescribeMaintenanceWindowExecutionTaskInvocations'> {
  const task = taskExecutionAt(input.WindowExecutionId, input.TaskId, ctx);
  const listed = inOrder(task.invocations, passesAll<Progress>(input.Filters, BY_STATUS));
  return paging
    .page('DescribeMaintenanceWindowExecutionTaskInvocations', input, listed, ({ key }) => key)
    .list(({ item }) => invocationFacts(task, item));
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetMaintenanceWindowExecutionTaskInvocation.html */
export function GetMaintenanceWindowExecutionTaskInvocation(
  input: InputOf<'GetMaintenanceWindowExecutionTaskInvocation'>,
  ctx: SsmContext,
): OutputOf<'GetMaintenanceWindowExecutionTaskInvocation'> {
  const task = taskExecutionAt(input.WindowExecutionId, input.TaskId, ctx);
  const invocation = task.invocations.find(({ id }) => id === input.InvocationId);
  if (!invocation)
    throw ssmError('DoesNotExistException', `Invocation ${input.InvocationId} does not exist in task ${task.id}.`);
  return invocationFacts(task, invocation);
}

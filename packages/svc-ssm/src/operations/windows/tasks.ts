import type {
  AlarmConfiguration,
  InputOf,
  LoggingInfo,
  MaintenanceWindowTaskParameterValueExpression,
  OutputOf,
  Target,
} from '@emu/service-types/ssm';
import type { SsmContext } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { passesAll } from '../../orchestrator-filters.ts';
import { paging } from '../../paging.ts';
import { checkTask, keepParameters, showParameters } from '../../windows/checks.ts';
import { windowAt, windowTaskAt } from '../../windows/lookup.ts';
import type { InvocationParameters, WindowTaskRecord } from '../../windows/records.ts';
import type { WindowTask } from '../../windows/store.ts';

/** Value that AWS returns for a task without targets and limits. */
const PLACEHOLDER = '1';

type Given = Readonly<Record<string, MaintenanceWindowTaskParameterValueExpression>>;

const parametersOf = (given: Given = {}): Record<string, string[]> =>
  Object.fromEntries(Object.entries(given).map(([name, { Values = [] }]) => [name, Values]));

const described = (task: WindowTask) => ({
  WindowId: task.windowId,
  WindowTaskId: task.id,
  Targets: task.targets as Target[],
  TaskArn: task.arn,
  ServiceRoleArn: task.serviceRoleArn,
  TaskParameters: Object.fromEntries(
    Object.entries(task.parameters).map(([name, Values]) => [name, { Values: [...Values] }]),
  ),
  Priority: task.priority,
  MaxConcurrency: task.maxConcurrency,
  MaxErrors: task.maxErrors,
  LoggingInfo: task.loggingInfo as LoggingInfo | undefined,
  Name: task.name,
  Description: task.description,
  CutoffBehavior: task.cutoffBehavior,
  AlarmConfiguration: task.alarms as AlarmConfiguration | undefined,
});

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_RegisterTaskWithMaintenanceWindow.html */
export function RegisterTaskWithMaintenanceWindow(
  input: InputOf<'RegisterTaskWithMaintenanceWindow'>,
  ctx: SsmContext,
): OutputOf<'RegisterTaskWithMaintenanceWindow'> {
  const { state, ids } = ctx;
  const window = windowAt(input.WindowId, ctx);
  const task = {
    windowId: window.id,
    type: input.TaskType,
    arn: input.TaskArn,
    targets: input.Targets ?? [],
    serviceRoleArn: input.ServiceRoleArn || undefined,
    invocation: keepParameters(input.TaskInvocationParameters),
  };
  checkTask({ ...task, maxConcurrency: input.MaxConcurrency, maxErrors: input.MaxErrors }, window, state.windows);
  const WindowTaskId = state.tokens.once('RegisterTaskWithMaintenanceWindow', input, () => {
    const id = ids.uuid();
    state.windows.tasks.put(id, {
      id,
      ...task,
      parameters: parametersOf(input.TaskParameters),
      priority: input.Priority ?? 0,
      maxConcurrency: input.MaxConcurrency ?? PLACEHOLDER,
      maxErrors: input.MaxErrors ?? PLACEHOLDER,
      loggingInfo: input.LoggingInfo,
      name: input.Name,
      description: input.Description,
      cutoffBehavior: input.CutoffBehavior,
      alarms: input.AlarmConfiguration,
    });
    return id;
  });
  return { WindowTaskId };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_UpdateMaintenanceWindowTask.html */
export function UpdateMaintenanceWindowTask(
  input: InputOf<'UpdateMaintenanceWindowTask'>,
  ctx: SsmContext,
): OutputOf<'UpdateMaintenanceWindowTask'> {
  const { windows } = ctx.state;
  const window = windowAt(input.WindowId, ctx);
  const current = windowTaskAt(input.WindowId, input.WindowTaskId, ctx) as WindowTaskRecord;
  if (input.Replace && input.TaskArn === undefined) throw invalid('TaskArn is required where Replace is true.');
  const kept: Partial<WindowTaskRecord> = input.Replace ? {} : current;
  const targets = input.Targets ?? kept.targets ?? [];
  const maxConcurrency = input.MaxConcurrency ?? kept.maxConcurrency;
  const maxErrors = input.MaxErrors ?? kept.maxErrors;
  const changed = {
    targets,
    arn: input.TaskArn ?? current.arn,
    serviceRoleArn: (input.ServiceRoleArn ?? kept.serviceRoleArn) || undefined,
    invocation: input.TaskInvocationParameters
      ? keepParameters(input.TaskInvocationParameters)
      : (kept.invocation ?? {}),
    parameters: input.TaskParameters ? parametersOf(input.TaskParameters) : (kept.parameters ?? {}),
    priority: input.Priority ?? kept.priority ?? 0,
    loggingInfo: input.LoggingInfo ?? kept.loggingInfo,
    name: input.Name ?? kept.name,
    description: input.Description ?? kept.description,
    cutoffBehavior: input.CutoffBehavior ?? kept.cutoffBehavior,
    alarms: input.AlarmConfiguration ?? kept.alarms,
  };
  checkTask({ ...current, ...changed, maxConcurrency, maxErrors }, window, windows);
  const updated = windows.tasks.update(current.id, (draft) => {
    Object.assign(draft, changed);
    draft.maxConcurrency = maxConcurrency ?? PLACEHOLDER;
    draft.maxErrors = maxErrors ?? PLACEHOLDER;
  });
  return {
    ...described(updated),
    TaskInvocationParameters: showParameters(updated.invocation as InvocationParameters),
  };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetMaintenanceWindowTask.html */
export function GetMaintenanceWindowTask(
  input: InputOf<'GetMaintenanceWindowTask'>,
  ctx: SsmContext,
): OutputOf<'GetMaintenanceWindowTask'> {
  const task = windowTaskAt(input.WindowId, input.WindowTaskId, ctx);
  return {
    ...described(task),
    TaskType: task.type,
    TaskInvocationParameters: showParameters(task.invocation as InvocationParameters),
  };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DeregisterTaskFromMaintenanceWindow.html */
export function DeregisterTaskFromMaintenanceWindow(
  input: InputOf<'DeregisterTaskFromMaintenanceWindow'>,
  ctx: SsmContext,
): OutputOf<'DeregisterTaskFromMaintenanceWindow'> {
  const { id, windowId } = windowTaskAt(input.WindowId, input.WindowTaskId, ctx);
  ctx.state.windows.tasks.delete(id);
  return { WindowId: windowId, WindowTaskId: id };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeMaintenanceWindowTasks.html */
export function DescribeMaintenanceWindowTasks(
  input: InputOf<'DescribeMaintenanceWindowTasks'>,
  ctx: SsmContext,
): OutputOf<'DescribeMaintenanceWindowTasks'> {
  windowAt(input.WindowId, ctx);
  const passes = passesAll<WindowTask>(input.Filters, {
    WindowTaskId: ({ id }, values) => values.includes(id),
    TaskArn: ({ arn }, values) => values.includes(arn),
    Priority: ({ priority }, values) => values.includes(String(priority)),
    TaskType: ({ type }, values) => values.includes(type),
  });
  const listed = ctx.state.windows.tasksOf(input.WindowId).filter(passes);
  return paging
    .page('DescribeMaintenanceWindowTasks', input, listed, ({ id }) => id)
    .list((task) => ({ ...described(task), Type: task.type }));
}

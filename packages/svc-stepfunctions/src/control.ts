import type { DeclareRoute, StepFunctionsExecution, StepFunctionsExecutionTree } from '@emu/control-client';
import { ControlError, type ControlRoute, controlRoute, parseArn, type ServiceHandle } from '@emu/core/service';
import { isObject } from '@emu/wire';
import type { Execution } from './executions/execution.ts';
import { BILLED_MEMORY, billedDuration } from './operations/executions.ts';
import type { EventRecord } from './runtime/events.ts';
import type { StepfunctionsState } from './state.ts';

type Handle = ServiceHandle<StepfunctionsState>;

const route: DeclareRoute<Handle, ControlRoute<StepfunctionsState>> = controlRoute;

/** Returns an execution with its history, decrypted if it has a key. */
async function kept(state: StepfunctionsState, execution: Execution): Promise<StepFunctionsExecution> {
  const { record, events } = await state.executions.shown(execution);
  return shown(state, record, events);
}

function shown(state: StepfunctionsState, record: Execution, events: readonly EventRecord[]): StepFunctionsExecution {
  const { name, status, input, output, error, cause, startedAt, stoppedAt } = record;
  return {
    accountId: state.accountId,
    region: state.region,
    executionArn: state.executionArn(record),
    stateMachineArn: state.machineArn(record.machine),
    name,
    status,
    input,
    ...(output !== undefined && { output }),
    ...(error !== undefined && { error }),
    ...(cause !== undefined && { cause }),
    startDate: new Date(startedAt).toISOString(),
    ...(stoppedAt !== undefined && { stopDate: new Date(stoppedAt).toISOString() }),
    history: events.map(({ id, previous, type, at, details }) => ({
      id,
      previousEventId: previous,
      type,
      timestamp: new Date(at).toISOString(),
      ...(details && { details: { ...details[1] } }),
    })),
  };
}

/** Lists executions of all accounts and regions with their histories; of express executions the last thousand. */
const executions = route('GET /_emulator/stepfunctions/executions', async (_request, service) => {
  const found: StepFunctionsExecution[] = [];
  for (const { state } of service.states()) {
    for (const record of state.executions.list()) found.push(await kept(state, record));
    for (const { record, events } of state.executions.express.list()) found.push(shown(state, record, events));
  }
  return { json: { executions: found } };
});

const billed = (record: Execution) => ({
  billedDurationInMilliseconds: billedDuration(record),
  billedMemoryUsedInMB: BILLED_MEMORY,
});

/** Lists the last thousand express executions of StartSyncExecution. */
const syncExecutions = route('GET /_emulator/stepfunctions/sync-executions', (_request, service) => ({
  json: {
    executions: [...service.states()].flatMap(({ state }) =>
      state.executions.express
        .list()
        .filter(({ synchronous }) => synchronous)
        .map(({ record, events }) => ({ ...shown(state, record, events), ...billed(record) })),
    ),
  },
}));

/** Returns an execution with those started by its tasks and maps, recursively. */
async function treeOf(
  service: Handle,
  arn: string,
  parentStateName: string | undefined,
  above: readonly string[],
): Promise<StepFunctionsExecutionTree | undefined> {
  const { accountId = '', region = '', resource = '' } = parseArn(arn) ?? {};
  const state = service.existingState(accountId, region);
  const [, machine = '', name = ''] = resource.split(':');
  const record = state?.executions.get(machine, name);
  if (!state || !record || above.includes(arn)) return undefined;
  const { status, startedAt, stoppedAt } = record;
  const path = [...above, arn];
  const { events } = await state.executions.shown(record);
  const children: StepFunctionsExecutionTree[] = [];
  for (const [child, from] of startedBy(state, events)) {
    const below = await treeOf(service, child, from, path);
    if (below) children.push(below);
  }
  return {
    executionArn: arn,
    stateMachineArn: state.machineArn(record.machine),
    name,
    status,
    startDate: new Date(startedAt).toISOString(),
    ...(stoppedAt !== undefined && { stopDate: new Date(stoppedAt).toISOString() }),
    ...(parentStateName !== undefined && { parentStateName }),
    children,
  };
}

/** Returns the ARNs of executions started by an execution, each with the state that started it. */
function startedBy(
  state: StepfunctionsState,
  events: readonly EventRecord[],
): [arn: string, state: string | undefined][] {
  const found: [string, string | undefined][] = [];
  const seen = new Set<string>();
  for (const event of events) {
    const details = event.details?.[1] ?? {};
    const arns: string[] = [];
    if (event.type === 'MapRunStarted')
      arns.push(...state.executions.children.of(details.mapRunArn as string).map((child) => state.executionArn(child)));
    if (
      /^Task(?:Submitted|Succeeded)$/.test(event.type) &&
      /^(?:states|aws-sdk:sfn)$/.test(String(details.resourceType))
    ) {
      const arn = /"ExecutionArn":"([^"]+)"/.exec(String(details.output))?.[1];
      if (arn !== undefined) arns.push(arn);
    }
    for (const arn of arns) {
      if (seen.has(arn)) continue;
      seen.add(arn);
      found.push([arn, stateBefore(events, event)]);
    }
  }
  return found;
}

/** Returns the state to which an event belongs. */
function stateBefore(events: readonly EventRecord[], event: EventRecord): string | undefined {
  for (let at: EventRecord | undefined = event; at; at = events[at.previous - 1])
    if (at.type.endsWith('StateEntered')) return at.details?.[1].name as string;
  return undefined;
}

const executionTree = route(
  'GET /_emulator/stepfunctions/executions/{execution_arn}/tree',
  async ({ params }, service) => {
    const { execution_arn: arn } = params as { execution_arn: string };
    const tree = await treeOf(service, arn, undefined, []);
    if (!tree) throw new ControlError(404, 'ExecutionNotFound', `There is no execution ${arn}.`);
    return { json: tree };
  },
);

/** Adds a task without an execution to the queue of an activity. */
const enqueueTask = route('POST /_emulator/stepfunctions/enqueue-activity-task', ({ body }, service) => {
  const { activityArn, input = '{}' } = isObject(body) ? body : {};
  if (typeof activityArn !== 'string' || typeof input !== 'string')
    throw new ControlError(400, 'InvalidRequest', 'The body has to have activityArn and may have input, both texts.');
  const arn = parseArn(activityArn);
  const state = arn && service.existingState(arn.accountId, arn.region);
  if (!state?.activityExists(activityArn))
    throw new ControlError(404, 'ActivityNotFound', `There is no activity ${activityArn}.`);
  const { waiting } = state.executions;
  const taskToken = service.ids.bytes(96).toString('base64');
  const over = (): void => waiting.discard(taskToken);
  waiting.await(taskToken, { succeed: over, fail: over, beat: () => undefined });
  waiting.enqueue(activityArn, { token: taskToken, input, started: () => undefined });
  return { json: { taskToken } };
});

export const control: readonly ControlRoute<StepfunctionsState>[] = [
  executions,
  syncExecutions,
  executionTree,
  enqueueTask,
];

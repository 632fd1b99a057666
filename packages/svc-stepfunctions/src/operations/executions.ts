import { exceedsBytes, roleSessionPrincipal } from '@emu/core/service';
import type {
  DescribeExecutionOutput,
  ExecutionListItem,
  HistoryEvent,
  InputOf,
  ListExecutionsInput,
  ListExecutionsOutput,
  OutputOf,
  StartExecutionInput,
  StartSyncExecutionOutput,
} from '@emu/service-types/stepfunctions';
import { parseJson } from '@emu/wire';
import { jsonProblem } from '../asl/json-problem.ts';
import type { StepfunctionsContext } from '../context.ts';
import { useKey } from '../encryption.ts';
import { invalid, invalidInput, resourceNotFound, stepfunctionsError } from '../errors.ts';
import type { Execution } from '../executions/execution.ts';
import { checkName, executionOf, type MachineTarget, machineTarget, qualifiedArn } from '../lookup.ts';
import { paging } from '../paging.ts';
import { type ExecutionRecord, revisionOf } from '../records.ts';
import { type EventRecord, withoutData } from '../runtime/events.ts';
import { MAX_BYTES } from '../runtime/run.ts';
import { changedEvent, opened, sealerOf } from '../sealing.ts';
import type { StepfunctionsState } from '../state.ts';

/**
 * Validates the input of an execution.
 * @throws AwsError `InvalidExecutionInput`
 */
function checkInput(input: string): void {
  try {
    parseJson(input);
  } catch {
    throw invalidInput(jsonProblem(input));
  }
  if (exceedsBytes(input, MAX_BYTES)) throw invalidInput('Invalid execution input.');
}

/** Splits the test case of mocked integrations off a state machine's ARN. */
const withTestCase = (arn: string): [arn: string, testCase: string | undefined] => {
  const [machine = '', testCase] = arn.split('#');
  return [machine, testCase];
};

/**
 * Checks that a test case exists.
 * @throws AwsError `ValidationException` with emu's own message if it does not
 */
function checkTestCase(state: StepfunctionsState, machine: string, testCase: string): void {
  try {
    state.executions.mocks.testCase(machine, testCase);
  } catch (error) {
    throw invalid((error as Error).message);
  }
}

/** Returns the record of a new execution. */
function beginning(
  target: MachineTarget,
  input: StartExecutionInput,
  testCase: string | undefined,
  ctx: StepfunctionsContext,
): ExecutionRecord {
  const { state, machine, revision, version, alias } = target;
  if (testCase !== undefined) checkTestCase(state, machine.name, testCase);
  const { name = ctx.ids.uuid(), input: text = '{}', traceHeader } = input;
  checkName(name);
  checkInput(text);
  return {
    machine: machine.name,
    name,
    type: machine.type,
    status: 'RUNNING',
    input: text,
    ...revisionOf(revision),
    startedAt: ctx.clock.now(),
    order: state.executions.nextOrder,
    ...(version && { versionArn: qualifiedArn(state, machine.name, version.number) }),
    ...(alias && { aliasArn: qualifiedArn(state, machine.name, alias.name) }),
    ...(traceHeader !== undefined && { traceHeader }),
    ...(testCase !== undefined && { testCase }),
    ...(machine.type === 'EXPRESS' && { expressId: ctx.ids.uuid() }),
  };
}

/**
 * Decrypts the key of a state machine with the identities of the caller and the role.
 * @throws AwsError `KmsAccessDeniedException` and similar
 */
async function useKeys({ revision, state, machine }: MachineTarget, ctx: StepfunctionsContext): Promise<void> {
  const { encryption, roleArn } = revision;
  if (!encryption) return;
  await useKey(encryption, ctx);
  const authorize = { sourceArn: state.machineArn(machine.name), sourceAccount: state.accountId };
  await useKey(encryption, ctx, { principal: roleSessionPrincipal(roleArn, 'states'), authorize });
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_StartExecution.html */
export async function StartExecution(
  input: InputOf<'StartExecution'>,
  ctx: StepfunctionsContext,
): Promise<OutputOf<'StartExecution'>> {
  const [arn, testCase] = withTestCase(input.stateMachineArn);
  const target = machineTarget(arn, ctx);
  const { state } = target;
  await useKeys(target, ctx);
  const link = await state.executions.follow(target.machine.name, ctx.cause);
  const record = beginning(target, input, testCase, ctx);
  const executionArn = state.executionArn(record);
  if (record.type === 'EXPRESS') {
    void state.executions.startExpress(record, false, link);
    return { executionArn, startDate: new Date(record.startedAt) };
  }
  // An execution keeps the key of its state machine at its start.
  await useKey(state.executions.get(record.machine, record.name)?.encryption, ctx);
  const existing = state.executions.get(record.machine, record.name);
  if (existing) {
    // A repeated request is idempotent while the execution is running.
    if (existing.status !== 'RUNNING' || sealerOf(existing.encryption).open(existing.input) !== record.input)
      throw stepfunctionsError('ExecutionAlreadyExists', `Execution Already Exists: '${executionArn}'`);
    return { executionArn, startDate: new Date(existing.startedAt) };
  }
  const started = state.executions.start(record, link);
  return { executionArn, startDate: new Date(started.startedAt) };
}

/** Billed memory in units of 64 MB, always one unit. */
export const BILLED_MEMORY = 64;
/** Billing unit of durations, in milliseconds. */
const BILLED_UNIT = 100;

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_StartSyncExecution.html */
export async function StartSyncExecution(
  input: InputOf<'StartSyncExecution'>,
  ctx: StepfunctionsContext,
): Promise<OutputOf<'StartSyncExecution'>> {
  const [arn, testCase] = withTestCase(input.stateMachineArn);
  const target = machineTarget(arn, ctx);
  const { state, machine } = target;
  if (machine.type !== 'EXPRESS')
    throw stepfunctionsError(
      'StateMachineTypeNotSupported',
      'This operation is not supported by this type of state machine',
    );
  await useKeys(target, ctx);
  const link = await state.executions.follow(machine.name, ctx.cause);
  const { record } = await state.executions.startExpress(beginning(target, input, testCase, ctx), true, link);
  const stoppedAt = record.stoppedAt ?? ctx.clock.now();
  const hidden = input.includedData === 'METADATA_ONLY';
  const { output, error, cause } = record;
  return {
    executionArn: state.executionArn(record),
    stateMachineArn: arn,
    name: record.name,
    startDate: new Date(record.startedAt),
    stopDate: new Date(stoppedAt),
    status: record.status as StartSyncExecutionOutput['status'],
    ...(error !== undefined && { error }),
    ...(cause !== undefined && { cause }),
    ...(!hidden && { input: record.input, inputDetails: { included: true } }),
    ...(output !== undefined && !hidden && { output, outputDetails: { included: true } }),
    ...(record.traceHeader !== undefined && { traceHeader: record.traceHeader }),
    billingDetails: {
      billedMemoryUsedInMB: BILLED_MEMORY,
      billedDurationInMilliseconds: billedDuration(record),
    },
  };
}

/** Returns the milliseconds that AWS would bill for an express execution. */
export const billedDuration = ({ startedAt, stoppedAt = startedAt }: Execution): number =>
  Math.max(1, Math.ceil((stoppedAt - startedAt) / BILLED_UNIT)) * BILLED_UNIT;

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_StopExecution.html */
export async function StopExecution(
  input: InputOf<'StopExecution'>,
  ctx: StepfunctionsContext,
): Promise<OutputOf<'StopExecution'>> {
  const { state, execution } = executionOf(input.executionArn, ctx);
  await state.executions.stop(execution, input.error, input.cause);
  const { stoppedAt } = state.executions.get(execution.machine, execution.name)!;
  return { stopDate: new Date(stoppedAt ?? ctx.clock.now()) };
}

/** Maximum milliseconds between the end of an execution and its redrive. */
const REDRIVABLE = 14 * 86_400_000;

/** Returns AWS's reason why an execution cannot be redriven; undefined if it can. */
function notRedrivable(
  execution: Execution,
  { state, clock }: Pick<StepfunctionsContext, 'state' | 'clock'>,
): string | undefined {
  const { status, stoppedAt = 0, batch } = execution;
  if (status === 'RUNNING' || status === 'SUCCEEDED') return `Execution is ${status} and cannot be redriven`;
  if (batch) return 'Execution is part of a Map Run and cannot be redriven';
  if (stoppedAt < clock.now() - REDRIVABLE) return 'Execution exceeded the redrivable period and cannot be redriven';
  if (!state.executions.canRedrive(execution)) return 'Execution history is too long and cannot be redriven';
  return undefined;
}

function redrive(
  execution: Execution,
  ctx: Pick<StepfunctionsContext, 'state' | 'clock'>,
): Partial<DescribeExecutionOutput> {
  const { redrives: redriveCount = 0, redrivenAt } = execution;
  const reason = notRedrivable(execution, ctx);
  const common = { redriveCount, ...(redrivenAt !== undefined && { redriveDate: new Date(redrivenAt) }) };
  return reason === undefined
    ? { ...common, redriveStatus: 'REDRIVABLE' }
    : { ...common, redriveStatus: 'NOT_REDRIVABLE', redriveStatusReason: reason };
}

/**
 * Continues an execution from its failed state.
 * @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_RedriveExecution.html
 */
export async function RedriveExecution(
  input: InputOf<'RedriveExecution'>,
  ctx: StepfunctionsContext,
): Promise<OutputOf<'RedriveExecution'>> {
  const { state, execution } = await readable(input.executionArn, true, ctx);
  const { clientToken } = input;
  const { machine, name } = execution;
  // Not IdempotencyTokens: only the token of an execution's latest redrive is known, and the next redrive replaces it.
  if (clientToken !== undefined && execution.redriveToken === clientToken)
    return { redriveDate: new Date(execution.redrivenAt!) };
  const reason = notRedrivable(execution, { state, clock: ctx.clock });
  if (reason !== undefined) throw stepfunctionsError('ExecutionNotRedrivable', reason);
  const at = state.executions.redrive(state.executions.get(machine, name)!, clientToken);
  return { redriveDate: new Date(at) };
}

/**
 * Returns an execution, decrypting its key if its data is read.
 * @throws AwsError `KmsAccessDeniedException` and similar
 */
async function readable(
  arn: string,
  withData: boolean,
  ctx: StepfunctionsContext,
): Promise<ReturnType<typeof executionOf>> {
  const found = executionOf(arn, ctx);
  const { encryption } = found.execution;
  if (!withData || !encryption) return found;
  await useKey(encryption, ctx);
  return executionOf(arn, ctx);
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_DescribeExecution.html */
export async function DescribeExecution(
  input: InputOf<'DescribeExecution'>,
  ctx: StepfunctionsContext,
): Promise<OutputOf<'DescribeExecution'>> {
  const { state, execution } = await readable(input.executionArn, input.includedData !== 'METADATA_ONLY', ctx);
  const withData = input.includedData !== 'METADATA_ONLY';
  const shown = withData ? opened(execution, sealerOf(execution.encryption)) : execution;
  // Encrypted data is not part of the metadata.
  const { error, cause } = withData || !execution.encryption ? shown : {};
  const { machine, name, status, output, versionArn, aliasArn, traceHeader, stoppedAt } = shown;
  const data =
    input.includedData === 'METADATA_ONLY'
      ? {}
      : {
          input: shown.input,
          inputDetails: { included: true },
          ...(output !== undefined && { output, outputDetails: { included: true } }),
        };
  return {
    executionArn: input.executionArn,
    stateMachineArn: state.machineArn(machine),
    name,
    status,
    startDate: new Date(execution.startedAt),
    ...(stoppedAt !== undefined && { stopDate: new Date(stoppedAt) }),
    ...data,
    ...(error !== undefined && { error }),
    ...(cause !== undefined && { cause }),
    ...(versionArn !== undefined && { stateMachineVersionArn: versionArn }),
    ...(aliasArn !== undefined && { stateMachineAliasArn: aliasArn }),
    ...(traceHeader !== undefined && { traceHeader }),
    ...(execution.batch && { mapRunArn: execution.batch.mapRun }),
    ...redrive(execution, { state, clock: ctx.clock }),
  };
}

/** Lists start with the newest execution. */
const pageKey = ({ order }: Execution): string => String(order).padStart(12, '0');

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_ListExecutions.html */
export function ListExecutions(
  input: InputOf<'ListExecutions'>,
  ctx: StepfunctionsContext,
): OutputOf<'ListExecutions'> {
  const { stateMachineArn, statusFilter, redriveFilter, mapRunArn } = input;
  if (mapRunArn !== undefined && stateMachineArn !== undefined)
    throw invalid('Only one of the state machine ARN and the Map Run ARN can be specified.');
  if (mapRunArn !== undefined) return listChildren(input, mapRunArn, ctx);
  if (stateMachineArn === undefined)
    throw invalid('Either the state machine ARN or the Map Run ARN must be specified.');
  const { state, machine, version, alias } = machineTarget(stateMachineArn, ctx);
  if (machine.type === 'EXPRESS')
    throw stepfunctionsError(
      'StateMachineTypeNotSupported',
      'This operation is not supported by this type of state machine',
    );
  const wanted = (execution: Execution): boolean =>
    execution.machine === machine.name &&
    (statusFilter === undefined || execution.status === statusFilter) &&
    redriveMatches(execution, redriveFilter) &&
    (alias ? execution.aliasArn === stateMachineArn : !version || execution.versionArn === stateMachineArn);
  const found = state.executions.list().filter(wanted);
  return paging
    .page('ListExecutions', input, found, pageKey, { descending: true })
    .list((execution) => listed(state, execution));
}

const redriveMatches = ({ redrives = 0 }: Execution, filter: ListExecutionsInput['redriveFilter']): boolean =>
  filter === undefined || (filter === 'REDRIVEN') === redrives > 0;

/** Lists the executions of a Map Run. */
function listChildren(input: ListExecutionsInput, mapRunArn: string, ctx: StepfunctionsContext): ListExecutionsOutput {
  const { state } = ctx;
  if (!state.executions.mapRuns.get(mapRunArn)) throw resourceNotFound();
  const { statusFilter, redriveFilter } = input;
  const found = state.executions.children
    .of(mapRunArn)
    .filter(
      (child) => (statusFilter === undefined || child.status === statusFilter) && redriveMatches(child, redriveFilter),
    )
    .sort((a, b) => b.order - a.order);
  return paging.page('ListExecutions', input, found, pageKey, { descending: true }).list((execution) => ({
    ...listed(state, execution),
    mapRunArn,
    itemCount: execution.batch?.items ?? 1,
  }));
}

const listed = (state: StepfunctionsContext['state'], execution: Execution): ExecutionListItem => ({
  executionArn: state.executionArn(execution),
  stateMachineArn: state.machineArn(execution.machine),
  name: execution.name,
  status: execution.status,
  startDate: new Date(execution.startedAt),
  redriveCount: execution.redrives ?? 0,
  ...(execution.redrivenAt !== undefined && { redriveDate: new Date(execution.redrivenAt) }),
  ...(execution.stoppedAt !== undefined && { stopDate: new Date(execution.stoppedAt) }),
  ...(execution.versionArn !== undefined && { stateMachineVersionArn: execution.versionArn }),
  ...(execution.aliasArn !== undefined && { stateMachineAliasArn: execution.aliasArn }),
});

/** Returns an event in responses. */
const eventOf = ({ id, previous, at, type, details }: EventRecord): HistoryEvent => ({
  timestamp: new Date(at),
  type,
  id,
  previousEventId: previous,
  ...(details && { [details[0]]: details[1] }),
});

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_GetExecutionHistory.html */
export async function GetExecutionHistory(
  input: InputOf<'GetExecutionHistory'>,
  ctx: StepfunctionsContext,
): Promise<OutputOf<'GetExecutionHistory'>> {
  const { reverseOrder: descending = false, includeExecutionData = true } = input;
  const { state, execution } = await readable(input.executionArn, includeExecutionData, ctx);
  const events = [...state.executions.history(execution)];
  if (descending) events.reverse();
  const sealer = includeExecutionData ? sealerOf(execution.encryption) : undefined;
  const open = (text: string): string => sealer!.open(text);
  const hidden = (event: EventRecord): EventRecord => withoutData(event, execution.encryption !== undefined);
  return paging
    .page('GetExecutionHistory', input, events, ({ id }) => String(id).padStart(6, '0'), { descending })
    .list((event) => eventOf(includeExecutionData ? changedEvent(event, open) : hidden(event)));
}

import { numericKey } from '@emu/core/service';
import type { ErrorObject, InputOf, OutputOf } from '@emu/service-types/lambda';
import type { LambdaContext } from '../context.ts';
import { DurableEngine } from '../durable/engine.ts';
import type { DurableExecution, DurableOperation } from '../durable/records.ts';
import { shownEvent, shownOperation } from '../durable/shapes.ts';
import { parseCallbackId } from '../durable/updates.ts';
import { functionNotFound, invalidParameterValue, lambdaError, notFound } from '../errors.ts';
import { targetOf } from '../names.ts';
import { paging } from '../paging.ts';
import { durableExecutionType } from '../resources.ts';

/** AWS's page sizes. */
const PAGE = { defaultLimit: 100, maxLimit: 1000 };

function find(arn: string, ctx: LambdaContext): { engine: DurableEngine; execution: DurableExecution } {
  const [functionArn] = arn.split('/durable-execution/');
  const { state } = targetOf(ctx.state, functionArn!);
  const engine = DurableEngine.of(state);
  const execution = engine.store.get(arn);
  if (!execution) throw notFound(`Durable execution not found: ${arn}`);
  return { engine, execution };
}

/** Returns the execution of a checkpoint token whose function is running. */
function withToken(
  { DurableExecutionArn, CheckpointToken }: InputOf<'CheckpointDurableExecution'>,
  ctx: LambdaContext,
) {
  const found = find(DurableExecutionArn, ctx);
  if (found.execution.status !== 'RUNNING' || CheckpointToken !== found.engine.tokenOf(found.execution))
    throw invalidParameterValue('Invalid checkpoint token: the token is not the latest of the durable execution.');
  return found;
}

/** Stores a checkpoint of a durable function, and returns other changes. */
export function CheckpointDurableExecution(
  input: InputOf<'CheckpointDurableExecution'>,
  ctx: LambdaContext,
): OutputOf<'CheckpointDurableExecution'> {
  const { engine, execution } = withToken(input, ctx);
  const { token, operations } = engine.checkpoint(execution.arn, input.Updates ?? []);
  return { CheckpointToken: token, NewExecutionState: { Operations: operations } };
}

/** Returns the operations of an execution, from which its function resumes. */
export function GetDurableExecutionState(
  input: InputOf<'GetDurableExecutionState'>,
  ctx: LambdaContext,
): OutputOf<'GetDurableExecutionState'> {
  const { engine, execution } = withToken(input, ctx);
  const operations = engine.store.visible(execution.arn).map((operation, index) => ({ operation, index }));
  return paging
    .page('GetDurableExecutionState', input, operations, ({ index }) => numericKey(index), PAGE)
    .list(({ operation }) => shownOperation(operation, execution.input));
}

const summary = (execution: DurableExecution, { state }: LambdaContext) => ({
  DurableExecutionArn: execution.arn,
  DurableExecutionName: execution.name,
  FunctionArn: state.functionArn(execution.functionName, execution.version),
  Status: execution.status,
  StartTimestamp: new Date(execution.startedAt),
  ...(execution.endedAt !== undefined && { EndTimestamp: new Date(execution.endedAt) }),
});

/** Returns an execution. */
export function GetDurableExecution(
  input: InputOf<'GetDurableExecution'>,
  ctx: LambdaContext,
): OutputOf<'GetDurableExecution'> {
  const { execution } = find(input.DurableExecutionArn, ctx);
  return {
    ...summary(execution, ctx),
    InputPayload: execution.input,
    ...(execution.result !== undefined && { Result: execution.result }),
    ...(execution.error && { Error: structuredClone(execution.error) as ErrorObject }),
    Version: execution.version,
  };
}

/** Returns the history of an execution. */
export function GetDurableExecutionHistory(
  input: InputOf<'GetDurableExecutionHistory'>,
  ctx: LambdaContext,
): OutputOf<'GetDurableExecutionHistory'> {
  const { execution } = find(input.DurableExecutionArn, ctx);
  const { durableEvents } = targetOf(ctx.state, execution.arn.split('/')[0]!).state;
  const numbers = Array.from({ length: execution.events }, (_, index) => index + 1);
  const keyOf = (number: number) => numericKey(input.ReverseOrder ? execution.events - number : number);
  const { items, next } = paging.page('GetDurableExecutionHistory', input, numbers, keyOf, PAGE);
  const events = items.map((number) => durableEvents.get(`${execution.arn}#${number}`)!);
  return {
    Events: events.map((record) => shownEvent(structuredClone(record) as never, input.IncludeExecutionData ?? false)),
    ...next,
  };
}

/** Lists the executions of a function. */
export function ListDurableExecutionsByFunction(
  input: InputOf<'ListDurableExecutionsByFunction'>,
  ctx: LambdaContext,
): OutputOf<'ListDurableExecutionsByFunction'> {
  const { state, name, qualifier } = targetOf(ctx.state, input.FunctionName, input.Qualifier);
  if (!state.functions.has(name)) throw functionNotFound(state.functionArn(name, qualifier));
  const version =
    qualifier === undefined ? undefined : (state.aliases.get(`${name}:${qualifier}`)?.version ?? qualifier);
  const { DurableExecutionName, Statuses, StartedAfter, StartedBefore } = input;
  const executions = [...state.durableExecutions.values()].filter(
    (execution) =>
      execution.functionName === name &&
      (version === undefined || execution.version === version) &&
      (DurableExecutionName === undefined || execution.name === DurableExecutionName) &&
      (!Statuses?.length || Statuses.includes(execution.status)) &&
      (StartedAfter === undefined || execution.startedAt > StartedAfter.getTime()) &&
      (StartedBefore === undefined || execution.startedAt < StartedBefore.getTime()),
  );
  const keyOf = ({ startedAt, arn }: DurableExecution) =>
    `${numericKey(input.ReverseOrder ? Number.MAX_SAFE_INTEGER - startedAt : startedAt)}:${arn}`;
  return paging
    .page('ListDurableExecutionsByFunction', input, executions, keyOf, PAGE)
    .list((execution) => summary(execution, ctx));
}

/** Stops a running execution. */
export function StopDurableExecution(
  input: InputOf<'StopDurableExecution'>,
  ctx: LambdaContext,
): OutputOf<'StopDurableExecution'> {
  const { engine, execution } = find(input.DurableExecutionArn, ctx);
  const at = execution.status === 'RUNNING' ? engine.stop(execution.arn, input.Error) : execution.endedAt!;
  return { StopTimestamp: new Date(at) };
}

/** Returns the callback of a request. */
function callbackOf(callbackId: string, ctx: LambdaContext): { engine: DurableEngine; operation: DurableOperation } {
  const named = parseCallbackId(callbackId);
  if (!named || durableExecutionType.parse(named.arn)?.place.region !== ctx.region)
    throw invalidParameterValue('The callback ID is not valid.');
  const { state } = targetOf(ctx.state, named.arn.split('/durable-execution/')[0]!);
  const engine = DurableEngine.of(state);
  const operation = engine.store.operation(named.arn, named.id);
  if (operation?.callbackId !== callbackId) throw invalidParameterValue('The callback ID is not valid.');
  if (operation.endedAt !== undefined || engine.store.get(named.arn)?.status !== 'RUNNING')
    throw lambdaError('CallbackTimeoutException', 'The callback has timed out or has already been completed.');
  return { engine, operation };
}

/** Completes a callback. */
export function SendDurableExecutionCallbackSuccess(
  input: InputOf<'SendDurableExecutionCallbackSuccess'>,
  ctx: LambdaContext,
): OutputOf<'SendDurableExecutionCallbackSuccess'> {
  const { engine, operation } = callbackOf(input.CallbackId, ctx);
  engine.complete(operation, 'SUCCEEDED', input.Result ? { result: Buffer.from(input.Result).toString() } : {});
  return {};
}

/** Fails a callback. */
export function SendDurableExecutionCallbackFailure(
  input: InputOf<'SendDurableExecutionCallbackFailure'>,
  ctx: LambdaContext,
): OutputOf<'SendDurableExecutionCallbackFailure'> {
  const { engine, operation } = callbackOf(input.CallbackId, ctx);
  engine.complete(operation, 'FAILED', { error: input.Error ?? {} });
  return {};
}

/** Records a heartbeat for a callback. */
export function SendDurableExecutionCallbackHeartbeat(
  input: InputOf<'SendDurableExecutionCallbackHeartbeat'>,
  ctx: LambdaContext,
): OutputOf<'SendDurableExecutionCallbackHeartbeat'> {
  const { engine, operation } = callbackOf(input.CallbackId, ctx);
  engine.heartbeat(operation);
  return {};
}

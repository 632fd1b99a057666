import type {
  InputOf,
  InspectionData,
  MockInput,
  OutputOf,
  TestStateConfiguration,
  TestStateInput,
  TestStateOutput,
} from '@emu/service-types/stepfunctions';
import { isObject, parseJson } from '@emu/wire';
import type { Block, State } from '../asl/definition.ts';
import { StateFailure } from '../asl/failure.ts';
import type { Json, JsonObject } from '../asl/json.ts';
import { jsonProblem } from '../asl/json-problem.ts';
import type { StepfunctionsContext } from '../context.ts';
import { invalid, invalidDefinition, invalidInput, stepfunctionsError } from '../errors.ts';
import type { Mock } from '../executions/test-run.ts';
import { type Attempted, attemptOnce } from '../runtime/interpret.ts';
import type { HttpExchange } from '../runtime/run.ts';
import { checkResult, isAwaited, resultOperation } from './mock-validation.ts';
import { checkDefinition, checkRole } from './state-machines.ts';

/** State types that can be mocked. */
const MOCKED: ReadonlySet<State['Type']> = new Set(['Task', 'Map', 'Parallel']);

/** Valid members of a context object. */
const CONTEXT: Readonly<Record<string, readonly string[]>> = {
  Execution: ['Id', 'Input', 'Name', 'RoleArn', 'StartTime', 'RedriveCount', 'RedriveTime'],
  State: ['EnteredTime', 'Name', 'RetryCount'],
  StateMachine: ['Id', 'Name'],
  Task: ['Token'],
};

/**
 * Returns the tested state with its block.
 * @throws AwsError `InvalidDefinition`, `ValidationException`
 */
function stateOf({ definition, stateName }: TestStateInput): { block: Block; name: string; state: State } {
  let value: unknown;
  try {
    value = parseJson(definition);
  } catch {
    throw invalidDefinition(`INVALID_JSON_DESCRIPTION: ${jsonProblem(definition)}`);
  }
  if (!isObject(value)) throw invalidDefinition('INVALID_JSON_DESCRIPTION: Definition must be a valid JSON object');
  if (stateName !== undefined) {
    if (!isObject(value.States)) throw invalid('State not found in definition');
    checkDefinition(definition, 'STANDARD');
    const found = find(value as unknown as Block, stateName);
    if (!found) throw invalid('State not found in definition');
    return found;
  }
  if (isObject(value.States)) throw invalid('StateName must be specified when the definition is a state machine');
  return single(value as unknown as State);
}

/** Returns a state as a block of its own, ignoring its next states. */
function single(state: State): { block: Block; name: string; state: State } {
  const name = 'TestState';
  const targets = [state.Next, state.Default, ...(state.Choices ?? []).map(({ Next }) => Next)].concat(
    (state.Catch ?? []).map(({ Next }) => Next),
  );
  const others = targets.flatMap((target) => (target === undefined ? [] : [[target, { Type: 'Succeed' }]]));
  const machine = { StartAt: name, States: { [name]: state, ...Object.fromEntries(others) } };
  checkDefinition(JSON.stringify(machine), 'STANDARD');
  return { block: { StartAt: name, States: { [name]: state } }, name, state };
}

/** Finds a state by name anywhere in a definition. */
function find(block: Block, name: string): { block: Block; name: string; state: State } | undefined {
  const state = block.States[name];
  if (state) return { block, name, state };
  for (const inner of Object.values(block.States))
    for (const part of [...(inner.Branches ?? []), inner.ItemProcessor, inner.Iterator]) {
      const found =
        part && find({ ...part, QueryLanguage: part.QueryLanguage ?? block.QueryLanguage ?? 'JSONPath' }, name);
      if (found) return found;
    }
  return undefined;
}

function parse(text: string, problem: (why: string) => Error): Json {
  try {
    return parseJson(text) as Json;
  } catch {
    throw problem(jsonProblem(text));
  }
}

/**
 * Parses the mock of a test.
 * @throws AwsError `ValidationException`
 */
async function mockOf(
  mock: MockInput | undefined,
  state: State,
  { handle }: StepfunctionsContext,
): Promise<Mock | undefined> {
  if (!mock) return undefined;
  if (!MOCKED.has(state.Type)) throw invalid(`State type '${state.Type}' is not supported when a mock is specified`);
  const { result, errorOutput, fieldValidationMode: mode = 'STRICT' } = mock;
  if ((result === undefined) === (errorOutput === undefined))
    throw invalid('A test mock should have only one of the following fields: [result, errorOutput].');
  if (errorOutput) return { failure: new StateFailure(errorOutput.error, errorOutput.cause) };
  const value = parse(result!, () => invalid('Mocked result must be valid JSON'));
  if (state.Type === 'Map' && state.ResultWriter && !isObject(value))
    throw invalid('Mocked result must be a JSON object.');
  if ((state.Type === 'Parallel' || (state.Type === 'Map' && !state.ResultWriter)) && !Array.isArray(value))
    throw invalid('Mocked result must be an array.');
  if (state.Type === 'Parallel' && (value as Json[]).length !== state.Branches!.length)
    throw invalid('Mocked result must contain the same number of items as number of Parallel branches.');
  const operation = mode === 'NONE' ? undefined : resultOperation(state);
  const model = operation && (await handle.modelOf(operation.service));
  if (model && mode !== 'NONE') checkResult(value, operation, model, mode);
  return { result: value };
}

/**
 * Validates the state configuration of a test, which requires a mock.
 * @throws AwsError `ValidationException`
 */
function checkConfiguration(
  { errorCausedByState: cause, mapItemReaderData: data }: TestStateConfiguration,
  state: State,
): void {
  const inner = [...(state.Branches ?? []), state.ItemProcessor ?? state.Iterator];
  if (cause !== undefined && !inner.some((part) => part && find(part, cause)))
    throw invalid(`ErrorCausedByState must name a state within the state that is tested: ${cause}`);
  if (data === undefined) return;
  if (!state.ItemReader) throw invalid('MapItemReaderData needs a Map state with an ItemReader.');
  parse(data, () => invalid('MapItemReaderData must be valid JSON'));
}

/**
 * Parses the context object of a test.
 * @throws AwsError `ValidationException`
 */
function contextOf(text: string | undefined, state: State): JsonObject | undefined {
  if (text === undefined) return undefined;
  const invalidContext = (why: string) => invalid(`Invalid Context object provided: ${why}`);
  const value = parse(text, invalidContext);
  if (!isObject(value)) throw invalidContext('Context object must be a JSON object');
  for (const [name, part] of Object.entries(value)) {
    if (name === 'Map') throw invalidContext("'Map' field is not supported when mocking a Context object");
    const allowed = CONTEXT[name];
    if (!allowed) throw invalidContext(`Field '${name}' is not allowed`);
    if (!isObject(part)) throw invalidContext(`${name} must be an object`);
    for (const [field, member] of Object.entries(part)) {
      if (!allowed.includes(field)) throw invalidContext(`Field '${field}' is not allowed`);
      if (field !== 'Input' && !field.endsWith('Count') && typeof member !== 'string')
        throw invalidContext(`${name}.${field} must be a string`);
    }
  }
  if (value.Task !== undefined && !/\.(?:sync|sync:2|waitForTaskToken)$/.test(state.Resource ?? ''))
    throw invalidContext(
      "Context object contains 'Task' when state is not a Task state with a '.sync' or '.waitForTaskToken' service integration pattern",
    );
  return value;
}

/**
 * Applies the number of failed Map iterations, which may fail the state.
 * @throws AwsError `ValidationException`
 */
function iterations(count: number | undefined, state: State, mock: Mock | undefined): Mock | undefined {
  if (count === undefined) return mock;
  if (!mock) throw invalid('TestState does not support MapIterationFailureCount when a mock is not specified.');
  if ('failure' in mock || !Array.isArray(mock.result)) return mock;
  const total = mock.result.length;
  if (count > total)
    throw invalid('Map iteration failure count must be less than or equal to the number of Map iterations');
  const { ToleratedFailureCount: most, ToleratedFailurePercentage: percentage } = state;
  const tolerated =
    (typeof most !== 'number' || count <= most) &&
    (typeof percentage !== 'number' || (count / total) * 100 <= percentage) &&
    (count === 0 || most !== undefined || percentage !== undefined);
  const reason = 'The specified tolerated failure threshold was exceeded';
  return tolerated ? mock : { failure: new StateFailure('States.ExceedToleratedFailureThreshold', reason) };
}

/**
 * Runs a state once, without an execution.
 * @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_TestState.html
 */
export async function TestState(
  input: InputOf<'TestState'>,
  ctx: StepfunctionsContext,
): Promise<OutputOf<'TestState'>> {
  const { block, name, state } = stateOf(input);
  const { inspectionLevel: level = 'INFO', stateConfiguration: configuration = {}, roleArn } = input;
  checkConfiguration(configuration, state);
  if (input.revealSecrets && input.mock)
    throw invalid('TestState does not support RevealSecrets when a mock is specified.');
  if (roleArn !== undefined) checkRole(roleArn);
  const mock = iterations(configuration.mapIterationFailureCount, state, await mockOf(input.mock, state, ctx));
  if (!mock && isAwaited(state))
    throw invalidDefinition(
      'TestState API supports Activity tasks, and the .sync and .waitForTaskToken service integration patterns, only when a mock is specified',
    );
  if (state.Type === 'Task' && !mock && roleArn === undefined)
    throw invalid('RoleArn must be specified when testing a Task state');
  if ((state.Type === 'Map' || state.Type === 'Parallel') && !mock)
    throw stepfunctionsError(
      'InvalidDefinition',
      'TestState API does not support Map or Parallel states. Supported state types include: [Task, Wait, Pass, Succeed, Fail, Choice]',
    );
  const given = contextOf(input.context, state);
  const data = parse(input.input ?? '{}', invalidInput);
  const variables = parse(input.variables ?? '{}', (why) => invalid(`Invalid variables: ${why}`));
  if (!isObject(variables)) throw invalid('Variables must be a JSON object');
  const run = ctx.state.executions.test({ block, state: name, input: data, given, mock, roleArn });
  const attempted = await attemptOnce(run, run.root, block, variables, configuration.retrierRetryCount ?? 0);
  const answer = answerOf(attempted);
  if (level === 'INFO') return answer;
  const inspectionData = inspection(run.seen, data, state, attempted);
  if (level !== 'TRACE' || !run.http) return { ...answer, inspectionData };
  return { ...answer, inspectionData: { ...inspectionData, ...exchanged(run.http, input.revealSecrets ?? false) } };
}

/** Formats headers as in state tests. */
const headersText = (headers: Readonly<Record<string, string | readonly string[]>>): string =>
  `[${Object.entries(headers)
    .flatMap(([name, values]) => [values].flat().map((value) => `${name}: ${value}`))
    .join(', ')}]`;

/**
 * Returns request and response of an HTTP task.
 * @param reveals whether to include values added by the connection
 */
function exchanged({ method, own, sent, answer }: HttpExchange, reveals: boolean): InspectionData {
  const { Url: url, Headers: headers, Body: body } = reveals ? sent : own;
  const protocol = new URL(url).protocol.slice(0, -1);
  const request = { protocol, method, url, headers: headersText(headers), ...(body !== undefined && { body }) };
  if (answer.Status === 0) return { request };
  const response = {
    protocol,
    statusCode: String(answer.Status),
    statusMessage: answer.StatusText,
    headers: headersText(answer.Headers),
    body: answer.Body,
  };
  return { request, response };
}

function answerOf(attempted: Attempted): TestStateOutput {
  if ('outcome' in attempted) {
    const { output, next } = attempted.outcome;
    return { output: JSON.stringify(output), status: 'SUCCEEDED', ...(next !== undefined && { nextState: next }) };
  }
  const { failure, retry, caught } = attempted;
  const said: TestStateOutput = {
    ...(failure.error !== undefined && { error: failure.error }),
    ...(failure.reason !== undefined && { cause: failure.reason }),
  };
  if (retry) return { ...said, status: 'RETRIABLE' };
  if (!caught) return { ...said, status: 'FAILED' };
  const { output, next } = caught.outcome;
  return {
    ...said,
    status: 'CAUGHT_ERROR',
    output: JSON.stringify(output),
    ...(next !== undefined && { nextState: next }),
  };
}

/** Returns the inspected data of the state. */
function inspection(
  { maxConcurrency, ...seen }: Readonly<Record<string, Json>>,
  input: Json,
  state: State,
  attempted: Attempted,
): InspectionData {
  const { retry, caught } = 'failure' in attempted ? attempted : {};
  const errorDetails = {
    ...(retry && { retryIndex: retry.index, retryBackoffIntervalSeconds: retry.seconds }),
    ...(caught && { catchIndex: caught.index }),
  };
  const { ToleratedFailureCount: count, ToleratedFailurePercentage: percentage } = state;
  return {
    input: JSON.stringify(input),
    ...Object.fromEntries(Object.entries(seen).map(([stage, value]) => [stage, JSON.stringify(value)])),
    ...(typeof maxConcurrency === 'number' && { maxConcurrency }),
    ...(state.Type === 'Map' && typeof count === 'number' && { toleratedFailureCount: count }),
    ...(state.Type === 'Map' && typeof percentage === 'number' && { toleratedFailurePercentage: percentage }),
    ...(Object.keys(errorDetails).length && { errorDetails }),
  };
}

import { setImmediate } from 'node:timers/promises';
import { isRoleArn, Slices } from '@emu/core/service';
import type { HistoryEventType } from '@emu/service-types/stepfunctions';
import { isObject, textOf } from '@emu/wire';
import { holds } from '../asl/choice.ts';
import type { Block, State } from '../asl/definition.ts';
import { type Environment, newWork } from '../asl/environment.ts';
import { queryFailure, runtimeFailure, StateFailure } from '../asl/failure.ts';
import type { Json, JsonObject } from '../asl/json.ts';
import { distributed } from './distributed.ts';
import { WHOLE } from './events.ts';
import {
  assigned,
  failureText,
  fill,
  integerAt,
  isResultPathFailure,
  place,
  seconds,
  select,
  value,
  waitEnd,
} from './fields.ts';
import { type CurrentState, type Frame, resetAttempt } from './frame.ts';
import { catcherOf, retrierIndex, retryDelay } from './retry.ts';
import { limit, note, type Run } from './run.ts';
import { Ended, Scope } from './scope.ts';
import type { Step } from './step.ts';

/** Outcome of a state: its output, assigned variables and next state. */
export interface Outcome {
  output: Json;
  assign?: JsonObject | undefined;
  next: string | undefined;
}

/** Starts a run of a block. */
export const beginFrame = (block: Block, input: Json, last: number): Frame => ({
  state: block.StartAt,
  input,
  variables: {},
  last,
});

/** Number of states after which a run lets requests and timers run. Most states end at once. */
const STATES_PER_TURN = 100;

/**
 * Runs a block from its frame's position to its end.
 * @param outerVariables of enclosing scopes
 * @returns its output
 * @throws StateFailure for an uncaught failure; the scope's error if that has ended
 */
export async function runBlock(
  run: Run,
  frame: Frame,
  block: Block,
  scope: Scope,
  outerVariables: Readonly<JsonObject> = {},
): Promise<Json> {
  while (!frame.done) {
    if (++run.states % STATES_PER_TURN === 0) await setImmediate();
    scope.check();
    const name = frame.state;
    const state = block.States[name]!;
    const language = state.QueryLanguage ?? block.QueryLanguage ?? run.definition.QueryLanguage ?? 'JSONPath';
    if (!frame.current) {
      const before = frame.last;
      const entered = note(run, frame, `${state.Type}StateEntered` as HistoryEventType, [
        'stateEnteredEventDetails',
        { name, input: JSON.stringify(frame.input), inputDetails: WHOLE },
      ]);
      frame.current = { before, entered, enteredAt: run.clock.now(), attempts: {}, retries: 0 };
    }
    const variables = { ...outerVariables, ...frame.variables };
    const step: Step = { run, frame, current: frame.current, name, state, language, scope, outer: block, variables };
    const { output, assign, next } = await execute(step);
    const details: JsonObject = { name, output: JSON.stringify(output), outputDetails: WHOLE };
    if (assign && Object.keys(assign).length > 0) {
      details.assignedVariables = Object.fromEntries(
        Object.entries(assign).map(([key, item]) => [key, JSON.stringify(item)]),
      );
      details.assignedVariablesDetails = WHOLE;
      Object.assign(frame.variables, assign);
    }
    note(run, frame, `${state.Type}StateExited` as HistoryEventType, ['stateExitedEventDetails', details]);
    delete frame.current;
    frame.input = output;
    if (next === undefined) frame.done = { output };
    else frame.state = next;
  }
  return frame.done.output;
}

/** State types with an abort event. */
const ABORTED: ReadonlySet<string> = new Set(['Task', 'Wait', 'Parallel', 'Map']);
const RETRIED: ReadonlySet<string> = new Set(['Task', 'Parallel', 'Map']);

/** Returns the values for a state's expressions. */
function environment(
  { run, frame, current, name, variables, scope, state: { Type: type } }: Step,
  input: Json,
  more: Partial<Environment> = {},
) {
  const state: JsonObject = {
    EnteredTime: new Date(current.enteredAt).toISOString(),
    Name: name,
    // Only states that support Retry have it.
    ...(RETRIED.has(type) && { RetryCount: current.retries }),
  };
  const context: JsonObject = run.given ?? { ...run.context, State: state, ...frame.map };
  if (current.token !== undefined && !run.given) context.Task = { Token: current.token };
  const { StateMachine: machine } = run.context;
  return {
    input,
    context,
    variables,
    state: name,
    owner: isObject(machine) ? textOf(machine.Id) : 'state tests',
    time: run.clock.now(),
    work: newWork(),
    wait: (work) => scope.settled(work),
    ids: run.ids,
    ...more,
  } satisfies Environment;
}

/** Returns a failure for the execution: data failures include the state's name. */
function namedFailure({ name, current, run, frame }: Step, error: unknown): StateFailure {
  const failure = isResultPathFailure(error)
    ? new StateFailure('States.ResultPathMatchFailure', error.message, undefined, true)
    : error;
  if (!(failure instanceof StateFailure)) throw error;
  if (!failure.ofState) return failure;
  const reason = `An error occurred while executing the state '${name}' (entered at the event id #${current.entered}). ${failure.reason}`;
  const named = new StateFailure(failure.error, reason, failure.location);
  if (failure.error === 'States.QueryEvaluationError') {
    const details: JsonObject = { error: failure.error, cause: reason, state: name };
    if (failure.location !== undefined) details.location = failure.location;
    // As in AWS, it follows the event before the state.
    frame.last = run.emit('EvaluationFailed', current.before, ['evaluationFailedEventDetails', details]);
  }
  return named;
}

/** Waits until a recorded time. */
async function waitUntil({ run, frame, scope }: Step, time: number): Promise<void> {
  if (frame === run.root && time > run.clock.now()) run.park?.(time);
  await scope.until(time);
}

async function execute(step: Step): Promise<Outcome> {
  const { run, frame, current, state, scope } = step;
  for (;;) {
    if (current.until !== undefined && state.Type !== 'Wait') {
      await waitUntil(step, current.until);
      delete current.until;
      current.retries++;
    }
    try {
      return await attempt(step);
    } catch (error) {
      if (scope.ended) {
        if (!run.scope.ended && ABORTED.has(state.Type))
          note(run, frame, `${state.Type}StateAborted` as HistoryEventType);
        throw error;
      }
      const failure = namedFailure(step, error);
      const begun = (current.children ?? current.mapRun) !== undefined;
      const delay = retryDelay(state, current, failure, () => run.ids.random());
      if (delay !== undefined) {
        resetAttempt(current);
        delete current.children;
        delete current.items;
        delete current.mapRun;
        current.until = run.clock.now() + delay;
        run.save();
        continue;
      }
      // A data failure before the start has no start event.
      const isRecorded = begun || failure.error !== 'States.Runtime';
      if (isRecorded && (state.Type === 'Parallel' || state.Type === 'Map'))
        note(run, frame, `${state.Type}StateFailed`);
      const caught = await catchOutcome(step, failure);
      if (caught) return caught;
      throw failure;
    }
  }
}

/** Outcome of one attempt at a state. */
export type Attempted =
  | { outcome: Outcome }
  | { failure: StateFailure; retry?: { index: number; seconds: number }; caught?: { index: number; outcome: Outcome } };

/**
 * Runs a state once and returns what an execution would do next.
 * @param retried attempts already counted by its retrier
 */
export async function attemptOnce(
  run: Run,
  frame: Frame,
  block: Block,
  variables: Readonly<JsonObject>,
  retried: number,
): Promise<Attempted> {
  const name = frame.state;
  const state = block.States[name]!;
  const language = state.QueryLanguage ?? block.QueryLanguage ?? 'JSONPath';
  const current: CurrentState = { before: 0, entered: 0, enteredAt: run.clock.now(), attempts: {}, retries: retried };
  frame.current = current;
  const step: Step = { run, frame, current, name, state, language, scope: run.scope, outer: block, variables };
  try {
    return { outcome: await attempt(step) };
  } catch (error) {
    const failure = bareFailure(error);
    const index = retrierIndex(state, failure);
    if (index >= 0) {
      current.attempts[index] = retried;
      const delay = retryDelay(state, current, failure, () => run.ids.random());
      if (delay !== undefined) return { failure, retry: { index, seconds: delay / 1000 } };
    }
    const outcome = await catchOutcome(step, failure);
    if (!outcome) return { failure };
    return { failure, caught: { index: state.Catch!.indexOf(catcherOf(state, failure)!), outcome } };
  }
}

/**
 * Returns a failure without the state's name, for state tests.
 * @throws Error other errors
 */
function bareFailure(error: unknown): StateFailure {
  if (error instanceof StateFailure) return error;
  if (isResultPathFailure(error)) return new StateFailure('States.ResultPathMatchFailure', error.message);
  throw error;
}

/** Returns the outcome of the matching catcher; undefined if there is none. */
async function catchOutcome(step: Step, failure: StateFailure): Promise<Outcome | undefined> {
  const { state, frame, language } = step;
  const catcher = catcherOf(state, failure);
  if (!catcher) return undefined;
  const errorOutput: JsonObject = { Error: failure.error ?? null };
  // A task may be failed without error and cause.
  if (failure.error === undefined) errorOutput.Cause = failure.reason ?? null;
  // A timed out task has an empty cause.
  else if (failure.reason !== undefined || failure.error === 'States.Timeout') errorOutput.Cause = failure.reason ?? '';
  try {
    if (language === 'JSONata') {
      const env = environment(step, frame.input, { errorOutput });
      const assign = await assigned(catcher.Assign, language, env);
      const output = catcher.Output === undefined ? errorOutput : await fill(catcher.Output, 'Output', language, env);
      return { output, assign, next: catcher.Next };
    }
    const assign = await assigned(catcher.Assign, language, environment(step, errorOutput));
    return { output: place(catcher.ResultPath, frame.input, errorOutput), assign, next: catcher.Next };
  } catch (error) {
    throw namedFailure(step, error);
  }
}

const nextOf = (state: State): string | undefined => (state.End ? undefined : state.Next);

/** Runs one attempt at a state. */
async function attempt(step: Step): Promise<Outcome> {
  const { state, frame, language, run, current } = step;
  const input = language === 'JSONata' ? frame.input : select(state.InputPath, environment(step, frame.input));
  const env = environment(step, input);
  // A Result replaces the input, which is then not inspected.
  if (language !== 'JSONata' && state.Result === undefined) run.inspect?.('afterInputPath', input);
  switch (state.Type) {
    case 'Pass': {
      if (language === 'JSONata') return leave(step, input);
      const passed = state.Parameters === undefined ? input : await fill(state.Parameters, 'Parameters', language, env);
      run.inspect?.(state.Result === undefined ? 'afterParameters' : 'result', state.Result ?? passed);
      return leave(step, input, state.Result === undefined ? passed : state.Result);
    }
    case 'Succeed':
      return { ...(await leave(step, input)), next: undefined };
    case 'Fail': {
      const error = await failureText(state, 'Error', env);
      throw new StateFailure(error, await failureText(state, 'Cause', env));
    }
    case 'Choice':
      return choose(step, input);
    case 'Wait': {
      if (current.until === undefined) {
        current.until = await waitEnd(state, env, run.clock.now());
        run.save();
      }
      // State tests do not wait.
      if (current.until > run.clock.now() && !run.inspect) await waitUntil(step, current.until);
      delete current.until;
      return leave(step, input);
    }
    case 'Task':
      return leave(step, input, await task(step, input));
    case 'Parallel':
      return leave(step, input, await parallel(step, input));
    case 'Map':
      return leave(step, input, await map(step, input));
  }
}

/** Returns the outcome of a state with a result: ResultSelector, ResultPath and OutputPath, or Assign and Output. */
async function leave(step: Step, input: Json, result?: Json): Promise<Outcome> {
  const { state, frame, language, name } = step;
  if (language === 'JSONata') {
    const env = environment(step, frame.input, result === undefined ? {} : { result });
    const assign = await assigned(state.Assign, language, env);
    const output = state.Output === undefined ? (result ?? input) : await fill(state.Output, 'Output', language, env);
    return { output: limit(output, name), assign, next: nextOf(state) };
  }
  let selected = result;
  if (selected !== undefined && state.ResultSelector !== undefined)
    selected = await fill(state.ResultSelector, 'ResultSelector', language, environment(step, selected));
  const assign = await assigned(state.Assign, language, environment(step, selected ?? input));
  if (selected !== undefined) step.run.inspect?.('afterResultSelector', selected);
  // The result is inserted into the input after InputPath, which is the whole output for a state without a result.
  const placed = selected === undefined ? input : place(state.ResultPath, frame.input, selected);
  if (selected !== undefined) step.run.inspect?.('afterResultPath', placed);
  const output = select(state.OutputPath, environment(step, placed));
  return { output: limit(output, name), assign, next: nextOf(state) };
}

async function choose(step: Step, input: Json): Promise<Outcome> {
  const { state, language, frame, name } = step;
  const env = environment(step, input);
  for (const [index, rule] of state.Choices!.entries()) {
    const { Condition: condition } = rule;
    const met =
      condition === undefined
        ? holds(rule, env)
        : (await value(condition, `Choices[${index}]/Condition`, env, 'boolean')) === true;
    if (!met) continue;
    const assign = await assigned(rule.Assign, language, env);
    const output =
      language === 'JSONata'
        ? rule.Output === undefined
          ? input
          : await fill(rule.Output, 'Output', language, env)
        : select(state.OutputPath, environment(step, input));
    return { output: limit(output, name), assign, next: rule.Next };
  }
  if (state.Default === undefined)
    throw new StateFailure(
      'States.NoChoiceMatched',
      `An error occurred while executing the state '${name}' (entered at the event id #${step.current.entered}). Failed to transition out of the state. The state does not point to a next state.`,
    );
  const assign = await assigned(state.Assign, language, env);
  const output =
    language === 'JSONata'
      ? state.Output === undefined
        ? input
        : await fill(state.Output, 'Output', language, env)
      : select(state.OutputPath, environment(step, frame.input));
  return { output, assign, next: state.Default };
}

/** Matches tasks that can be completed by a token. */
const AWAITED = /\.(waitForTaskToken|sync|sync:2)$/;

async function task(step: Step, input: Json): Promise<Json> {
  const { run, frame, name, state, language, scope, current } = step;
  if (current.result) return current.result.value;
  if (AWAITED.test(state.Resource!)) current.token ??= run.token();
  const env = environment(step, input);
  const template = language === 'JSONata' ? state.Arguments : state.Parameters;
  const parameters =
    template === undefined
      ? input
      : await fill(template, language === 'JSONata' ? 'Arguments' : 'Parameters', language, env);
  run.inspect?.(language === 'JSONata' ? 'afterArguments' : 'afterParameters', parameters);
  const timeout = await seconds(state, 'TimeoutSeconds', env);
  const heartbeat = await seconds(state, 'HeartbeatSeconds', env);
  const roleArn = await credentialsOf(step, env);
  const result = await run.perform({ run, frame, name, state, input: parameters, scope, timeout, heartbeat, roleArn });
  if (language !== 'JSONata') run.inspect?.('result', result);
  current.result = { value: result };
  run.save();
  return result;
}

/**
 * Returns the role in Credentials, given as text, path or expression.
 * @throws StateFailure for an invalid role
 */
async function credentialsOf({ state, language }: Step, env: Environment): Promise<string | undefined> {
  if (!state.Credentials) return undefined;
  const credentials = await fill(state.Credentials, 'Credentials', language, env);
  const role = isObject(credentials) ? credentials.RoleArn : undefined;
  if (typeof role !== 'string' || !isRoleArn(role))
    throw runtimeFailure(
      `The value of the field 'Credentials/RoleArn' is not the ARN of a role: ${JSON.stringify(role)}`,
    );
  return role;
}

async function parallel(step: Step, input: Json): Promise<Json> {
  const { run, frame, state, language, current } = step;
  if (run.mocked) return run.mocked();
  if (!current.children) {
    const template = language === 'JSONata' ? state.Arguments : state.Parameters;
    const passed =
      template === undefined
        ? input
        : await fill(template, language === 'JSONata' ? 'Arguments' : 'Parameters', language, environment(step, input));
    const started = note(run, frame, 'ParallelStateStarted');
    current.children = state.Branches!.map((branch) => ({
      ...beginFrame(branch, passed, started),
      ...(frame.map && { map: frame.map }),
    }));
  }
  const { children } = current;
  const results = await runConcurrently(step, children, async (child, scope, index) => {
    const branch = state.Branches![index]!;
    try {
      const output = await runBlock(run, child, branch, scope, step.variables);
      frame.last = child.last;
      return output;
    } catch (error) {
      // A task that fails with its branch has an abort event.
      if (error instanceof StateFailure && !scope.ended && branch.States[child.state]?.Type === 'Task')
        // Later events follow the failure, not this event.
        run.emit('TaskStateAborted', child.last);
      throw error;
    }
  });
  run.emit('ParallelStateSucceeded', frame.last);
  return results;
}

async function map(step: Step, input: Json): Promise<Json> {
  const { run, frame, name, state, language, current } = step;
  const processor = state.ItemProcessor ?? state.Iterator!;
  const most = await concurrency(step, input);
  if (run.mocked) {
    if (state.ItemsPath !== undefined)
      run.inspect?.('afterItemsPath', await itemsOf(step, input, environment(step, input)));
    run.inspect?.('maxConcurrency', state.MaxConcurrency === undefined ? 0 : most);
    return run.mocked();
  }
  if (processor.ProcessorConfig?.Mode === 'DISTRIBUTED') {
    const env = environment(step, input);
    return distributed(step, { items: () => itemsOf(step, input, env), concurrency: most, env });
  }
  if (!current.children) {
    const env = environment(step, input);
    const items = await itemsOf(step, input, env);
    current.items = items;
    const started = note(run, frame, 'MapStateStarted', ['mapStateStartedEventDetails', { length: items.length }]);
    // A restart meanwhile selects all items again.
    const children: Frame[] = [];
    const slices = new Slices();
    for (const [index, item] of items.entries()) {
      const own: JsonObject = { Map: { Item: { Index: index, Value: item } } };
      const template = state.ItemSelector ?? state.Parameters;
      const pause = slices.pause();
      if (pause) await env.wait(pause);
      const selected =
        template === undefined
          ? item
          : await fill(template, 'ItemSelector', language, {
              ...env,
              work: newWork(),
              context: { ...env.context, ...own },
            });
      children.push({ ...beginFrame(processor, selected, started), map: own });
    }
    current.children = children;
  }
  const { children } = current;
  const details = (index: number): JsonObject => ({ index, name });
  let succeeded = 0;
  const results = await runConcurrently(
    step,
    children,
    async (child, scope, index) => {
      if (!child.started) {
        // Sequential iterations follow each other's last event.
        if (most === 1) child.last = frame.last;
        child.last = run.emit('MapIterationStarted', child.last, ['mapIterationStartedEventDetails', details(index)]);
        child.started = true;
      }
      try {
        const output = await runBlock(run, child, processor, scope, step.variables);
        succeeded = run.emit('MapIterationSucceeded', child.last, [
          'mapIterationSucceededEventDetails',
          details(index),
        ]);
        return output;
      } catch (error) {
        const failed = error instanceof StateFailure;
        if (failed && !scope.ended)
          run.emit('MapIterationFailed', child.last, ['mapIterationFailedEventDetails', details(index)]);
        else if (error instanceof Ended)
          run.emit('MapIterationAborted', child.last, ['mapIterationAbortedEventDetails', details(index)]);
        throw error;
      } finally {
        frame.last = child.last;
      }
    },
    most,
  );
  if (succeeded > 0) frame.last = succeeded;
  run.emit('MapStateSucceeded', frame.last);
  return results;
}

async function itemsOf({ state, language }: Step, input: Json, env: Environment): Promise<Json[]> {
  if (language === 'JSONata') {
    const items = state.Items === undefined ? input : await itemsField(state.Items, env);
    if (Array.isArray(items)) return items;
    throw queryFailure(`Map state input must be an array but was: ${JSON.stringify(items)}`);
  }
  const items = state.ItemsPath === undefined ? input : select(state.ItemsPath, env);
  if (Array.isArray(items)) return items;
  throw runtimeFailure(`Reference path "${state.ItemsPath ?? '$'}" must point to array.`);
}

const itemsField = async (items: Json, env: Environment): Promise<Json> =>
  typeof items === 'string' ? value(items, 'Items', env, 'array') : fill(items, 'Items', 'JSONata', env);

async function concurrency(step: Step, input: Json): Promise<number> {
  const { state } = step;
  const env = environment(step, input);
  const found =
    state.MaxConcurrencyPath === undefined
      ? await value(state.MaxConcurrency ?? 0, 'MaxConcurrency', env, 'number')
      : integerAt(state.MaxConcurrencyPath, 'MaxConcurrencyPath', env);
  if (typeof found !== 'number' || found < 0) throw runtimeFailure('MaxConcurrency cannot be negative.');
  if ((state.ItemProcessor ?? state.Iterator)?.ProcessorConfig?.Mode === 'DISTRIBUTED') return found;
  return found === 0 ? MAX_AT_ONCE : found;
}

/** Maximum concurrency of inline maps in AWS. */
const MAX_AT_ONCE = 40;

/**
 * Runs frames concurrently; the first failure ends the others.
 * @returns their outputs
 */
async function runConcurrently(
  { run, frame, scope, current }: Step,
  children: Frame[],
  runChild: (child: Frame, scope: Scope, index: number) => Promise<Json>,
  most = children.length,
): Promise<Json[]> {
  const inner = new Scope(run.clock, scope);
  const outputs: Json[] = children.map(({ done }) => done?.output ?? null);
  const waiting = children.flatMap((child, index) => (child.done ? [] : [index]));
  let failure: unknown;
  const work = async (): Promise<void> => {
    for (let index = waiting.shift(); index !== undefined && !inner.ended; index = waiting.shift())
      try {
        outputs[index] = await runChild(children[index]!, inner, index);
      } catch (error) {
        if (!inner.ended) {
          failure = error;
          frame.last = children[index]!.last;
          inner.end();
        }
      }
  };
  await Promise.all(Array.from({ length: Math.min(most, waiting.length) }, work));
  scope.check();
  if (failure !== undefined) throw failure;
  delete current.children;
  return outputs;
}

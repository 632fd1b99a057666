import {
  fromSdkNames,
  sdkErrorName,
  sdkErrorPrefix,
  sdkServiceOf,
  toSdkNames,
  withIdempotencyTokens,
} from '@emu/core/sdk-names';
import { parseArn } from '@emu/core/service';
import { AwsError, isObject, jsonOrText, type ServiceModel } from '@emu/wire';
import { HeartbeatFailure, runtimeFailure, StateFailure } from '../asl/failure.ts';
import { OPTIMISED, type Optimised, parseIntegration, sdkInput } from '../asl/integration-table.ts';
import type { Json, JsonObject } from '../asl/json.ts';
import { WHOLE } from '../runtime/events.ts';
import { limit, note, type Task } from '../runtime/run.ts';
import { Scope } from '../runtime/scope.ts';
import type { WaitingTasks } from '../runtime/waiting.ts';
import { areHeaders, invokeApi } from './api-gateway.ts';
import { invokeHttp } from './http.ts';
import type { MockedResponse } from './mock-file.ts';
import { jsonOf, metadata } from './result.ts';
import { asRole } from './role.ts';
import type { TaskContext } from './task-context.ts';

type Details = [string, JsonObject];

/** Event names and details of a kind of task. */
interface Events {
  failed(failure: StateFailure): void;
  timedOut(failure: StateFailure): void;
}

const failureDetails = ({ error, reason }: StateFailure): JsonObject => ({
  ...(error !== undefined && { error }),
  ...(reason !== undefined && { cause: reason }),
});

const TIMEOUTS = new Set(['States.Timeout', 'States.HeartbeatTimeout']);

/** Timeouts of a task, which end its scope. */
class Bounds {
  readonly scope: Scope;
  private timer: { cancel(): void } | undefined;
  private heartbeat: { cancel(): void } | undefined;

  constructor(
    private readonly task: Task,
    since: number,
  ) {
    const { run, scope, timeout } = task;
    this.scope = new Scope(run.clock, scope);
    if (timeout !== undefined)
      this.timer = run.clock.at(since + timeout * 1000, () =>
        this.scope.end(new StateFailure('States.Timeout', undefined)),
      );
  }

  /** Records a heartbeat. */
  beat(): void {
    const { run, heartbeat } = this.task;
    this.heartbeat?.cancel();
    if (heartbeat !== undefined)
      this.heartbeat = run.clock.after(heartbeat * 1000, () => this.scope.end(new HeartbeatFailure()));
  }

  close(): void {
    this.timer?.cancel();
    this.heartbeat?.cancel();
  }
}

/** Runs a task with its timeouts and records its failure. */
async function bounded(
  task: Task,
  events: Events,
  since: number,
  work: (bounds: Bounds) => Promise<Json>,
): Promise<Json> {
  const bounds = new Bounds(task, since);
  try {
    return await work(bounds);
  } catch (error) {
    if (task.scope.ended || !(error instanceof StateFailure)) throw error;
    if (TIMEOUTS.has(error.error ?? '') && bounds.scope.ended) events.timedOut(error);
    else events.failed(error);
    throw error;
  } finally {
    bounds.close();
  }
}

const times = ({ timeout, heartbeat }: Task): JsonObject => ({
  ...(timeout !== undefined && { timeoutInSeconds: timeout }),
  ...(heartbeat !== undefined && { heartbeatInSeconds: heartbeat }),
});

/** Returns a task's role in the form of events. */
const credentials = ({ roleArn }: Task): JsonObject => (roleArn === undefined ? {} : { taskCredentials: { roleArn } });

const output = (value: Json): JsonObject => ({ output: JSON.stringify(value), outputDetails: WHOLE });

/**
 * Returns the test case's response for this attempt; undefined if the task is not mocked.
 * @throws StateFailure
 */
const mockFor = ({ name, frame }: Task, { testCase }: TaskContext): MockedResponse | undefined =>
  testCase?.response(name, frame.current!.retries);

/**
 * Returns a mocked result.
 * @throws StateFailure the mocked failure
 */
function given(mock: MockedResponse): Json {
  if ('failure' in mock) throw mock.failure;
  return mock.result;
}

/**
 * Runs a task by its resource.
 * @throws StateFailure for Retry and Catch
 */
export async function perform(task: Task, around: TaskContext): Promise<Json> {
  const resource = task.state.Resource!;
  const arn = parseArn(resource);
  if (arn?.service === 'lambda') return lambdaFunction(task, around, resource);
  if (arn?.service === 'states' && arn.resource.startsWith('activity:')) return activity(task, around, resource);
  return integration(task, around, resource);
}

/** Runs a Lambda function given by ARN. */
async function lambdaFunction(task: Task, around: TaskContext, resource: string): Promise<Json> {
  const { run, frame, input } = task;
  const emit = (type: Parameters<typeof note>[2], details?: Details) => note(run, frame, type, details);
  emit('LambdaFunctionScheduled', [
    'lambdaFunctionScheduledEventDetails',
    { input: JSON.stringify(input), inputDetails: WHOLE, resource, ...times(task), ...credentials(task) },
  ]);
  emit('LambdaFunctionStarted');
  const events: Events = {
    failed: (failure) => emit('LambdaFunctionFailed', ['lambdaFunctionFailedEventDetails', failureDetails(failure)]),
    timedOut: (failure) =>
      emit('LambdaFunctionTimedOut', ['lambdaFunctionTimedOutEventDetails', failureDetails(failure)]),
  };
  return bounded(task, events, run.clock.now(), async ({ scope }) => {
    const mock = mockFor(task, around);
    const result = limit(
      mock
        ? given(mock)
        : ((await scope.settled(invoke({ FunctionName: resource, Payload: input }, task, around))).Payload ?? null),
      resource,
    );
    emit('LambdaFunctionSucceeded', ['lambdaFunctionSucceededEventDetails', output(result)]);
    return result;
  });
}

interface InvokeAnswer {
  StatusCode?: number;
  ExecutedVersion?: string;
  /** End of the log in base64, if requested. */
  LogResult?: string;
  Payload: Json | undefined;
}

/**
 * Invokes a function and parses its response.
 * @throws StateFailure of the function or Lambda
 */
async function invoke(parameters: JsonObject, task: Task, around: TaskContext): Promise<InvokeAnswer> {
  const { prefix, awsName, input } = OPTIMISED.lambda!;
  let answer: Omit<InvokeAnswer, 'Payload'> & { FunctionError?: string; Payload?: unknown };
  try {
    answer = (await around.scope.callJson(
      'lambda',
      'Invoke',
      input!(parameters, 'invoke'),
      asRole(around, task),
    )) as typeof answer;
  } catch (error) {
    throw serviceFailure(error, { prefix, awsName, task });
  }
  const text = ((await jsonOf(answer.Payload)) as string | undefined) ?? '';
  if (answer.FunctionError !== undefined) {
    const failure = jsonOrText(text);
    const type = isObject(failure) && typeof failure.errorType === 'string' ? failure.errorType : 'Lambda.Unknown';
    throw new StateFailure(type, text);
  }
  return {
    ...(answer.StatusCode !== undefined && { StatusCode: answer.StatusCode }),
    ExecutedVersion: answer.ExecutedVersion ?? '$LATEST',
    ...(answer.LogResult !== undefined && { LogResult: answer.LogResult }),
    Payload: text === '' ? undefined : jsonOrText(text),
  };
}

/** Errors missing in service models, which have the service's generic exception. */
const UNMODELLED = new Set([
  'ValidationException',
  'ValidationError',
  'MissingParameter',
  'InvalidParameterValue',
  'AccessDenied',
  'AccessDeniedException',
  'InvalidAction',
  'SerializationException',
]);

/** Error codes that differ from the error's name, by service. */
const WIRE_CODES: Readonly<Record<string, (name: string) => string>> = {
  AmazonSNS: (name) => name.replace(/Exception$/, ''),
};

/** Converts a service's error to a failure, named as in AWS's SDKs for Java. */
function serviceFailure(
  error: unknown,
  { prefix, awsName, task, model }: { prefix: string; awsName?: string; task: Task; model?: ServiceModel | undefined },
): StateFailure {
  if (!(error instanceof AwsError)) throw error;
  const { code } = error;
  const message = error.message || `Service returned error code ${code}`;
  const requestId = task.run.ids.uuid();
  const short = code.split('.').at(-1)!;
  const status = error.status ?? 400;
  const modelled = model && (sdkErrorName(model, code) ?? sdkErrorName(model, short) ?? `${prefix}Exception`);
  const own = modelled ?? (UNMODELLED.has(short) ? `${awsName ?? prefix}Exception` : undefined);
  const type = own?.replace(/v2Exception$/, 'Exception') ?? (short.endsWith('Exception') ? short : `${short}Exception`);
  if (short === 'NotImplemented') return new StateFailure('States.Runtime', message);
  const cause =
    awsName === undefined
      ? `${message} (Service: ${prefix}, Status Code: ${status}, Request ID: ${requestId}${prefix === 'S3' ? `, Extended Request ID: ${task.run.ids.bytes(57).toString('base64')}` : ''})${prefix === 'Sfn' ? ' (SDK Attempt Count: 1)' : ''}`
      : `${message} (Service: ${awsName}; Status Code: ${status}; Error Code: ${WIRE_CODES[awsName]?.(short) ?? short}; Request ID: ${requestId}; Proxy: null)`;
  return new StateFailure(`${prefix}.${type}`, cause);
}

/** Runs an activity task, which workers poll for. */
async function activity(task: Task, around: TaskContext, resource: string): Promise<Json> {
  const { run, frame, input } = task;
  const current = frame.current!;
  if (!around.activityExists(resource)) throw runtimeFailure(`The activity ${resource} does not exist.`);
  const emit = (type: Parameters<typeof note>[2], details?: Details) => note(run, frame, type, details);
  if (current.token === undefined) {
    current.token = run.token();
    current.scheduledAt = run.clock.now();
    emit('ActivityScheduled', [
      'activityScheduledEventDetails',
      { resource, input: JSON.stringify(input), inputDetails: WHOLE, ...times(task) },
    ]);
    run.save();
  }
  const { token } = current;
  const events: Events = {
    failed: (failure) => emit('ActivityFailed', ['activityFailedEventDetails', failureDetails(failure)]),
    timedOut: (failure) => emit('ActivityTimedOut', ['activityTimedOutEventDetails', failureDetails(failure)]),
  };
  return bounded(task, events, current.scheduledAt!, async (bounds) => {
    const mock = mockFor(task, around);
    if (mock) {
      const result = limit(given(mock), resource);
      emit('ActivitySucceeded', ['activitySucceededEventDetails', output(result)]);
      return result;
    }
    const waiting = ended(token, bounds.scope, bounds, around.waiting);
    if (current.worker) bounds.beat();
    else
      around.waiting.enqueue(resource, {
        token,
        input: JSON.stringify(input),
        started(workerName) {
          current.worker = true;
          emit('ActivityStarted', ['activityStartedEventDetails', workerName === undefined ? {} : { workerName }]);
          run.save();
          bounds.beat();
        },
      });
    try {
      const result = limit(await waiting, resource);
      emit('ActivitySucceeded', ['activitySucceededEventDetails', output(result)]);
      return result;
    } finally {
      around.waiting.drop(resource, token);
    }
  });
}

/** Waits until a task is completed by its token. */
async function ended(token: string, scope: Scope, bounds: Bounds, waiting: WaitingTasks): Promise<Json> {
  return scope.wait<Json>((resolve, reject) => {
    waiting.await(token, { succeed: resolve, fail: reject, beat: () => bounds.beat() });
    return () => waiting.discard(token);
  });
}

/** Integrations that send HTTP requests. */
const SENDERS: Readonly<Record<string, typeof invokeHttp>> = {
  http: invokeHttp,
  apigateway: invokeApi,
  'apigateway.waitForTaskToken': invokeApi,
};

/** Runs an integration: optimized, or any operation of a service. */
async function integration(task: Task, around: TaskContext, resource: string): Promise<Json> {
  const { run, frame, input } = task;
  const current = frame.current!;
  const named = parseIntegration(resource);
  if (!named) throw runtimeFailure(`emu has no integration ${resource}.`);
  const { resourceType, action, form } = named;
  const sends = action === 'invoke' ? SENDERS[`${resourceType}${form}`] : undefined;
  const optimised = named.sdk === undefined ? OPTIMISED[resourceType] : undefined;
  if (named.sdk === undefined && !optimised && !sends) throw runtimeFailure(`emu has no integration ${resource}.`);
  const common = { resourceType, resource: named.resource };
  const emit = (type: Parameters<typeof note>[2], details?: Details) => note(run, frame, type, details);
  const resumed = form === '.waitForTaskToken' && current.scheduledAt !== undefined;
  const nested = current.nested;
  if (resourceType === 'apigateway' && !areHeaders(input))
    throw runtimeFailure(
      `The Parameters '${JSON.stringify(input)}' could not be used to start the Task: [The value of the field 'Headers' has an invalid format]`,
    );
  if (!resumed && nested === undefined) {
    emit('TaskScheduled', [
      'taskScheduledEventDetails',
      {
        ...common,
        region: around.scope.region,
        parameters: JSON.stringify(input),
        ...times(task),
        ...credentials(task),
      },
    ]);
    emit('TaskStarted', ['taskStartedEventDetails', common]);
    current.scheduledAt = run.clock.now();
  }
  const events: Events = {
    failed: (failure) => emit('TaskFailed', ['taskFailedEventDetails', { ...common, ...failureDetails(failure) }]),
    timedOut: (failure) =>
      emit('TaskTimedOut', ['taskTimedOutEventDetails', { ...common, ...failureDetails(failure) }]),
  };
  const submitted = (value: Json) =>
    emit('TaskSubmitted', ['taskSubmittedEventDetails', { ...common, ...output(value) }]);
  return bounded(task, events, current.scheduledAt ?? run.clock.now(), async (bounds) => {
    const call = () =>
      bounds.scope.settled(
        sends
          ? sends(task, around)
          : optimised
            ? callOptimised(optimised, action, task, around)
            : callSdk(named.sdk!, action, task, around),
      );
    const mock = mockFor(task, around);
    let result: Json;
    if (mock) {
      // The submitted event precedes the wait.
      if (form !== '') submitted({});
      result = given(mock);
    } else if (form === '.waitForTaskToken') {
      const waiting = ended(current.token!, bounds.scope, bounds, around.waiting);
      if (!resumed)
        try {
          submitted(await call());
          run.save();
        } catch (error) {
          // The wait fails with its scope; without this, the rejection would be unhandled.
          waiting.catch(() => undefined);
          bounds.scope.end();
          throw error;
        }
      bounds.beat();
      result = await waiting;
    } else if (form === '') result = await call();
    else {
      let arn = nested;
      if (arn === undefined) {
        const started = (await call()) as JsonObject;
        submitted(started);
        arn = started.ExecutionArn as string;
        current.nested = arn;
        run.save();
      }
      // The owner of the token may end the task before the execution does.
      const either = new Scope(run.clock, bounds.scope);
      try {
        result = await Promise.race([
          ended(current.token!, either, bounds, around.waiting),
          nestedResult(arn, form, either, around),
        ]);
      } finally {
        either.end();
      }
      delete current.nested;
    }
    limit(result, resourceType);
    delete current.scheduledAt;
    emit('TaskSucceeded', ['taskSucceededEventDetails', { ...common, ...output(result) }]);
    return result;
  });
}

/**
 * Waits for a nested execution and returns its result, with output parsed as JSON for `.sync:2`.
 * @throws StateFailure if it did not succeed
 */
async function nestedResult(arn: string, form: string, scope: Scope, around: TaskContext): Promise<Json> {
  const described = await around.nested(arn, scope);
  if (described.Status !== 'SUCCEEDED') throw new StateFailure('States.TaskFailed', JSON.stringify(described));
  if (form !== '.sync:2') return described;
  return {
    ...described,
    Input: jsonOrText(described.Input as string),
    Output: jsonOrText(described.Output as string),
  };
}

async function callOptimised(optimised: Optimised, action: string, task: Task, around: TaskContext): Promise<Json> {
  const { run } = task;
  const parameters = isObject(task.input) ? task.input : {};
  const now = run.clock.now();
  if (optimised.service === 'lambda') {
    const answer = await invoke(parameters, task, around);
    const { Payload = {}, LogResult: logs } = answer;
    const headers = {
      Connection: 'keep-alive',
      'X-Amz-Executed-Version': answer.ExecutedVersion!,
      'x-amzn-Remapped-Content-Length': '0',
      'X-Amzn-Trace-Id': `Root=1-${Math.floor(now / 1000).toString(16)}-${run.ids.hex(24)};Sampled=0`,
      ...(logs !== undefined && { 'X-Amz-Log-Result': logs }),
    };
    return { ...answer, Payload, ...metadata(run.ids, now, Payload, optimised.contentType, headers) };
  }
  const operation = action.charAt(0).toUpperCase() + action.slice(1);
  let answer: unknown;
  try {
    const input = optimised.input ? optimised.input(parameters, action) : parameters;
    answer = await around.scope.callJson(optimised.service, operation, input, asRole(around, task));
  } catch (error) {
    throw serviceFailure(error, { prefix: optimised.prefix, awsName: optimised.awsName, task });
  }
  const named = (await jsonOf(answer)) ?? {};
  const model = optimised.pascal && (await around.scope.service.modelOf(optimised.service));
  const result = (model ? toSdkNames(model, operation, named) : named) as JsonObject;
  const failed = optimised.failed?.(result);
  if (failed !== undefined) throw new StateFailure(failed, JSON.stringify(result));
  if (!optimised.metadata) return result;
  return { ...result, ...metadata(run.ids, now, result, optimised.contentType, optimised.headers?.(result)) };
}

/**
 * Calls an operation like the SDK for Java.
 * @throws StateFailure of the service
 */
async function callSdk(name: string, action: string, task: Task, around: TaskContext): Promise<Json> {
  const service = sdkServiceOf(name);
  const operation = action.charAt(0).toUpperCase() + action.slice(1);
  const model = await around.scope.service.modelOf(service);
  let answer: unknown;
  try {
    const named = model ? fromSdkNames(model, operation, task.input) : task.input;
    const input = (model ? withIdempotencyTokens(model, operation, named, () => task.run.ids.uuid()) : named) as Json;
    answer = await around.scope.callJson(service, operation, sdkInput(service, input), asRole(around, task));
  } catch (error) {
    throw serviceFailure(error, { prefix: sdkErrorPrefix(model?.metadata.serviceId ?? name), task, model });
  }
  const result = (await jsonOf(answer)) ?? {};
  return model ? (toSdkNames(model, operation, result) as Json) : result;
}

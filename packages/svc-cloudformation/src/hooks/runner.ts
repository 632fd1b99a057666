import {
  type CallOptions,
  copyOf,
  type Principal,
  roleSessionPrincipal,
  type StateScope,
  waitFor,
} from '@emu/core/service';
import type { Annotation, HookStatus, HookTargetAction } from '@emu/service-types/cloudformation';
import { AwsError, isObject, parseJson } from '@emu/wire';
import { principalOf, type Run } from '../host.ts';
import { appliesTo, type HookTargetFacts } from '../registry/hook-configuration.ts';
import type { ActiveHook, TypeRegistry } from '../registry/registry.ts';
import { functionResponseUrl } from '../resource-types/response-url.ts';
import type { EventRecord } from '../stacks/records.ts';
import type { Resource } from '../stacks/registry.ts';
import type { JsonObject } from '../templates/values.ts';

/** Maximum number of times a function may report that it is still in progress. */
const MAX_INVOCATIONS = 3;
const SECOND = 1000;
/** Version of AWS's published hooks when activated. */
export const HOOK_VERSION = '00000001';

/** Target resource as hooks see it. */
export interface HookedStep {
  readonly resource: Pick<Resource, 'logicalId' | 'type'>;
  readonly physicalId: string;
  readonly action: HookTargetAction;
  readonly properties: JsonObject;
  readonly previous?: JsonObject;
}

/** Target of a hook invocation and its caller. */
export interface Question {
  readonly facts: HookTargetFacts;
  /** Name and id of the target, in requests to functions and in results. */
  readonly targetName: string;
  readonly targetId: string;
  readonly stackId?: string;
  readonly changeSetId?: string;
  /** Desired state, for a resource. */
  readonly targetModel?: JsonObject;
  /** For a stack or change set: the payload that functions read from a URL. */
  readonly payload?: JsonObject;
  /** Identity that invokes functions of hooks without a role. */
  readonly caller: Principal;
  readonly cause: string | undefined;
  readonly signal: AbortSignal;
  /** Called when a hook is invoked and when it has responded. */
  note?(hook: NonNullable<EventRecord['hook']>): void;
}

/** Dependencies for invoking hooks. */
export interface HookHost extends Pick<StateScope, 'accountId' | 'region' | 'clock' | 'ids' | 'service' | 'call'> {
  readonly registry: TypeRegistry;
}

interface Answer {
  readonly status: Exclude<HookStatus, 'HOOK_IN_PROGRESS'>;
  readonly message: string;
  readonly annotations: Annotation[];
}

/** Whether the run is a rollback, for which no hook is invoked. */
function takesBack(run: Run): boolean {
  const { rollback, kind, phase } = run.operation();
  return rollback !== undefined || /rollback/.test(kind) || phase.startsWith('revert');
}

const hostOf = ({ host: { scope, registry } }: Run): HookHost => ({
  accountId: scope.accountId,
  region: scope.region,
  clock: scope.clock,
  ids: scope.ids,
  service: scope.service,
  call: (service, operation, input, options) => scope.call(service, operation, input, options),
  registry,
});

/** Returns the caller and stack of a run. */
function askerOf(run: Run) {
  const { store } = run.host;
  const operation = run.operation();
  const stack = store.stack(run.stack)!;
  return {
    stackId: store.arn(stack),
    ...(stack.changeSetId !== undefined && { changeSetId: stack.changeSetId }),
    caller: principalOf(operation.target ?? stack, operation.principal as Principal),
    cause: operation.cause,
    signal: run.signal,
  };
}

/**
 * Invokes the account's hooks before a resource changes.
 * @throws Error with AWS's message if a hook in FAIL mode fails
 * @see https://docs.aws.amazon.com/cloudformation-cli/latest/hooks-userguide/lambda-hooks-create-lambda-function.html
 */
export async function invokeResourceHooks(run: Run, step: HookedStep): Promise<void> {
  if (takesBack(run)) return;
  const { store, events } = run.host;
  const operation = run.operation();
  const stack = store.stack(run.stack)!;
  const { roleArn } = operation.target ?? stack;
  const { type, logicalId } = step.resource;
  await invokeHooks(hostOf(run), {
    ...askerOf(run),
    facts: { operation: 'RESOURCE', type, action: step.action, stackName: stack.name, roleArn },
    targetName: type,
    targetId: logicalId,
    targetModel: {
      resourceProperties: step.properties,
      ...(step.previous && { previousResourceProperties: step.previous }),
    },
    note: (hook) =>
      events.resource(stack, run.operation(), step.resource, step.physicalId, `${step.action}_IN_PROGRESS`, { hook }),
  });
}

/**
 * Invokes the account's hooks before the resources of a stack change. Functions read the templates from a URL.
 * @throws Error with AWS's message if a hook in FAIL mode fails
 */
export async function invokeStackHooks(run: Run, action: HookTargetAction): Promise<void> {
  if (takesBack(run)) return;
  const { store, events } = run.host;
  const { target, previous } = run.operation();
  const stack = store.stack(run.stack)!;
  const template = target && store.template(target.templateId)?.body;
  const before = (previous ?? (action === 'DELETE' ? stack : undefined))?.templateId;
  const previousTemplate = before === undefined ? undefined : store.template(before)?.body;
  const asker = askerOf(run);
  const resource = { logicalId: stack.name, type: STACK_TYPE };
  await invokeHooks(hostOf(run), {
    ...asker,
    facts: { operation: 'STACK', action, stackName: stack.name, roleArn: (target ?? stack).roleArn },
    targetName: 'STACK',
    targetId: asker.stackId,
    payload: {
      ...(template !== undefined && { template }),
      ...(previousTemplate !== undefined && { previousTemplate }),
    },
    note: (hook) => events.resource(stack, run.operation(), resource, asker.stackId, `${action}_IN_PROGRESS`, { hook }),
  });
}

const STACK_TYPE = 'AWS::CloudFormation::Stack';

/**
 * Invokes all hooks that apply to a target.
 * @throws Error with AWS's message if a hook in FAIL mode fails
 */
export async function invokeHooks(host: HookHost, question: Question): Promise<void> {
  const hooks = host.registry.hooks().filter(({ configuration }) => appliesTo(configuration, question.facts));
  const outcomes = await Promise.all(hooks.map((hook) => ask(host, hook, question)));
  const failed = hooks.filter((_, index) => outcomes[index] === false).map(({ type }) => type.name);
  if (failed.length) throw new HooksFailed(failed);
}

/** Message about failed hooks, in AWS's words. */
export class HooksFailed extends Error {
  override readonly name = 'HooksFailed';
  constructor(hooks: readonly string[]) {
    super(`The following hook(s) failed: [${hooks.join(', ')}]`);
  }
}

/**
 * Invokes one hook.
 * @returns false if it stops the operation
 */
async function ask(host: HookHost, hook: ActiveHook, question: Question): Promise<boolean> {
  const { registry } = host;
  const { type, configuration } = hook;
  const { facts, targetName, targetId, stackId, payload } = question;
  const id = host.ids.uuid();
  const note = (status: HookStatus, reason: string) =>
    question.note?.({ id, type: type.name, status, reason, mode: configuration.mode });
  registry.putHookResult({
    id,
    typeName: type.name,
    typeArn: registry.arn(type),
    originalTypeName: type.originalName,
    configurationVersion: type.configurationVersion,
    mode: configuration.mode,
    status: 'HOOK_IN_PROGRESS',
    invokedAt: host.clock.now(),
    ...(stackId !== undefined && { stackId }),
    operation: facts.operation,
    ...(payload && { payload: JSON.stringify(payload) }),
    targetType: targetName,
    targetId,
    action: facts.action,
    annotations: [],
  });
  note('HOOK_IN_PROGRESS', 'Invoking hook');
  const answer = await answerOf(host, hook, question, id);
  const succeeded = answer.status === 'HOOK_COMPLETE_SUCCEEDED';
  const stops = !succeeded && configuration.mode === 'FAIL';
  const words = `Hook ${succeeded ? 'succeeded' : 'failed'} with message: ${answer.message}`;
  const reason = succeeded || stops ? words : `${words}. Failure was ignored under WARN mode.`;
  registry.updateHookResult(id, (draft) => {
    draft.status = answer.status;
    draft.reason = reason;
    draft.annotations = answer.annotations;
    // The URL is valid while the hook runs.
    delete draft.payload;
  });
  note(answer.status, reason);
  return !stops;
}

/** Returns the result of a hook's function; an error of the function is a failure of the hook. */
async function answerOf(
  host: HookHost,
  { type, configuration }: ActiveHook,
  question: Question,
  id: string,
): Promise<Answer> {
  const { facts, targetName, targetId, stackId, changeSetId, targetModel, payload, caller, cause, signal } = question;
  const options: CallOptions = {
    principal:
      type.executionRoleArn === undefined ? caller : roleSessionPrincipal(type.executionRoleArn, 'AWSCloudFormation'),
    cause,
    signal,
    authorize: {},
  };
  const url = payload && (await functionResponseUrl(host, id));
  let callbackContext: unknown = null;
  for (let invocation = 1; invocation <= MAX_INVOCATIONS; invocation++) {
    const request = {
      clientRequestToken: id,
      awsAccountId: host.accountId,
      stackId: stackId ?? null,
      changeSetId: changeSetId ?? null,
      hookTypeName: type.name,
      hookTypeVersion: HOOK_VERSION,
      hookModel: { LambdaFunction: configuration.functionArn },
      actionInvocationPoint: `${facts.action}_PRE_PROVISION`,
      requestData: {
        targetName,
        targetType: targetName,
        targetLogicalId: targetId,
        ...(targetModel && { targetModel }),
        ...(url !== undefined && { payload: url }),
      },
      requestContext: { invocation, callbackContext },
    };
    const answer = await invoked(host, configuration.functionArn, request, options);
    if (typeof answer === 'string') return { status: 'HOOK_FAILED', message: answer, annotations: [] };
    const message = typeof answer.message === 'string' ? answer.message : '';
    if (answer.hookStatus === 'SUCCESS')
      return { status: 'HOOK_COMPLETE_SUCCEEDED', message, annotations: annotationsOf(answer) };
    if (answer.hookStatus !== 'IN_PROGRESS')
      return {
        status: answer.errorCode === 'NonCompliant' ? 'HOOK_COMPLETE_FAILED' : 'HOOK_FAILED',
        message,
        annotations: annotationsOf(answer),
      };
    callbackContext = answer.callbackContext ?? null;
    const until = host.clock.now() + Number(answer.callbackDelaySeconds ?? 0) * SECOND;
    await waitFor(() => host.clock.now() >= until, host.clock, signal);
  }
  return { status: 'HOOK_FAILED', message: 'The hook did not complete in time', annotations: [] };
}

/**
 * Invokes a function.
 * @returns its result, or why there is none
 */
async function invoked(
  host: HookHost,
  FunctionName: string,
  request: object,
  options: CallOptions,
): Promise<JsonObject | string> {
  try {
    const { Payload, FunctionError } = await host.call(
      'lambda',
      'Invoke',
      { FunctionName, Payload: Buffer.from(JSON.stringify(request)) },
      options,
    );
    const text = Buffer.from(Payload ?? []).toString('utf8');
    if (FunctionError) return `The function ${FunctionName} failed: ${text}`;
    const answer: unknown = parseJson(text || 'null');
    return isObject(answer) ? answer : `The function ${FunctionName} did not answer an object`;
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof AwsError || error instanceof SyntaxError) return error.message;
    throw error;
  }
}

const STATUSES = ['PASSED', 'FAILED', 'SKIPPED'];

/** Returns the valid annotations of a result. */
function annotationsOf({ annotations }: JsonObject): Annotation[] {
  if (!Array.isArray(annotations)) return [];
  return annotations
    .filter((one): one is JsonObject => isObject(one) && STATUSES.includes(one.status as string))
    .map((one) => {
      const { annotationName, status, statusMessage, remediationMessage, remediationLink, severityLevel } = copyOf(one);
      return {
        AnnotationName: String(annotationName),
        Status: status as NonNullable<Annotation['Status']>,
        ...(typeof statusMessage === 'string' && { StatusMessage: statusMessage }),
        ...(typeof remediationMessage === 'string' && { RemediationMessage: remediationMessage }),
        ...(typeof remediationLink === 'string' && { RemediationLink: remediationLink }),
        ...(typeof severityLevel === 'string' && {
          SeverityLevel: severityLevel as NonNullable<Annotation['SeverityLevel']>,
        }),
      };
    });
}

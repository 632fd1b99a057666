import { type CallOptions, copyOf, type Principal, roleSessionPrincipal, waitFor } from '@emu/core';
import type { Annotation, HookStatus, HookTargetAction } from '@emu/service-types/cloudformation';
import { AwsError } from '@emu/wire';
import { principalOf, type Run } from '../engine/host.ts';
import type { ActiveHook } from '../registry/registry.ts';
import type { Resource } from '../stacks/registry.ts';
import { isObject, type JsonObject } from '../templates/values.ts';
import { appliesTo } from './configuration.ts';

/** Times that a function may ask for more time. */
const MAX_INVOCATIONS = 3;
const SECOND = 1000;
/** Version of the hooks that AWS publishes, as they are activated. */
export const HOOK_VERSION = '00000001';

/** What a resource is to become, as hooks see it. */
export interface HookedStep {
  readonly resource: Pick<Resource, 'logicalId' | 'type'>;
  readonly physicalId: string;
  readonly action: HookTargetAction;
  readonly properties: JsonObject;
  readonly previous?: JsonObject;
}

interface Answer {
  readonly status: Exclude<HookStatus, 'HOOK_IN_PROGRESS'>;
  readonly message: string;
  readonly annotations: Annotation[];
}

/**
 * Asks the hooks of the account before a resource is touched.
 * @throws Error in AWS's words where one that may stop the operation does
 * @see https://docs.aws.amazon.com/cloudformation-cli/latest/hooks-userguide/lambda-hooks-create-lambda-function.html
 */
export async function askHooks(run: Run, step: HookedStep): Promise<void> {
  const { store, registry } = run.host;
  const operation = run.operation();
  // A rollback puts back what was allowed before.
  if (operation.rollback || /rollback/.test(operation.kind) || operation.phase.startsWith('revert')) return;
  const stack = store.stack(run.stack)!;
  const { roleArn } = operation.target ?? stack;
  const facts = { type: step.resource.type, action: step.action, stackName: stack.name, roleArn };
  const hooks = registry.hooks().filter(({ configuration }) => appliesTo(configuration, facts));
  const outcomes = await Promise.all(hooks.map((hook) => ask(run, hook, step)));
  const failed = hooks.filter((_, index) => outcomes[index] === false).map(({ type }) => type.name);
  if (failed.length) throw new Error(`The following hook(s) failed: [${failed.join(', ')}]`);
}

/** Asks one hook. @returns false where it stops the operation */
async function ask(run: Run, hook: ActiveHook, step: HookedStep): Promise<boolean> {
  const { store, registry, events } = run.host;
  const stack = store.stack(run.stack)!;
  const { type, configuration } = hook;
  const id = store.ids.uuid();
  const note = (status: HookStatus, reason: string) => {
    const resourceStatus = `${step.action}_IN_PROGRESS` as const;
    events.resource(stack, run.operation(), step.resource, step.physicalId, resourceStatus, {
      hook: { id, type: type.name, status, reason, mode: configuration.mode },
    });
  };
  registry.putHookResult({
    id,
    typeName: type.name,
    typeArn: registry.arn(type),
    originalTypeName: type.originalName,
    configurationVersion: type.configurationVersion,
    mode: configuration.mode,
    status: 'HOOK_IN_PROGRESS',
    invokedAt: store.clock.now(),
    stackId: store.arn(stack),
    targetType: step.resource.type,
    targetId: step.resource.logicalId,
    action: step.action,
    annotations: [],
  });
  note('HOOK_IN_PROGRESS', 'Invoking hook');
  const answer = await answerOf(run, hook, step, id);
  const succeeded = answer.status === 'HOOK_COMPLETE_SUCCEEDED';
  const stops = !succeeded && configuration.mode === 'FAIL';
  const words = `Hook ${succeeded ? 'succeeded' : 'failed'} with message: ${answer.message}`;
  const reason = succeeded || stops ? words : `${words}. Failure was ignored under WARN mode.`;
  registry.updateHookResult(id, (draft) => {
    draft.status = answer.status;
    draft.reason = reason;
    draft.annotations = answer.annotations;
  });
  note(answer.status, reason);
  return !stops;
}

/** What a hook's function answers; a function that fails is a hook that fails. */
async function answerOf(run: Run, { type, configuration }: ActiveHook, step: HookedStep, id: string): Promise<Answer> {
  const { store, scope } = run.host;
  const operation = run.operation();
  const stack = store.stack(run.stack)!;
  const caller = principalOf(operation.target ?? stack, operation.principal as Principal);
  const options: CallOptions = {
    principal:
      type.executionRoleArn === undefined ? caller : roleSessionPrincipal(type.executionRoleArn, 'AWSCloudFormation'),
    cause: operation.cause,
    signal: run.signal,
    authorize: {},
  };
  let callbackContext: unknown = null;
  for (let invocation = 1; invocation <= MAX_INVOCATIONS; invocation++) {
    const request = {
      clientRequestToken: id,
      awsAccountId: store.accountId,
      stackId: store.arn(stack),
      changeSetId: stack.changeSetId ?? null,
      hookTypeName: type.name,
      hookTypeVersion: HOOK_VERSION,
      hookModel: { LambdaFunction: configuration.functionArn },
      actionInvocationPoint: `${step.action}_PRE_PROVISION`,
      requestData: {
        targetName: step.resource.type,
        targetType: step.resource.type,
        targetLogicalId: step.resource.logicalId,
        targetModel: {
          resourceProperties: step.properties,
          ...(step.previous && { previousResourceProperties: step.previous }),
        },
      },
      requestContext: { invocation, callbackContext },
    };
    const answer = await invoked(run, configuration.functionArn, request, options);
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
    const until = store.clock.now() + Number(answer.callbackDelaySeconds ?? 0) * SECOND;
    await waitFor(() => store.clock.now() >= until, scope.clock, run.signal);
  }
  return { status: 'HOOK_FAILED', message: 'The hook did not complete in time', annotations: [] };
}

/** Invokes a function. @returns its answer, or why there is none */
async function invoked(
  run: Run,
  FunctionName: string,
  request: object,
  options: CallOptions,
): Promise<JsonObject | string> {
  try {
    const { Payload, FunctionError } = await run.host.scope.call(
      'lambda',
      'Invoke',
      { FunctionName, Payload: Buffer.from(JSON.stringify(request)) },
      options,
    );
    const text = Buffer.from(Payload ?? []).toString('utf8');
    if (FunctionError) return `The function ${FunctionName} failed: ${text}`;
    const answer: unknown = JSON.parse(text || 'null');
    return isObject(answer) ? answer : `The function ${FunctionName} did not answer an object`;
  } catch (error) {
    run.signal.throwIfAborted();
    if (error instanceof AwsError || error instanceof SyntaxError) return error.message;
    throw error;
  }
}

const STATUSES = ['PASSED', 'FAILED', 'SKIPPED'];

/** Annotations of an answer, as far as they are of the form that AWS takes. */
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

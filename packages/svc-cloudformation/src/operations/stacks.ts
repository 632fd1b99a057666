import { copyOf, type Principal } from '@emu/core/service';
import type { CreateStackInput, InputOf, OutputOf } from '@emu/service-types/cloudformation';
import { violationText } from '@emu/wire';
import type { CloudformationContext } from '../context.ts';
import type { OperationStart } from '../engine/deployments.ts';
import { planOf } from '../engine/plan.ts';
import { checkRole, type Requested, readOrFailure, templateText } from '../engine/request.ts';
import { invalid, stackExists } from '../errors.ts';
import { isRepeated, stackNamed, stackOf } from '../lookup.ts';
import { deploymentOf, newStack } from '../stacks/deployment.ts';
import { checkPolicyResources } from '../stacks/policy.ts';
import { policyText } from '../stacks/policy-text.ts';
import type { OperationRecord, StackRecord } from '../stacks/records.ts';
import type { Stack } from '../stacks/registry.ts';

const MINUTE = 60_000;

/** Returns the caller of a stack operation, for work that is done later. */
export function requestOrigin(
  ctx: CloudformationContext,
  token: string | undefined,
): Pick<OperationRecord, 'principal' | 'endpoint' | 'cause' | 'token'> {
  const { principal, endpoint, requestId } = ctx;
  return {
    principal: { ...(principal as Principal) },
    endpoint,
    cause: requestId,
    ...(token !== undefined && { token }),
  };
}

/**
 * Starts an operation on a stack. A waiting client polls at once and then again after 5 or 30 s, so the response is
 * delayed for a moment: most operations end by then, and the first poll succeeds.
 */
export async function begin(stack: Stack, start: OperationStart, ctx: CloudformationContext): Promise<void> {
  const { deployments } = ctx.state;
  deployments.begin(stack, start);
  if (ctx.http) await deployments.endedOrTimedOut(stack.uuid);
}

function onFailureOf({ OnFailure, DisableRollback }: CreateStackInput): OperationRecord['onFailure'] {
  if (OnFailure !== undefined && DisableRollback !== undefined)
    throw invalid('You can specify either OnFailure or DisableRollback, but not both.');
  if (OnFailure === 'DELETE') return 'delete';
  return DisableRollback || OnFailure === 'DO_NOTHING' ? 'nothing' : 'rollback';
}

/**
 * Creates a stack.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_CreateStack.html
 */
export async function CreateStack(
  input: InputOf<'CreateStack'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'CreateStack'>> {
  const { state } = ctx;
  const { StackName: name, ClientRequestToken: token, TimeoutInMinutes } = input;
  if (!/^[A-Za-z][-A-Za-z0-9]*$/.test(name))
    throw invalid(
      violationText(
        'stackName',
        'Member must satisfy regular expression pattern: [a-zA-Z][-a-zA-Z0-9]*|arn:[-a-zA-Z0-9:/._+]*',
        name,
      ),
    );
  const existing = state.find(name);
  if (existing && isRepeated(existing, token, 'CreateStack')) return { StackId: state.arn(existing) };
  if (existing && existing.status !== 'REVIEW_IN_PROGRESS') throw stackExists(name);
  const onFailure = onFailureOf(input);
  const { requested, failure } = await readOrFailure(input, undefined, ctx);
  const { deployment, text } = requested ?? (await unread(input, ctx));
  const policy = await policyText(input.StackPolicyBody, input.StackPolicyURL, 'StackPolicy', ctx);
  if (policy !== undefined && requested)
    checkPolicyResources(policy, (logicalId) => Object.hasOwn(requested.template.Resources, logicalId));
  const now = ctx.clock.now();
  // Another request may have created the stack while the template was read.
  const raced = state.find(name);
  if (raced && raced.status !== 'REVIEW_IN_PROGRESS') throw stackExists(name);
  const target = { ...deployment, templateId: state.putTemplate(text) };
  const base = raced ? (copyOf(raced) as StackRecord) : newStack(name, target, ctx);
  if (raced) state.deleteTemplate(raced.templateId);
  const stack = state.putStack({
    ...base,
    ...target,
    createdAt: now,
    disableRollback: onFailure === 'nothing',
    terminationProtection: input.EnableTerminationProtection ?? false,
    ...(TimeoutInMinutes !== undefined && { timeoutMinutes: TimeoutInMinutes }),
    ...(policy !== undefined && { policy }),
    ...(input.RetainExceptOnCreate && { retainExceptOnCreate: true as const }),
  });
  await begin(
    stack,
    {
      request: 'CreateStack',
      phase: 'apply',
      status: 'CREATE_IN_PROGRESS',
      record: {
        ...requestOrigin(ctx, token),
        stack: stack.uuid,
        kind: 'create',
        target,
        onFailure,
        skip: [],
        ...(failure !== undefined && { problem: failure }),
        ...(TimeoutInMinutes !== undefined && { deadline: now + TimeoutInMinutes * MINUTE }),
        ...(input.RetainExceptOnCreate && { retainExceptOnCreate: true }),
      },
    },
    ctx,
  );
  return { StackId: state.arn(stack) };
}

/** Returns a deployment whose template could not be expanded. */
async function unread(
  input: CreateStackInput,
  ctx: CloudformationContext,
): Promise<Pick<Requested, 'deployment' | 'text'>> {
  return {
    deployment: {
      parameters: [],
      tags: (input.Tags ?? []).map(({ Key, Value }) => ({ Key, Value })),
      capabilities: [...(input.Capabilities ?? [])],
      notificationArns: [...(input.NotificationARNs ?? [])],
      ...(input.RoleARN !== undefined && { roleArn: input.RoleARN }),
    },
    text: { body: await templateText(input, undefined, ctx) },
  };
}

/** States that allow an update. */
const UPDATABLE =
  /^(CREATE_COMPLETE|UPDATE_COMPLETE|UPDATE_ROLLBACK_COMPLETE|IMPORT_COMPLETE|IMPORT_ROLLBACK_COMPLETE|CREATE_FAILED|UPDATE_FAILED)$/;

/**
 * Rejects an update in a state that does not allow it.
 * @throws AwsError `ValidationError`
 */
export function checkUpdatable(stack: Stack, { state }: CloudformationContext): void {
  const failed = /^(CREATE|UPDATE)_FAILED$/.test(stack.status);
  if (!UPDATABLE.test(stack.status) || (failed && !stack.disableRollback))
    throw invalid(`Stack:${state.arn(stack)} is in ${stack.status} state and can not be updated.`);
}

/**
 * Updates a stack.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_UpdateStack.html
 */
export async function UpdateStack(
  input: InputOf<'UpdateStack'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'UpdateStack'>> {
  const { state } = ctx;
  const { ClientRequestToken: token } = input;
  const found = stackOf(input.StackName, ctx);
  if (isRepeated(found, token, 'UpdateStack')) return { StackId: state.arn(found) };
  checkUpdatable(found, ctx);
  const { requested, failure } = await readOrFailure(input, found, ctx);
  const policyDuringUpdate = await policyText(
    input.StackPolicyDuringUpdateBody,
    input.StackPolicyDuringUpdateURL,
    'StackPolicyDuringUpdate',
    ctx,
  );
  const policy = await policyText(input.StackPolicyBody, input.StackPolicyURL, 'StackPolicy', ctx);
  const has = (logicalId: string) =>
    state.resource(found.uuid, logicalId) !== undefined ||
    (requested !== undefined && Object.hasOwn(requested.template.Resources, logicalId));
  for (const given of [policy, policyDuringUpdate]) if (given !== undefined) checkPolicyResources(given, has);
  if (requested && !/FAILED$/.test(found.status)) {
    const { template, deployment } = requested;
    const plan = await planOf(state, found, template, deployment, (type) => state.provider(type), ctx.endpoint);
    if (!plan.differs) throw invalid('No updates are to be performed.');
  }
  const stack = stackOf(input.StackName, ctx);
  checkUpdatable(stack, ctx);
  const target = requested
    ? { ...requested.deployment, templateId: state.putTemplate(requested.text) }
    : deploymentOf(stack);
  const disableRollback = input.DisableRollback ?? false;
  const changed = state.updateStack(stack.uuid, (draft) => {
    draft.updatedAt = ctx.clock.now();
    draft.disableRollback = disableRollback;
    if (policy !== undefined) draft.policy = policy;
  });
  await begin(
    changed,
    {
      request: 'UpdateStack',
      phase: 'apply',
      status: 'UPDATE_IN_PROGRESS',
      record: {
        ...requestOrigin(ctx, token),
        stack: stack.uuid,
        kind: 'update',
        target,
        previous: deploymentOf(stack),
        onFailure: disableRollback ? 'nothing' : 'rollback',
        skip: [],
        ...(failure !== undefined && { problem: failure }),
        ...(policyDuringUpdate !== undefined && { policyDuringUpdate }),
        ...(input.RetainExceptOnCreate && { retainExceptOnCreate: true }),
      },
    },
    ctx,
  );
  return { StackId: state.arn(stack) };
}

/**
 * Deletes a stack; has no effect if it is missing.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DeleteStack.html
 */
export async function DeleteStack(
  input: InputOf<'DeleteStack'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'DeleteStack'>> {
  const { state } = ctx;
  const found = state.find(input.StackName);
  if (!found) return {};
  await checkRole(input.RoleARN, ctx);
  state.deployments.abandon(found.uuid);
  const stack = state.stack(found.uuid)!;
  if (stack.status === 'DELETE_COMPLETE' || stack.status === 'DELETE_IN_PROGRESS') return {};
  if (isRepeated(stack, input.ClientRequestToken, 'DeleteStack')) return {};
  if (stack.terminationProtection)
    throw invalid(`Stack [${stack.name}] cannot be deleted while TerminationProtection is enabled`);
  if (/_IN_PROGRESS$/.test(stack.status) && stack.status !== 'REVIEW_IN_PROGRESS')
    throw invalid(`Stack [${state.arn(stack)}] cannot be deleted while in status ${stack.status}`);
  const forced = input.DeletionMode === 'FORCE_DELETE_STACK';
  if ((input.RetainResources?.length || forced) && stack.status !== 'DELETE_FAILED')
    throw invalid(
      `Invalid operation on stack [${state.arn(stack)}]. When you delete a stack, specify which resources to retain only when the stack is in the DELETE_FAILED state.`,
    );
  checkRetained(stack, input.RetainResources ?? [], ctx);
  for (const { exportName } of stack.outputs) {
    const users = exportName === undefined ? [] : state.importersOf(exportName);
    if (users.length) throw invalid(`Export ${exportName} cannot be deleted as it is in use by ${users.join(', ')}`);
  }
  const changed = state.updateStack(stack.uuid, (draft) => {
    draft.deletedAt = ctx.clock.now();
    if (input.RoleARN !== undefined) draft.roleArn = input.RoleARN;
    if (input.DeletionMode !== undefined) draft.deletionMode = input.DeletionMode;
  });
  await begin(
    changed,
    {
      request: 'DeleteStack',
      phase: 'delete',
      status: 'DELETE_IN_PROGRESS',
      record: {
        ...requestOrigin(ctx, input.ClientRequestToken),
        stack: stack.uuid,
        kind: 'delete',
        onFailure: 'nothing',
        skip: [...(input.RetainResources ?? [])],
        force: forced,
      },
    },
    ctx,
  );
  return {};
}

function checkRetained(stack: Stack, retained: readonly string[], { state }: CloudformationContext): void {
  const unknown = retained.filter((name) => !state.resource(stack.uuid, name));
  if (unknown.length)
    throw invalid(`Stack [${state.arn(stack)}] does not have the resources [${unknown.join(', ')}] to retain.`);
}

/**
 * Cancels an update and rolls it back.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_CancelUpdateStack.html
 */
export function CancelUpdateStack(
  input: InputOf<'CancelUpdateStack'>,
  ctx: CloudformationContext,
): OutputOf<'CancelUpdateStack'> {
  const stack = stackOf(input.StackName, ctx);
  if (isRepeated(stack, input.ClientRequestToken, 'CancelUpdateStack')) return {};
  if (stack.status !== 'UPDATE_IN_PROGRESS')
    throw invalid(`CancelUpdateStack cannot be called from current stack status`);
  ctx.state.deployments.cancel(stack.uuid, input.ClientRequestToken);
  return {};
}

/** Sets the role of a stack, if one is given. */
function withRole(stack: Stack, roleArn: string | undefined, { state }: CloudformationContext): Stack {
  if (roleArn === undefined) return stack;
  return state.updateStack(stack.uuid, (draft) => {
    draft.roleArn = roleArn;
  });
}

/**
 * Continues a failed rollback.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ContinueUpdateRollback.html
 */
export async function ContinueUpdateRollback(
  input: InputOf<'ContinueUpdateRollback'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'ContinueUpdateRollback'>> {
  const { RoleARN } = input;
  await checkRole(RoleARN, ctx);
  const stack = stackOf(input.StackName, ctx);
  if (isRepeated(stack, input.ClientRequestToken, 'ContinueUpdateRollback')) return {};
  if (stack.status !== 'UPDATE_ROLLBACK_FAILED')
    throw invalid(`Stack:${ctx.state.arn(stack)} is in ${stack.status} state and can not be rolled back.`);
  const skip = input.ResourcesToSkip ?? [];
  for (const name of skip)
    if (ctx.state.resource(stack.uuid, name)?.status !== 'UPDATE_FAILED')
      throw invalid(`The following resource(s) cannot be skipped: [${name}].`);
  const changed = withRole(stack, RoleARN, ctx);
  await begin(
    changed,
    {
      request: 'ContinueUpdateRollback',
      phase: 'revert',
      status: 'UPDATE_ROLLBACK_IN_PROGRESS',
      record: {
        ...requestOrigin(ctx, input.ClientRequestToken),
        stack: stack.uuid,
        kind: 'continue-rollback',
        target: deploymentOf(changed),
        previous: deploymentOf(stack),
        onFailure: 'nothing',
        skip: [...skip],
      },
    },
    ctx,
  );
  return {};
}

/**
 * Rolls back a failed operation that did not roll back automatically.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_RollbackStack.html
 */
export async function RollbackStack(
  input: InputOf<'RollbackStack'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'RollbackStack'>> {
  const { state } = ctx;
  const { RoleARN } = input;
  await checkRole(RoleARN, ctx);
  const stack = stackOf(input.StackName, ctx);
  if (isRepeated(stack, input.ClientRequestToken, 'RollbackStack')) return { StackId: state.arn(stack) };
  if (stack.status !== 'CREATE_FAILED' && stack.status !== 'UPDATE_FAILED')
    throw invalid(`Stack:${state.arn(stack)} is in ${stack.status} state and can not be rolled back.`);
  const created = stack.status === 'CREATE_FAILED';
  const changed = withRole(stack, RoleARN, ctx);
  await begin(
    changed,
    {
      request: 'RollbackStack',
      phase: created ? 'delete' : 'revert',
      status: created ? 'ROLLBACK_IN_PROGRESS' : 'UPDATE_ROLLBACK_IN_PROGRESS',
      record: {
        ...requestOrigin(ctx, input.ClientRequestToken),
        stack: stack.uuid,
        kind: 'rollback',
        target: deploymentOf(changed),
        previous: deploymentOf(stack),
        onFailure: 'nothing',
        skip: [],
        ...(input.RetainExceptOnCreate && { retainExceptOnCreate: true }),
      },
    },
    ctx,
  );
  return { StackId: state.arn(stack) };
}

/**
 * Sets the termination protection of a stack.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_UpdateTerminationProtection.html
 */
export function UpdateTerminationProtection(
  input: InputOf<'UpdateTerminationProtection'>,
  ctx: CloudformationContext,
): OutputOf<'UpdateTerminationProtection'> {
  const stack = stackNamed(input.StackName, ctx);
  ctx.state.updateStack(stack.uuid, (draft) => {
    draft.terminationProtection = input.EnableTerminationProtection;
  });
  return { StackId: ctx.state.arn(stack) };
}

import { copyOf } from '@emu/core/service';
import type {
  CreateChangeSetInput,
  CreateChangeSetOutput,
  ExecuteChangeSetInput,
  InputOf,
  OutputOf,
  ResourceToImport,
} from '@emu/service-types/cloudformation';
import { AwsError } from '@emu/wire';
import type { CloudformationContext } from '../context.ts';
import { askerOf } from '../context.ts';
import type { LiveStates } from '../drift/live.ts';
import { refusedByHooks } from '../engine/change-set-hooks.ts';
import { existingResources } from '../engine/existing.ts';
import { type Plan, planOf } from '../engine/plan.ts';
import { type Requested, readOrFailure, templateText } from '../engine/request.ts';
import { cloudformationError, invalid, NO_CHANGES } from '../errors.ts';
import { isRepeated } from '../lookup.ts';
import { deploymentOf, newStack } from '../stacks/deployment.ts';
import type { ChangeSetRecord, DeploymentRecord, LiveRecord, OperationRecord } from '../stacks/records.ts';
import type { ChangeSet, Stack } from '../stacks/registry.ts';
import { changeSetIdOf, changeSetOf } from './change-set-descriptions.ts';
import { includeNested, refuseNested } from './nested-change-sets.ts';
import { begin, checkUpdatable, requestOrigin } from './stacks.ts';

/** Maximum number of change sets of a stack. */
const MAX_CHANGE_SETS = 1000;

/**
 * Computes the changes that a template would make to a stack, for later execution.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_CreateChangeSet.html
 */
export function CreateChangeSet(
  input: InputOf<'CreateChangeSet'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'CreateChangeSet'>> {
  return create(input, undefined, ctx);
}

async function create(
  input: CreateChangeSetInput,
  parent: ChangeSetRecord['parent'],
  ctx: CloudformationContext,
): Promise<CreateChangeSetOutput> {
  const { state } = ctx;
  const { StackName, ChangeSetName: name, ChangeSetType: type = 'UPDATE' } = input;
  const existing = state.find(StackName);
  const repeated = existing && state.changeSetsIn(existing.uuid).find((known) => known.name === name);
  // IdempotencyTokens are not used here: only the token of the change set with the same name is compared, without other
  // inputs.
  if (repeated && input.ClientToken !== undefined && repeated.token === input.ClientToken)
    return { Id: changeSetIdOf(repeated, ctx), StackId: state.arn(existing) };
  checkType(existing, input, ctx);
  // An executed change set releases its name.
  if (repeated && !/^EXECUTE_(COMPLETE|FAILED)$/.test(repeated.execution))
    throw cloudformationError('AlreadyExistsException', `ChangeSet [${name}] already exists`);
  const base = existing?.status === 'REVIEW_IN_PROGRESS' ? undefined : existing;
  // The result of macros is reviewed before execution.
  const { requested, failure } = await readOrFailure(input, base, ctx, ['CAPABILITY_AUTO_EXPAND']);
  const stack = existing ?? reviewed(StackName, parent, ctx);
  if (state.changeSetsIn(stack.uuid).length >= MAX_CHANGE_SETS)
    throw cloudformationError('LimitExceededException', `Limit of ${MAX_CHANGE_SETS} change sets of a stack exceeded.`);
  const imports = [
    ...(input.ResourcesToImport ?? []),
    ...(input.ImportExistingResources && requested ? await existingResources(stack, requested, ctx) : []),
  ];
  const live = input.DeploymentMode && (await ctx.state.liveStates(stack, askerOf(ctx)));
  const { plan, problem } = await planned(stack, requested, imports, live, ctx);
  const target: DeploymentRecord = requested
    ? { ...requested.deployment, templateId: state.putTemplate(requested.text) }
    : { ...deploymentOf(stack), templateId: state.putTemplate({ body: await templateText(input, base, ctx) }) };
  const unchanged = type === 'UPDATE' && plan !== undefined && !plan.differs;
  const uuid = ctx.ids.uuid();
  const wrong = failure ?? problem ?? (unchanged ? NO_CHANGES : undefined);
  const reason =
    wrong ?? (await refusedByHooks({ stack, base, target, plan, id: changeSetIdOf({ name, uuid }, ctx) }, ctx));
  if (repeated) state.deleteChangeSet(repeated.uuid);
  const made = state.putChangeSet({
    uuid,
    name,
    stack: stack.uuid,
    type,
    status: reason === undefined ? 'CREATE_COMPLETE' : 'FAILED',
    ...(reason !== undefined && { reason }),
    execution: reason === undefined ? 'AVAILABLE' : 'UNAVAILABLE',
    createdAt: ctx.clock.now(),
    target,
    changes: JSON.stringify(plan?.changes ?? []),
    detailedChanges: JSON.stringify(plan?.detailed ?? []),
    ...(plan?.warning !== undefined && { valuesWarning: plan.warning }),
    includeNested: input.IncludeNestedStacks ?? false,
    ...(parent && { parent }),
    importExisting: input.ImportExistingResources ?? false,
    ...(input.Description !== undefined && { description: input.Description }),
    ...(input.OnStackFailure !== undefined && { onStackFailure: input.OnStackFailure }),
    ...(imports.length && { imports: copyOf(imports) }),
    ...(live && { deploymentMode: input.DeploymentMode!, live: copyOf(live) as Record<string, LiveRecord> }),
    ...(input.ClientToken !== undefined && { token: input.ClientToken }),
    operationId: ctx.ids.uuid(),
  });
  const changeSet =
    input.IncludeNestedStacks && plan && failure === undefined
      ? await includeNested(made, stack, plan.nested, (nested, above) => create(nested, above, ctx), ctx)
      : made;
  state.log.changeSet(stack, changeSet);
  if (requested) await warnOfAbsentTypes(stack, changeSet, requested, ctx);
  return { Id: changeSetIdOf(changeSet, ctx), StackId: state.arn(stack) };
}

/**
 * Logs the types of a change set that emu lacks: its execution will fail. The change set itself looks as on AWS, because
 * clients show a reason as a failure.
 */
async function warnOfAbsentTypes(
  stack: Stack,
  { name }: ChangeSet,
  { template }: Requested,
  { state, log }: CloudformationContext,
): Promise<void> {
  const types = new Set(Object.values(template.Resources).map(({ Type }) => Type));
  const absent: string[] = [];
  for (const type of types) if (!(await state.provider(type))) absent.push(type);
  if (absent.length)
    log.warn(`the change set ${name} of the stack ${stack.name} has types that emu lacks: ${absent.sort().join(', ')}`);
}

function checkType(existing: Stack | undefined, input: CreateChangeSetInput, ctx: CloudformationContext): void {
  const { StackName, ChangeSetName, ChangeSetType: type = 'UPDATE', ResourcesToImport } = input;
  const deleted = existing?.status === 'DELETE_COMPLETE';
  if (type === 'CREATE') {
    if (existing && existing.status !== 'REVIEW_IN_PROGRESS')
      throw invalid(
        `Stack [${StackName}] already exists and cannot be created again with the changeSet [${ChangeSetName}].`,
      );
    if (input.UsePreviousTemplate)
      throw invalid('Cannot specify usePreviousTemplate as true for a changeSetType CREATE');
    if (input.Parameters?.some(({ UsePreviousValue }) => UsePreviousValue))
      throw invalid('Cannot specify UsePreviousValue on Parameters when ChangeSetType is CREATE');
    return;
  }
  if (type === 'IMPORT') {
    if (!ResourcesToImport?.length) throw invalid('For IMPORT type change set, ResourcesToImport must be specified');
    if (!existing) return;
  }
  if (!existing) throw invalid(`Stack [${StackName}] does not exist`);
  if (deleted || existing.status === 'DELETE_IN_PROGRESS')
    throw invalid(`Stack:${ctx.state.arn(existing)} is in ${existing.status} state and can not be updated.`);
  if (existing.status !== 'REVIEW_IN_PROGRESS') checkUpdatable(existing, ctx);
  else if (type === 'UPDATE')
    throw invalid(`Stack:${ctx.state.arn(existing)} is in REVIEW_IN_PROGRESS state and can not be updated.`);
}

/** Returns a stack in review until one of its change sets is executed. */
function reviewed(name: string, parent: ChangeSetRecord['parent'], ctx: CloudformationContext): Stack {
  const { state } = ctx;
  const templateId = state.putTemplate({ body: '{}' });
  const stack = state.putStack({
    ...newStack(name, { templateId, parameters: [], tags: [], capabilities: [], notificationArns: [] }, ctx),
    reason: 'User Initiated',
    ...nestedIn(parent, ctx),
  });
  state.log.stack(stack, undefined, 'REVIEW_IN_PROGRESS', 'User Initiated');
  return stack;
}

/** Returns the parent of a nested stack. */
function nestedIn(parent: ChangeSetRecord['parent'], { state }: CloudformationContext) {
  const outer = parent && state.stack(state.changeSet(parent.uuid)!.stack)!;
  if (!outer) return {};
  const parentId = state.arn(outer);
  return { parentId, rootId: outer.rootId ?? parentId, nestedAs: parent.logicalId };
}

async function planned(
  stack: Stack,
  requested: Requested | undefined,
  imports: readonly ResourceToImport[],
  live: LiveStates | undefined,
  { state, endpoint }: CloudformationContext,
): Promise<{ plan?: Plan; problem?: string }> {
  if (!requested) return {};
  try {
    return {
      plan: await planOf(
        state,
        stack,
        requested.template,
        requested.deployment,
        (type) => state.provider(type),
        endpoint,
        imports,
        live,
      ),
    };
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return { problem: error.message };
  }
}

/**
 * Deletes a change set; has no effect if it is missing.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DeleteChangeSet.html
 */
export function DeleteChangeSet(
  input: InputOf<'DeleteChangeSet'>,
  ctx: CloudformationContext,
): OutputOf<'DeleteChangeSet'> {
  const { state } = ctx;
  let found: ChangeSet | undefined;
  try {
    found = changeSetOf(input, ctx).changeSet;
  } catch (error) {
    if (!(error instanceof AwsError) || error.code !== 'ChangeSetNotFoundException') throw error;
  }
  if (!found) return {};
  if (found.execution === 'EXECUTE_IN_PROGRESS')
    throw cloudformationError(
      'InvalidChangeSetStatusException',
      `ChangeSet [${changeSetIdOf(found, ctx)}] cannot be deleted while it is executed.`,
    );
  refuseNested(found, 'deleted', ctx);
  state.deleteChangeSet(found.uuid);
  return {};
}

/**
 * Executes a change set. The stack's other change sets are deleted.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ExecuteChangeSet.html
 */
export async function ExecuteChangeSet(
  input: InputOf<'ExecuteChangeSet'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'ExecuteChangeSet'>> {
  const { state } = ctx;
  const { changeSet, stack } = changeSetOf(input, ctx);
  if (isRepeated(stack, input.ClientRequestToken, 'ExecuteChangeSet')) return {};
  const { status, execution } = changeSet;
  if (execution !== 'AVAILABLE')
    throw cloudformationError(
      'InvalidChangeSetStatusException',
      `ChangeSet [${changeSetIdOf(changeSet, ctx)}] cannot be executed in its current ${status === 'CREATE_COMPLETE' ? `execution status of [${execution}]` : `status of [${status}]`}`,
    );
  refuseNested(changeSet, 'executed', ctx);
  const creates = stack.status === 'REVIEW_IN_PROGRESS';
  if (!creates) checkUpdatable(stack, ctx);
  if (input.DisableRollback !== undefined && changeSet.onStackFailure !== undefined)
    throw invalid('You cannot specify DisableRollback where the change set has OnStackFailure.');
  for (const other of state.changeSetsIn(stack.uuid))
    if (other.uuid !== changeSet.uuid) state.deleteChangeSet(other.uuid);
  state.updateChangeSet(changeSet.uuid, (draft) => {
    draft.execution = 'EXECUTE_IN_PROGRESS';
  });
  const now = ctx.clock.now();
  const onFailure = onFailureOf(changeSet, input);
  const previous = deploymentOf(stack);
  const target = copyOf(changeSet.target) as DeploymentRecord;
  const changed = state.updateStack(stack.uuid, (draft) => {
    draft.changeSetId = changeSetIdOf(changeSet, ctx);
    draft.updatedAt = now;
    draft.disableRollback = onFailure === 'nothing';
    if (!creates) return;
    const { templateId } = draft;
    Object.assign(draft, target);
    draft.createdAt = stack.createdAt;
    state.deleteTemplate(templateId);
  });
  const importing = changeSet.type === 'IMPORT';
  const record: Omit<OperationRecord, 'id' | 'startedAt' | 'leftovers' | 'phase'> = {
    ...requestOrigin(ctx, input.ClientRequestToken),
    stack: stack.uuid,
    kind: importing ? 'import' : creates ? 'create' : 'update',
    target,
    ...(!creates && { previous }),
    onFailure,
    skip: [],
    ...(changeSet.imports && { imports: copyOf(changeSet.imports) as NonNullable<ChangeSetRecord['imports']> }),
    ...(input.RetainExceptOnCreate && { retainExceptOnCreate: true }),
    changeSet: changeSet.uuid,
    ...(changeSet.live && { live: copyOf(changeSet.live) as Record<string, LiveRecord> }),
  };
  await begin(
    changed,
    {
      request: 'ExecuteChangeSet',
      phase: 'apply',
      status: importing ? 'IMPORT_IN_PROGRESS' : creates ? 'CREATE_IN_PROGRESS' : 'UPDATE_IN_PROGRESS',
      record,
    },
    ctx,
  );
  return {};
}

function onFailureOf(
  { onStackFailure }: ChangeSet,
  { DisableRollback }: ExecuteChangeSetInput,
): OperationRecord['onFailure'] {
  if (onStackFailure === 'DELETE') return 'delete';
  return DisableRollback || onStackFailure === 'DO_NOTHING' ? 'nothing' : 'rollback';
}

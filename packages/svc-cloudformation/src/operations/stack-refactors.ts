import type { DeepReadonly } from '@emu/core/service';
import type {
  InputOf,
  OutputOf,
  StackDefinition,
  StackRefactorAction,
  StackRefactorSummary,
  Tag,
} from '@emu/service-types/cloudformation';
import type { CloudformationContext } from '../context.ts';
import { readRequest } from '../engine/request.ts';
import { cloudformationError, invalid, noStack } from '../errors.ts';
import { paging } from '../paging.ts';
import { rearrange, retag } from '../refactors/executing.ts';
import { type Definition, deploymentWith, RefactorPlan, reasonOf, UnsupportedRefactor } from '../refactors/planning.ts';
import type { MoveRecord, RefactorRecord } from '../refactors/records.ts';

const MAX_STACKS = 5;
/** Maximum number of stored refactors. */
const MAX_KEPT = 100;
const REFACTORABLE = /^(CREATE|UPDATE|UPDATE_ROLLBACK|IMPORT|IMPORT_ROLLBACK)_COMPLETE$/;

/** A stored refactor. */
type Refactor = DeepReadonly<RefactorRecord>;

/**
 * Plans to move resources between stacks according to their new templates.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_CreateStackRefactor.html
 */
export async function CreateStackRefactor(
  input: InputOf<'CreateStackRefactor'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'CreateStackRefactor'>> {
  const { state } = ctx;
  const { Description, StackDefinitions, ResourceMappings = [], EnableStackCreation = false } = input;
  if (StackDefinitions.length === 0 || StackDefinitions.length > MAX_STACKS)
    throw invalid(`StackDefinitions must have between 1 and ${MAX_STACKS} stacks.`);
  const names = StackDefinitions.map(({ StackName }) => StackName);
  if (names.includes(undefined)) throw invalid('StackName must be specified for each of the StackDefinitions.');
  if (new Set(names).size < names.length) throw invalid('A stack can be specified once only in StackDefinitions.');
  for (const name of names) if (!EnableStackCreation && !state.find(name!)) throw noStack(name!);
  evictOldest(ctx);
  const id = ctx.ids.uuid();
  const base = { id, ...(Description !== undefined && { description: Description }) };
  const made: Definition[] = [];
  try {
    for (const definition of StackDefinitions) made.push(await definitionOf(definition, ctx));
    const plan = await new RefactorPlan(made, ResourceMappings, ctx).plan();
    state.refactors.put(id, { ...base, status: 'CREATE_COMPLETE', execution: 'AVAILABLE', ...plan });
  } catch (error) {
    const reason = reasonOf(error);
    for (const { deployment } of made) state.deleteTemplate(deployment.templateId);
    state.refactors.put(id, {
      ...base,
      status: 'CREATE_FAILED',
      reason,
      execution: 'UNAVAILABLE',
      stacks: [],
      moves: [],
    });
  }
  return { StackRefactorId: id };
}

/** Evicts refactors to make room for a new one. */
function evictOldest({ state }: CloudformationContext): void {
  const [oldest] = state.refactors.size < MAX_KEPT ? [] : [...state.refactors.values()];
  if (!oldest) return;
  for (const { uuid, deployment } of oldest.stacks) state.dropTemplate(uuid, deployment.templateId);
  state.refactors.delete(oldest.id);
}

/**
 * Returns a stack with its new template.
 * @throws AwsError or UnsupportedRefactor if it cannot be refactored
 */
async function definitionOf(
  { StackName, TemplateBody, TemplateURL }: StackDefinition,
  ctx: CloudformationContext,
): Promise<Definition> {
  const { state } = ctx;
  const stack = state.find(StackName!);
  if (stack && !REFACTORABLE.test(stack.status))
    throw new UnsupportedRefactor(`Stack [${stack.name}] is in the status ${stack.status} and can not be refactored.`);
  if (stack?.policy !== undefined)
    throw new UnsupportedRefactor(`Stack [${stack.name}] has a stack policy and can not be refactored.`);
  const given = TemplateBody === undefined ? { TemplateURL } : { TemplateBody };
  const known = stack?.parameters.map(({ key }) => ({ ParameterKey: key, UsePreviousValue: true }));
  const { template, text, deployment } = await readRequest(
    {
      StackName: stack?.name ?? StackName!,
      ...given,
      ...(known && { Parameters: known }),
      // Capabilities were acknowledged when the resources were created.
      Capabilities: ['CAPABILITY_IAM', 'CAPABILITY_NAMED_IAM', 'CAPABILITY_AUTO_EXPAND'],
    },
    stack,
    ctx,
  );
  const templateId = state.putTemplate(text);
  const { parameters } = deployment;
  return {
    uuid: stack?.uuid ?? ctx.ids.uuid(),
    name: stack?.name ?? StackName!,
    stack,
    template,
    deployment: { ...deploymentWith(stack, templateId), parameters },
  };
}

function refactorNamed(id: string, { state }: CloudformationContext): Refactor {
  const refactor = state.refactors.get(id);
  if (!refactor) throw cloudformationError('StackRefactorNotFoundException', `Stack refactor ${id} does not exist`);
  return refactor;
}

/** Returns the execution status of a refactor; obsolete after another change of its stacks. */
function executionOf({ execution, stacks }: Refactor, { state }: CloudformationContext): Refactor['execution'] {
  if (execution !== 'AVAILABLE') return execution;
  const fresh = stacks.every(({ uuid, name, isNew, templateBefore }) =>
    isNew
      ? !state.find(name)
      : state.stack(uuid)?.templateId === templateBefore && REFACTORABLE.test(state.stack(uuid)!.status),
  );
  return fresh ? 'AVAILABLE' : 'OBSOLETE';
}

function summaryOf(refactor: Refactor, ctx: CloudformationContext): StackRefactorSummary {
  const { id, description, status, reason, executionReason } = refactor;
  return {
    StackRefactorId: id,
    ...(description !== undefined && { Description: description }),
    ExecutionStatus: executionOf(refactor, ctx),
    ...(executionReason !== undefined && { ExecutionStatusReason: executionReason }),
    Status: status,
    ...(reason !== undefined && { StatusReason: reason }),
  };
}

/**
 * Describes a refactor.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStackRefactor.html
 */
export function DescribeStackRefactor(
  input: InputOf<'DescribeStackRefactor'>,
  ctx: CloudformationContext,
): OutputOf<'DescribeStackRefactor'> {
  const refactor = refactorNamed(input.StackRefactorId, ctx);
  return { ...summaryOf(refactor, ctx), StackIds: refactor.stacks.map((stack) => ctx.state.arn(stack)) };
}

/**
 * Lists refactors.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStackRefactors.html
 */
export function ListStackRefactors(
  input: InputOf<'ListStackRefactors'>,
  ctx: CloudformationContext,
): OutputOf<'ListStackRefactors'> {
  const wanted = input.ExecutionStatusFilter;
  const summaries = [...ctx.state.refactors.values()]
    .map((refactor) => summaryOf(refactor, ctx))
    .filter(({ ExecutionStatus }) => !wanted?.length || wanted.includes(ExecutionStatus!));
  return paging
    .page('ListStackRefactors', input, summaries, ({ StackRefactorId }) => StackRefactorId!)
    .list((summary) => summary);
}

/**
 * Lists the actions of a refactor.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStackRefactorActions.html
 */
export function ListStackRefactorActions(
  input: InputOf<'ListStackRefactorActions'>,
  ctx: CloudformationContext,
): OutputOf<'ListStackRefactorActions'> {
  const { stacks, moves, id } = refactorNamed(input.StackRefactorId, ctx);
  const arns = new Map(stacks.map((stack) => [stack.uuid, ctx.state.arn(stack)]));
  const actions: StackRefactorAction[] = [
    ...stacks
      .filter(({ isNew }) => isNew)
      .map(({ uuid, name }) => ({
        Action: 'CREATE' as const,
        Entity: 'STACK' as const,
        PhysicalResourceId: arns.get(uuid)!,
        Description: `Stack ${name} is created.`,
      })),
    ...moves.map((move) => movement(move, arns, ctx)),
  ];
  const numbered = actions.map((action, index) => ({ action, key: `${id}/${String(index).padStart(6, '0')}` }));
  return paging.page('ListStackRefactorActions', input, numbered, ({ key }) => key).list(({ action }) => action);
}

function movement(
  { from, to, detection, tags }: DeepReadonly<MoveRecord>,
  arns: ReadonlyMap<string, string>,
  { state }: CloudformationContext,
): StackRefactorAction {
  const current = (state.resource(from.stack, from.logicalId) ?? state.resource(to.stack, to.logicalId))?.current;
  const before: readonly Tag[] = (current?.tags ?? []) as Tag[];
  const kept = new Set(tags.map(({ Key }) => Key));
  return {
    Action: 'MOVE',
    Entity: 'RESOURCE',
    ...(current && { PhysicalResourceId: current.physicalId, ResourceIdentifier: current.identifier }),
    Detection: detection,
    ...(detection === 'MANUAL' && { DetectionReason: 'The mapping is one of ResourceMappings.' }),
    TagResources: tags
      .filter(({ Key, Value }) => !before.some((tag) => tag.Key === Key && tag.Value === Value))
      .map(({ Key, Value }) => ({ Key, Value })),
    UntagResources: before.filter(({ Key }) => !kept.has(Key)).map(({ Key }) => Key),
    ResourceMapping: {
      Source: { StackName: arns.get(from.stack)!, LogicalResourceId: from.logicalId },
      Destination: { StackName: arns.get(to.stack)!, LogicalResourceId: to.logicalId },
    },
  };
}

/**
 * Executes a refactor: moves resources between stacks.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ExecuteStackRefactor.html
 */
export async function ExecuteStackRefactor(
  input: InputOf<'ExecuteStackRefactor'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'ExecuteStackRefactor'>> {
  const { state } = ctx;
  const refactor = refactorNamed(input.StackRefactorId, ctx);
  const status = executionOf(refactor, ctx);
  if (status !== 'AVAILABLE')
    throw invalid(`Stack refactor ${refactor.id} cannot be executed in its current execution status of [${status}]`);
  const executed = (execution: Refactor['execution'], reason?: string) =>
    state.refactors.update(refactor.id, (draft) => {
      draft.execution = execution;
      if (reason !== undefined) draft.executionReason = reason;
    });
  executed('EXECUTE_IN_PROGRESS');
  const undo: (() => Promise<void>)[] = [];
  try {
    await retag(refactor, ctx, undo);
  } catch (error) {
    for (const back of undo.reverse()) await back();
    executed('ROLLBACK_COMPLETE', reasonOf(error));
    return {};
  }
  rearrange(refactor, ctx);
  executed('EXECUTE_COMPLETE');
  return {};
}

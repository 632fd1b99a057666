import type { Change, CreateChangeSetInput } from '@emu/service-types/cloudformation';
import type { CloudformationContext } from '../context.ts';
import type { NestedPlan } from '../engine/plan.ts';
import { invalid, isNoChangesReason } from '../errors.ts';
import { nestedInput, nestingProblem } from '../resource-types/nested-stack.ts';
import type { ChangeSet, Stack } from '../stacks/registry.ts';
import { changeSetIdOf, changesOf } from './change-set-descriptions.ts';

const RANDOM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const RANDOM_LENGTH = 12;
const MAX_NAME = 128;

/** Creates a change set for a stack. */
type Create = (input: CreateChangeSetInput, parent: NonNullable<ChangeSet['parent']>) => Promise<{ Id?: string }>;

/**
 * Creates the change sets of a stack's nested stacks and references them in its own change set, which fails if one of
 * them fails. Nested stacks without changes are left out.
 * @param create creates one of them
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/change-sets-for-nested-stacks.html
 */
export async function includeNested(
  changeSet: ChangeSet,
  stack: Stack,
  nested: readonly NestedPlan[],
  create: Create,
  ctx: CloudformationContext,
): Promise<ChangeSet> {
  const { state } = ctx;
  const root = changeSet.parent?.root ?? changeSet.uuid;
  const ids = new Map<string, string>();
  let problem: string | undefined;
  for (const one of nested) {
    const { logicalId } = one;
    const refused = one.stackId === undefined ? nestingProblem(state, stack) : undefined;
    if (refused !== undefined) {
      problem ??= refused;
      continue;
    }
    const StackName = one.stackId ?? announced(stack, logicalId, ctx);
    const { TimeoutInMinutes: _, ...input } = nestedInput(one.properties);
    const { Id } = await create(
      {
        StackName,
        ChangeSetName: nameOf(changeSet.name, logicalId, ctx),
        ChangeSetType: one.stackId === undefined ? 'CREATE' : 'UPDATE',
        IncludeNestedStacks: true,
        // A stack that is being created cannot have drifted.
        ...(changeSet.deploymentMode !== undefined &&
          one.stackId !== undefined && { DeploymentMode: changeSet.deploymentMode }),
        ...input,
      },
      { uuid: changeSet.uuid, root, logicalId },
    );
    const made = state.nestedChangeSets(changeSet.uuid).find(({ parent }) => parent!.logicalId === logicalId)!;
    if (made.status !== 'FAILED') ids.set(logicalId, Id!);
    else if (!isNoChangesReason(made.reason))
      problem ??= `Nested change set ${Id} was not successfully created: Currently in FAILED.`;
  }
  return state.updateChangeSet(changeSet.uuid, (draft) => {
    draft.changes = JSON.stringify(withIds(changesOf(changeSet), stack, ids, ctx));
    draft.detailedChanges = JSON.stringify(withIds(changesOf(changeSet, true), stack, ids, ctx));
    if (problem !== undefined) Object.assign(draft, { status: 'FAILED', reason: problem, execution: 'UNAVAILABLE' });
    else if (ids.size && isNoChangesReason(draft.reason)) {
      // Only a nested stack changes.
      delete draft.reason;
      Object.assign(draft, { status: 'CREATE_COMPLETE', execution: 'AVAILABLE' });
    }
  });
}

/** Returns the nested stack: the one that another change set has announced, or the name for a new one. */
function announced(stack: Stack, logicalId: string, ctx: CloudformationContext): string {
  const { state } = ctx;
  const known = state.reviewedIn(state.arn(stack), logicalId);
  if (known) return known.name;
  return nameOf(stack.name, logicalId, ctx);
}

/**
 * Generates a name for a nested stack or change set.
 * @param parent name of its parent
 */
function nameOf(parent: string, logicalId: string, { ids }: CloudformationContext): string {
  const end = `-${ids.chars(RANDOM_LENGTH, RANDOM)}`;
  return `${`${parent}-${logicalId}`.slice(0, MAX_NAME - end.length)}${end}`;
}

/** Adds the nested change sets to the changes; nested stacks that change only internally get an entry of their own. */
function withIds(
  changes: Change[],
  stack: Stack,
  ids: ReadonlyMap<string, string>,
  { state }: CloudformationContext,
): Change[] {
  const out = changes.map(({ ResourceChange, ...rest }) => {
    const ChangeSetId = ids.get(ResourceChange!.LogicalResourceId!);
    return { ...rest, ResourceChange: { ...ResourceChange, ...(ChangeSetId !== undefined && { ChangeSetId }) } };
  });
  for (const [LogicalResourceId, ChangeSetId] of ids) {
    if (changes.some(({ ResourceChange }) => ResourceChange!.LogicalResourceId === LogicalResourceId)) continue;
    out.push({
      Type: 'Resource',
      ResourceChange: {
        Action: 'Modify',
        LogicalResourceId,
        PhysicalResourceId: state.resource(stack.uuid, LogicalResourceId)?.current?.physicalId,
        ResourceType: 'AWS::CloudFormation::Stack',
        Replacement: 'False',
        Scope: ['Properties'],
        Details: [
          {
            Target: { Attribute: 'Properties', RequiresRecreation: 'Never' },
            Evaluation: 'Dynamic',
            ChangeSource: 'Automatic',
          },
        ],
        ChangeSetId,
      },
    });
  }
  return out.sort((a, b) => (a.ResourceChange!.LogicalResourceId! < b.ResourceChange!.LogicalResourceId! ? -1 : 1));
}

/**
 * Rejects operations that are only allowed on the root change set.
 * @throws AwsError `ValidationError`
 */
export function refuseNested(changeSet: ChangeSet, verb: string, ctx: CloudformationContext): void {
  const root = changeSet.parent && ctx.state.changeSet(changeSet.parent.root);
  if (!root) return;
  throw invalid(
    `ChangeSet [${changeSetIdOf(changeSet, ctx)}] is nested and cannot be ${verb}: its root change set [${changeSetIdOf(root, ctx)}] can.`,
  );
}

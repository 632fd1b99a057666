import { copyOf, type DeepReadonly, type ResourceValues } from '@emu/core/service';
import type { Tag } from '@emu/service-types/cloudformation';
import type { CloudformationContext } from '../context.ts';
import { askerOf } from '../context.ts';
import { withTags } from '../engine/steps.ts';
import { sameTags } from '../lookup.ts';
import { newStack } from '../stacks/deployment.ts';
import type { DeploymentRecord, OutputRecord, PhysicalRecord, ResourceRecord } from '../stacks/records.ts';
import type { JsonObject } from '../templates/values.ts';
import type { MoveRecord, RefactorRecord } from './records.ts';

type Refactor = DeepReadonly<RefactorRecord>;

/**
 * Applies the tags of the new stacks to moved resources.
 * @returns a function that reverts this
 * @throws the service's error
 */
export async function retag(
  { moves }: Refactor,
  ctx: CloudformationContext,
  undo: (() => Promise<void>)[],
): Promise<void> {
  const { state } = ctx;
  for (const { from, tags } of moves) {
    const { current } = state.resource(from.stack, from.logicalId)!;
    const provider = await state.provider(current!.type);
    const before = copyOf(current!.tags) as Tag[];
    if (!provider?.update || sameTags(before, tags as Tag[])) continue;
    const step = state.reading(askerOf(ctx), ctx.signal);
    const tagged = (own: readonly Tag[]): ResourceValues =>
      withTags(provider, copyOf(current!.properties) as JsonObject, own);
    const [old, wanted] = [tagged(before), tagged(tags as Tag[])];
    await provider.update(current!.identifier, old, wanted, step);
    undo.push(() => provider.update!(current!.identifier, wanted, old, step));
  }
}

/** Executes a refactor: stores the new templates and moves the resources. */
export function rearrange({ stacks, moves }: Refactor, ctx: CloudformationContext): void {
  const { state } = ctx;
  for (const wanted of stacks) {
    const deployment = copyOf(wanted.deployment) as DeploymentRecord;
    if (wanted.isNew) {
      const made = state.putStack({
        ...newStack(wanted.name, deployment, ctx),
        uuid: wanted.uuid,
        status: 'CREATE_IN_PROGRESS',
      });
      state.log.stack(made, undefined, 'CREATE_IN_PROGRESS', 'Stack refactor');
    } else {
      const stack = state.updateStack(wanted.uuid, (draft) => {
        draft.status = 'UPDATE_IN_PROGRESS';
      });
      state.log.stack(stack, undefined, 'UPDATE_IN_PROGRESS', 'Stack refactor');
    }
  }
  const taken = moves.map((move) => ({ move, record: take(move, ctx) }));
  for (const { move, record } of taken) put(move, record, ctx);
  for (const wanted of stacks) {
    const status = wanted.isNew ? 'CREATE_COMPLETE' : 'UPDATE_COMPLETE';
    const before = state.stack(wanted.uuid)!.templateId;
    const stack = state.updateStack(wanted.uuid, (draft) => {
      delete draft.description;
      Object.assign(draft, copyOf(wanted.deployment));
      draft.status = status;
      delete draft.reason;
      draft.outputs = copyOf(wanted.outputs) as OutputRecord[];
      draft.imports = [...wanted.imports];
      if (!wanted.isNew) draft.updatedAt = ctx.clock.now();
    });
    if (before !== stack.templateId) state.dropTemplate(stack.uuid, before);
    state.log.stack(stack, undefined, status);
  }
}

function take({ from }: DeepReadonly<MoveRecord>, { state }: CloudformationContext): ResourceRecord {
  const stack = state.stack(from.stack)!;
  const record = copyOf(state.resource(from.stack, from.logicalId)!) as ResourceRecord;
  const { physicalId } = record.current!;
  state.log.resource(stack, undefined, record, physicalId, 'EXPORT_IN_PROGRESS');
  state.deleteResource(from.stack, from.logicalId);
  state.log.resource(stack, undefined, record, physicalId, 'EXPORT_COMPLETE');
  return record;
}

function put(
  move: DeepReadonly<MoveRecord>,
  { metadata: _, ...record }: ResourceRecord,
  ctx: CloudformationContext,
): void {
  const { state } = ctx;
  const { to, tags, dependsOn, deletionPolicy, updateReplacePolicy, metadata } = move;
  const stack = state.stack(to.stack)!;
  const current: PhysicalRecord = { ...record.current!, tags: copyOf(tags) as Tag[] };
  const moved = { ...record, stack: to.stack, logicalId: to.logicalId };
  state.log.resource(stack, undefined, moved, current.physicalId, 'IMPORT_IN_PROGRESS');
  state.putResource({
    ...moved,
    current,
    dependsOn: [...dependsOn],
    deletionPolicy,
    updateReplacePolicy,
    ...(metadata !== undefined && { metadata }),
    status: 'IMPORT_COMPLETE',
    updatedAt: ctx.clock.now(),
  });
  state.log.resource(stack, undefined, moved, current.physicalId, 'IMPORT_COMPLETE');
}

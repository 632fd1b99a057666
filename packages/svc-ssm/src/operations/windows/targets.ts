import type { InputOf, OutputOf, Target } from '@emu/service-types/ssm';
import type { SsmContext } from '../../context.ts';
import { invalid, ssmError } from '../../errors.ts';
import { passesAll } from '../../orchestrator-filters.ts';
import { paging } from '../../paging.ts';
import { checkWindowTargets } from '../../windows/checks.ts';
import { windowAt, windowTargetAt } from '../../windows/lookup.ts';
import { windowTargetType, windowType } from '../../windows/resources.ts';
import type { WindowTarget } from '../../windows/store.ts';

const described = (target: WindowTarget) => ({
  WindowId: target.windowId,
  WindowTargetId: target.id,
  Targets: target.targets as Target[],
  OwnerInformation: target.ownerInformation,
  Name: target.name,
  Description: target.description,
});

function announce({ id, windowId }: Pick<WindowTarget, 'id' | 'windowId'>, status: string, ctx: SsmContext): void {
  const arns = [windowType.arn({ id: windowId }, ctx), windowTargetType.arn({ id }, ctx)];
  const detail = { 'window-target-id': id, 'window-id': windowId, status };
  ctx.state.announce('Maintenance Window Target Registration Notification', arns, detail, ctx.requestId);
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_RegisterTargetWithMaintenanceWindow.html */
export function RegisterTargetWithMaintenanceWindow(
  input: InputOf<'RegisterTargetWithMaintenanceWindow'>,
  ctx: SsmContext,
): OutputOf<'RegisterTargetWithMaintenanceWindow'> {
  const { state, ids } = ctx;
  const { id: windowId } = windowAt(input.WindowId, ctx);
  checkWindowTargets(input.Targets, input.ResourceType);
  const WindowTargetId = state.tokens.once('RegisterTargetWithMaintenanceWindow', input, () => {
    const id = ids.uuid();
    state.windows.targets.put(id, {
      id,
      windowId,
      resourceType: input.ResourceType,
      targets: input.Targets,
      ownerInformation: input.OwnerInformation,
      name: input.Name,
      description: input.Description,
    });
    announce({ id, windowId }, 'REGISTERED', ctx);
    return id;
  });
  return { WindowTargetId };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_UpdateMaintenanceWindowTarget.html */
export function UpdateMaintenanceWindowTarget(
  input: InputOf<'UpdateMaintenanceWindowTarget'>,
  ctx: SsmContext,
): OutputOf<'UpdateMaintenanceWindowTarget'> {
  const target = windowTargetAt(input.WindowId, input.WindowTargetId, ctx);
  const { Replace = false, Targets } = input;
  if (Replace && !Targets) throw invalid('Targets is required where Replace is true.');
  if (Targets) checkWindowTargets(Targets, target.resourceType);
  const updated = ctx.state.windows.targets.update(target.id, (draft) => {
    const kept = Replace ? undefined : draft;
    draft.targets = Targets ?? draft.targets;
    draft.ownerInformation = input.OwnerInformation ?? kept?.ownerInformation;
    draft.name = input.Name ?? kept?.name;
    draft.description = input.Description ?? kept?.description;
  });
  announce(updated, 'UPDATED', ctx);
  return described(updated);
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DeregisterTargetFromMaintenanceWindow.html */
export function DeregisterTargetFromMaintenanceWindow(
  input: InputOf<'DeregisterTargetFromMaintenanceWindow'>,
  ctx: SsmContext,
): OutputOf<'DeregisterTargetFromMaintenanceWindow'> {
  const { windows } = ctx.state;
  const { id, windowId } = windowTargetAt(input.WindowId, input.WindowTargetId, ctx);
  const used = windows.tasksOf(windowId).find(({ targets }) => targets.some(({ Values }) => Values?.includes(id)));
  if (input.Safe && used) throw ssmError('TargetInUseException', `The window target ${id} is used by task ${used.id}.`);
  windows.targets.delete(id);
  announce({ id, windowId }, 'DEREGISTERED', ctx);
  return { WindowId: windowId, WindowTargetId: id };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeMaintenanceWindowTargets.html */
export function DescribeMaintenanceWindowTargets(
  input: InputOf<'DescribeMaintenanceWindowTargets'>,
  ctx: SsmContext,
): OutputOf<'DescribeMaintenanceWindowTargets'> {
  windowAt(input.WindowId, ctx);
  const passes = passesAll<WindowTarget>(input.Filters, {
    Type: ({ resourceType }, values) => values.includes(resourceType),
    WindowTargetId: ({ id }, values) => values.includes(id),
    OwnerInformation: ({ ownerInformation = '' }, values) => values.includes(ownerInformation),
  });
  const listed = ctx.state.windows.targetsOf(input.WindowId).filter(passes);
  return paging
    .page('DescribeMaintenanceWindowTargets', input, listed, ({ id }) => id)
    .list((target) => ({ ...described(target), ResourceType: target.resourceType }));
}

import type { InputOf, OutputOf } from '@emu/service-types/ssm';
import type { SsmContext } from '../../context.ts';
import { ssmError } from '../../errors.ts';
import { passesAll } from '../../orchestrator-filters.ts';
import { paging } from '../../paging.ts';
import type { PatchGroup } from '../../patches/store.ts';
import { baselineAt, identityOf } from './baselines.ts';

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_RegisterPatchBaselineForPatchGroup.html */
export function RegisterPatchBaselineForPatchGroup(
  { BaselineId, PatchGroup }: InputOf<'RegisterPatchBaselineForPatchGroup'>,
  ctx: SsmContext,
): OutputOf<'RegisterPatchBaselineForPatchGroup'> {
  const { patches } = ctx.state;
  const baseline = baselineAt(BaselineId, ctx);
  if (patches.groupAt(PatchGroup, baseline.operatingSystem))
    throw ssmError(
      'AlreadyExistsException',
      `Patch Group baseline already has a baseline registered for OperatingSystem ${baseline.operatingSystem}.`,
    );
  patches.register(PatchGroup, baseline);
  return { BaselineId: baseline.id, PatchGroup };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DeregisterPatchBaselineForPatchGroup.html */
export function DeregisterPatchBaselineForPatchGroup(
  { BaselineId, PatchGroup }: InputOf<'DeregisterPatchBaselineForPatchGroup'>,
  ctx: SsmContext,
): OutputOf<'DeregisterPatchBaselineForPatchGroup'> {
  const { patches } = ctx.state;
  const baseline = baselineAt(BaselineId, ctx);
  if (patches.groupAt(PatchGroup, baseline.operatingSystem)?.baselineId !== baseline.id)
    throw ssmError('DoesNotExistException', 'Patch Baseline to be retrieved does not exist.');
  patches.deregister(PatchGroup, baseline);
  return { BaselineId: baseline.id, PatchGroup };
}

/**
 * Returns the baseline registered for a group, or else the default baseline.
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetPatchBaselineForPatchGroup.html
 */
export function GetPatchBaselineForPatchGroup(
  { PatchGroup, OperatingSystem = 'WINDOWS' }: InputOf<'GetPatchBaselineForPatchGroup'>,
  { state: { patches } }: SsmContext,
): OutputOf<'GetPatchBaselineForPatchGroup'> {
  const registered = patches.groupAt(PatchGroup, OperatingSystem)?.baselineId;
  return { BaselineId: registered ?? patches.defaultOf(OperatingSystem).id, PatchGroup, OperatingSystem };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribePatchGroups.html */
export function DescribePatchGroups(
  input: InputOf<'DescribePatchGroups'>,
  { state: { patches } }: SsmContext,
): OutputOf<'DescribePatchGroups'> {
  const passes = passesAll<PatchGroup>(input.Filters, {
    NAME_PREFIX: ({ group }, values) => values.some((value) => group.startsWith(value)),
    OPERATING_SYSTEM: ({ operatingSystem }, values) => values.includes(operatingSystem),
  });
  const groups = patches.allGroups().filter(passes);
  return paging
    .page('DescribePatchGroups', input, groups, ({ group, operatingSystem }) => `${group} ${operatingSystem}`)
    .list(({ group, baselineId }) => ({
      PatchGroup: group,
      BaselineIdentity: identityOf(patches.find(baselineId)!, patches),
    }));
}

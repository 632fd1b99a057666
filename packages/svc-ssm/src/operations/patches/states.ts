import type { InputOf, OutputOf } from '@emu/service-types/ssm';
import { compares } from '../../comparisons.ts';
import type { SsmContext } from '../../context.ts';
import { ssmError } from '../../errors.ts';
import { passesAll } from '../../orchestrator-filters.ts';
import { paging } from '../../paging.ts';
import { COUNTS, describeState, GROUP_COUNTS, patchesOf, patchStates } from '../../patches/states.ts';

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeInstancePatchStates.html */
export function DescribeInstancePatchStates(
  input: InputOf<'DescribeInstancePatchStates'>,
  { state }: SsmContext,
): OutputOf<'DescribeInstancePatchStates'> {
  const listed = patchStates(state.inventory).filter(({ instanceId }) => input.InstanceIds.includes(instanceId));
  return paging.page('DescribeInstancePatchStates', input, listed, ({ instanceId }) => instanceId).list(describeState);
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeInstancePatchStatesForPatchGroup.html */
export function DescribeInstancePatchStatesForPatchGroup(
  input: InputOf<'DescribeInstancePatchStatesForPatchGroup'>,
  { state }: SsmContext,
): OutputOf<'DescribeInstancePatchStatesForPatchGroup'> {
  for (const { Key, Values } of input.Filters ?? []) {
    if (!COUNTS.includes(Key as (typeof COUNTS)[number]))
      throw ssmError('InvalidFilter', `The filter key ${Key} is not valid. Valid keys: ${COUNTS.join(', ')}.`);
    if (!Values.every((value) => /^\d+$/.test(value)))
      throw ssmError('InvalidFilter', `The value of the filter ${Key} must be an integer greater than or equal to 0.`);
  }
  const listed = patchStates(state.inventory)
    .filter(({ summary }) => summary.PatchGroup === input.PatchGroup)
    .filter(({ summary }) =>
      (input.Filters ?? []).every(({ Key, Values, Type }) => compares(summary[Key] ?? '0', Type, Values)),
    );
  return paging
    .page('DescribeInstancePatchStatesForPatchGroup', input, listed, ({ instanceId }) => instanceId)
    .list(describeState);
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribePatchGroupState.html */
export function DescribePatchGroupState(
  input: InputOf<'DescribePatchGroupState'>,
  { state }: SsmContext,
): OutputOf<'DescribePatchGroupState'> {
  const inGroup = patchStates(state.inventory).filter(({ summary }) => summary.PatchGroup === input.PatchGroup);
  return {
    Instances: inGroup.length,
    ...Object.fromEntries(
      Object.entries(GROUP_COUNTS).map(([member, count]) => [
        member,
        inGroup.filter(({ summary }) => Number(summary[count] ?? 0) > 0).length,
      ]),
    ),
  };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeInstancePatches.html */
export function DescribeInstancePatches(
  input: InputOf<'DescribeInstancePatches'>,
  { state }: SsmContext,
): OutputOf<'DescribeInstancePatches'> {
  const patches = patchesOf(input.InstanceId, state.compliance);
  type Patch = (typeof patches)[number];
  const equals = (read: (patch: Patch) => string) => (patch: Patch, values: readonly string[]) =>
    values.some((value) => value.toLowerCase() === read(patch).toLowerCase());
  const passes = passesAll<Patch>(input.Filters, {
    Classification: equals(({ Classification }) => Classification),
    KBId: equals(({ KBId }) => KBId),
    Severity: equals(({ Severity }) => Severity),
    State: equals(({ State }) => State.replaceAll('_', '')),
  });
  return paging
    .page('DescribeInstancePatches', input, patches.filter(passes), ({ KBId, Title }) => `${KBId} ${Title}`)
    .list((patch) => patch);
}

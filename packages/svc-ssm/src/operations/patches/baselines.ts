import type { InputOf, OutputOf, PatchBaselineIdentity } from '@emu/service-types/ssm';
import type { SsmContext } from '../../context.ts';
import { invalid, ssmError } from '../../errors.ts';
import { passesAll } from '../../orchestrator-filters.ts';
import { paging } from '../../paging.ts';
import { PROPERTIES, valuesOf } from '../../patches/properties.ts';
import type { BaselineRules } from '../../patches/records.ts';
import { checkRules, completeRules } from '../../patches/rules.ts';
import type { Baseline, PatchStore } from '../../patches/store.ts';
import { tagging } from '../../tags.ts';

const ID = /^pb-[0-9a-f]{17}$/;

/**
 * Returns a patch baseline by id.
 * @throws AwsError `DoesNotExistException`, `InvalidResourceId`
 */
export function baselineAt(id: string, ctx: SsmContext): Baseline {
  if (!ID.test(id) && !id.startsWith('arn:')) throw ssmError('InvalidResourceId', '');
  const baseline = ctx.state.patches.find(id);
  if (!baseline) throw ssmError('DoesNotExistException', 'Patch Baseline to be retrieved does not exist.');
  return baseline;
}

/** Returns a baseline as shown in lists. */
export const identityOf = (baseline: Baseline, patches: PatchStore): PatchBaselineIdentity => ({
  BaselineId: baseline.id,
  BaselineName: baseline.name,
  OperatingSystem: baseline.operatingSystem,
  BaselineDescription: baseline.description,
  DefaultBaseline: patches.isDefault(baseline),
});

const described = (baseline: Baseline) => ({
  BaselineId: baseline.id,
  Name: baseline.name,
  OperatingSystem: baseline.operatingSystem,
  // A copy is not needed: parts of a record are immutable.
  ...(baseline.rules as BaselineRules),
  CreatedDate: new Date(baseline.createdAt),
  ModifiedDate: new Date(baseline.modifiedAt),
  Description: baseline.description,
});

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_CreatePatchBaseline.html */
export function CreatePatchBaseline(
  input: InputOf<'CreatePatchBaseline'>,
  ctx: SsmContext,
): OutputOf<'CreatePatchBaseline'> {
  const { state, ids, clock } = ctx;
  const operatingSystem = input.OperatingSystem ?? 'WINDOWS';
  const rules = completeRules(input);
  checkRules(operatingSystem, rules);
  const tags = tagging.merge(undefined, input.Tags);
  const BaselineId = state.tokens.once('CreatePatchBaseline', input, () => {
    const id = `pb-0${ids.hex(16)}`;
    const now = clock.now();
    state.patches.baselines.put(id, {
      id,
      name: input.Name,
      description: input.Description,
      operatingSystem,
      rules,
      tags,
      createdAt: now,
      modifiedAt: now,
    });
    return id;
  });
  return { BaselineId };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_UpdatePatchBaseline.html */
export function UpdatePatchBaseline(
  input: InputOf<'UpdatePatchBaseline'>,
  ctx: SsmContext,
): OutputOf<'UpdatePatchBaseline'> {
  const { patches } = ctx.state;
  const baseline = baselineAt(input.BaselineId, ctx);
  if (patches.isPredefined(baseline.id)) throw invalid('A patch baseline that AWS provides cannot be changed.');
  if (input.Replace && input.Name === undefined) throw invalid('Name is required where Replace is true.');
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const rules = completeRules(input.Replace ? given : { ...(baseline.rules as BaselineRules), ...given });
  checkRules(baseline.operatingSystem, rules);
  const updated = patches.baselines.update(baseline.id, (draft) => {
    draft.name = input.Name ?? draft.name;
    draft.description = input.Description ?? (input.Replace ? undefined : draft.description);
    draft.rules = rules;
    draft.modifiedAt = ctx.clock.now();
  });
  return described(updated);
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetPatchBaseline.html */
export function GetPatchBaseline(input: InputOf<'GetPatchBaseline'>, ctx: SsmContext): OutputOf<'GetPatchBaseline'> {
  const baseline = baselineAt(input.BaselineId, ctx);
  return { ...described(baseline), PatchGroups: ctx.state.patches.groupsOf(baseline.id) };
}

/**
 * Deletes a baseline; succeeds for an unknown one.
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DeletePatchBaseline.html
 */
export function DeletePatchBaseline(
  { BaselineId }: InputOf<'DeletePatchBaseline'>,
  ctx: SsmContext,
): OutputOf<'DeletePatchBaseline'> {
  const { patches } = ctx.state;
  const baseline = patches.find(BaselineId);
  if (!baseline) return { BaselineId };
  if (patches.isPredefined(baseline.id)) throw invalid('A patch baseline that AWS provides cannot be deleted.');
  if (patches.groupsOf(baseline.id).length)
    throw ssmError('ResourceInUseException', `Patch baseline ${baseline.id} is registered for a patch group.`);
  if (patches.isDefault(baseline))
    throw ssmError(
      'ResourceInUseException',
      `Patch baseline ${baseline.id} is the default one of ${baseline.operatingSystem}.`,
    );
  patches.baselines.delete(baseline.id);
  return { BaselineId };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribePatchBaselines.html */
export function DescribePatchBaselines(
  input: InputOf<'DescribePatchBaselines'>,
  ctx: SsmContext,
): OutputOf<'DescribePatchBaselines'> {
  const { patches } = ctx.state;
  const passes = passesAll<Baseline>(input.Filters, {
    NAME_PREFIX: ({ name }, values) => values.some((value) => name.startsWith(value)),
    OWNER: ({ id }, values) => values.includes(patches.isPredefined(id) ? 'AWS' : 'Self'),
    OPERATING_SYSTEM: ({ operatingSystem }, values) => values.includes(operatingSystem),
  });
  return paging
    .page('DescribePatchBaselines', input, patches.all().filter(passes), ({ id }) => id)
    .list((baseline) => identityOf(baseline, patches));
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_RegisterDefaultPatchBaseline.html */
export function RegisterDefaultPatchBaseline(
  input: InputOf<'RegisterDefaultPatchBaseline'>,
  ctx: SsmContext,
): OutputOf<'RegisterDefaultPatchBaseline'> {
  const baseline = baselineAt(input.BaselineId, ctx);
  ctx.state.patches.setDefault(baseline);
  return { BaselineId: baseline.id };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetDefaultPatchBaseline.html */
export function GetDefaultPatchBaseline(
  { OperatingSystem = 'WINDOWS' }: InputOf<'GetDefaultPatchBaseline'>,
  { state }: SsmContext,
): OutputOf<'GetDefaultPatchBaseline'> {
  return { BaselineId: state.patches.defaultOf(OperatingSystem).id, OperatingSystem };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribePatchProperties.html */
export function DescribePatchProperties(
  input: InputOf<'DescribePatchProperties'>,
): OutputOf<'DescribePatchProperties'> {
  const { OperatingSystem, Property, PatchSet } = input;
  const values = valuesOf(OperatingSystem, Property, PatchSet);
  if (!values)
    throw invalid(
      `The property ${Property} is not valid for ${OperatingSystem}. Valid properties: ${Object.keys(PROPERTIES[OperatingSystem]).join(', ')}.`,
    );
  return paging.page('DescribePatchProperties', input, values, (value) => value).list((Name) => ({ Name }));
}

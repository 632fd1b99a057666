import {
  defined,
  defineProvider,
  differs,
  everyItem,
  listChanges,
  omit,
  pick,
  run,
  type TaggedProperties,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { retag, tagsOf } from './tags.ts';

const GONE = 'DoesNotExistException';

const RULES = [
  'ApprovalRules',
  'ApprovedPatches',
  'ApprovedPatchesComplianceLevel',
  'ApprovedPatchesEnableNonSecurity',
  'AvailableSecurityUpdatesComplianceStatus',
  'Description',
  'GlobalFilters',
  'Name',
  'RejectedPatches',
  'RejectedPatchesAction',
  'Sources',
] as const;

interface BaselineProperties extends TaggedProperties {
  DefaultBaseline?: boolean;
  OperatingSystem?: 'WINDOWS';
  PatchGroups?: readonly string[];
}

/** Registers a baseline for exactly the given patch groups. */
async function regroup(
  BaselineId: string,
  previous: BaselineProperties,
  desired: BaselineProperties,
  ctx: ProviderContext,
) {
  const { added, removed } = listChanges(previous.PatchGroups, desired.PatchGroups);
  for (const PatchGroup of removed)
    await unless(ctx.call('ssm', 'DeregisterPatchBaselineForPatchGroup', { BaselineId, PatchGroup }), GONE);
  for (const PatchGroup of added)
    await run(ctx, 'ssm', 'RegisterPatchBaselineForPatchGroup', { BaselineId, PatchGroup });
}

const isDefault = async (BaselineId: string, { OperatingSystem }: BaselineProperties, ctx: ProviderContext) =>
  (await ctx.call('ssm', 'GetDefaultPatchBaseline', defined({ OperatingSystem }))).BaselineId === BaselineId;

/** Restores AWS's baseline as the default. */
async function resetDefault({ OperatingSystem = 'WINDOWS' }: BaselineProperties, ctx: ProviderContext): Promise<void> {
  const Filters = [
    { Key: 'OWNER', Values: ['AWS'] },
    { Key: 'OPERATING_SYSTEM', Values: [OperatingSystem] },
  ];
  const { BaselineIdentities = [] } = await ctx.call('ssm', 'DescribePatchBaselines', { Filters });
  const own = BaselineIdentities.find(({ BaselineName }) => /Default/.test(BaselineName!))!;
  await ctx.call('ssm', 'RegisterDefaultPatchBaseline', { BaselineId: own.BaselineId! });
}

/**
 * Patch baselines.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ssm-patchbaseline.html
 */
export const patchBaseline: AnyResourceProvider = defineProvider<BaselineProperties>({
  typeName: 'AWS::SSM::PatchBaseline',
  model,
  handles: ['DefaultBaseline', 'OperatingSystem', 'PatchGroups', 'Tags', ...RULES],

  async create(properties, ctx) {
    const input = { ...omit(properties, 'DefaultBaseline', 'PatchGroups'), ClientToken: ctx.token };
    const { BaselineId } = await run(ctx, 'ssm', 'CreatePatchBaseline', input as never);
    ctx.created(BaselineId!);
    await regroup(BaselineId!, {}, properties, ctx);
    if (properties.DefaultBaseline) await run(ctx, 'ssm', 'RegisterDefaultPatchBaseline', { BaselineId: BaselineId! });
    return { identifier: BaselineId! };
  },

  async read(BaselineId, ctx) {
    const found = await unless(ctx.call('ssm', 'GetPatchBaseline', { BaselineId }), GONE);
    if (!found) return undefined;
    const properties = defined({
      ...pick(found, [...RULES, 'OperatingSystem']),
      PatchGroups: unlessEmpty(found.PatchGroups),
      Tags: await tagsOf('PatchBaseline', BaselineId, ctx),
    }) as BaselineProperties;
    const DefaultBaseline = await isDefault(BaselineId, properties, ctx);
    return { properties: { ...properties, DefaultBaseline }, attributes: { Id: BaselineId } };
  },

  async update(BaselineId, previous, desired, ctx) {
    if (differs(previous, desired, ...RULES))
      await run(ctx, 'ssm', 'UpdatePatchBaseline', { ...pick(desired, RULES), BaselineId, Replace: true } as never);
    await regroup(BaselineId, previous, desired, ctx);
    if (desired.DefaultBaseline) await run(ctx, 'ssm', 'RegisterDefaultPatchBaseline', { BaselineId });
    else if (previous.DefaultBaseline && (await isDefault(BaselineId, desired, ctx))) await resetDefault(desired, ctx);
    await retag('PatchBaseline', BaselineId, previous, desired, ctx);
  },

  async delete(BaselineId, properties, ctx) {
    if (await isDefault(BaselineId, properties, ctx)) await resetDefault(properties, ctx);
    await regroup(BaselineId, properties, {}, ctx);
    await ctx.call('ssm', 'DeletePatchBaseline', { BaselineId });
  },

  list: (ctx) =>
    everyItem(async (NextToken) => {
      const Filters = [{ Key: 'OWNER', Values: ['Self'] }];
      const page = await ctx.call('ssm', 'DescribePatchBaselines', defined({ Filters, NextToken }));
      return [page.BaselineIdentities?.map((found) => found.BaselineId!), page.NextToken] as const;
    }),
});

import type { EffectivePatch, PatchFilterGroup, PatchRule, PatchStatus } from '@emu/service-types/ssm';
import { CATALOGUE, type KnownPatch } from './catalogue.ts';
import type { BaselineRules } from './records.ts';

const DAY = 86_400_000;

/** The value of a patch that a filter's key names. */
const READ: Readonly<Record<string, (known: KnownPatch) => string | undefined>> = {
  PATCH_SET: ({ set }) => set,
  PRODUCT: ({ patch }) => patch.Product,
  PRODUCT_FAMILY: ({ patch }) => patch.ProductFamily,
  CLASSIFICATION: ({ patch }) => patch.Classification,
  MSRC_SEVERITY: ({ patch }) => patch.MsrcSeverity,
};

/** Whether filters take a patch in: one value of each key, `*` standing for all. */
const passes = (known: KnownPatch, { PatchFilters }: PatchFilterGroup): boolean =>
  PatchFilters.every(({ Key, Values }) => Values.includes('*') || Values.includes(READ[Key]?.(known) ?? ''));

/** Rules that name no set are for patches of the operating system. */
const ofSet = ({ set }: KnownPatch, { PatchFilters }: PatchFilterGroup): boolean =>
  set === 'OS' || PatchFilters.some(({ Key }) => Key === 'PATCH_SET');

/** When a rule approves a patch; undefined where it does not. Days are those of UTC. */
function approvalBy(known: KnownPatch, rule: PatchRule): number | undefined {
  const { PatchFilterGroup, ApproveAfterDays, ApproveUntilDate } = rule;
  if (!ofSet(known, PatchFilterGroup) || !passes(known, PatchFilterGroup)) return undefined;
  const released = known.patch.ReleaseDate!.getTime();
  if (ApproveUntilDate !== undefined) return released < Date.parse(ApproveUntilDate) + DAY ? released : undefined;
  return Math.floor(released / DAY) * DAY + (ApproveAfterDays ?? 0) * DAY;
}

/**
 * What the rules say of a patch: a rejection overrides an approval, and what lists name overrides rules, of which the
 * first to approve decides.
 */
function statusOf(known: KnownPatch, rules: BaselineRules, now: number): PatchStatus | undefined {
  const { KbNumber = '' } = known.patch;
  if (rules.RejectedPatches.includes(KbNumber))
    return { DeploymentStatus: 'EXPLICIT_REJECTED', ComplianceLevel: 'UNSPECIFIED' };
  if (rules.ApprovedPatches.includes(KbNumber))
    return { DeploymentStatus: 'EXPLICIT_APPROVED', ComplianceLevel: rules.ApprovedPatchesComplianceLevel };
  if (!passes(known, rules.GlobalFilters)) return undefined;
  const [first] = rules.ApprovalRules.PatchRules.flatMap((rule) => {
    const at = approvalBy(known, rule);
    return at === undefined ? [] : [{ at, level: rule.ComplianceLevel }];
  }).sort((a, b) => a.at - b.at);
  if (!first) return undefined;
  return {
    DeploymentStatus: first.at <= now ? 'APPROVED' : 'PENDING_APPROVAL',
    ComplianceLevel: first.level,
    ApprovalDate: new Date(first.at),
  };
}

/**
 * The patches that a baseline for Windows Server says something of.
 * @param now milliseconds since 1970, for rules that approve after some days
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/patch-manager-approved-rejected-package-name-formats.html
 */
export const effectivePatches = (rules: BaselineRules, now: number): EffectivePatch[] =>
  CATALOGUE.windows.flatMap((known) => {
    const status = statusOf(known, rules, now);
    return status ? [{ Patch: known.patch, PatchStatus: status }] : [];
  });

import type { EffectivePatch, PatchFilterGroup, PatchRule, PatchStatus } from '@emu/service-types/ssm';
import { CATALOGUE, type KnownPatch } from './catalogue.ts';
import type { BaselineRules } from './records.ts';

const DAY = 86_400_000;

/** Patch values by filter key. */
const READ: Readonly<Record<string, (known: KnownPatch) => string | undefined>> = {
  PATCH_SET: ({ set }) => set,
  PRODUCT: ({ patch }) => patch.Product,
  PRODUCT_FAMILY: ({ patch }) => patch.ProductFamily,
  CLASSIFICATION: ({ patch }) => patch.Classification,
  MSRC_SEVERITY: ({ patch }) => patch.MsrcSeverity,
};

/** Whether a patch matches filters: one value of each key, `*` for all. */
const passes = (known: KnownPatch, { PatchFilters }: PatchFilterGroup): boolean =>
  PatchFilters.every(({ Key, Values }) => Values.includes('*') || Values.includes(READ[Key]?.(known) ?? ''));

/** Whether a patch belongs to the rule's set; without a set, rules apply to operating system patches. */
const ofSet = ({ set }: KnownPatch, { PatchFilters }: PatchFilterGroup): boolean =>
  set === 'OS' || PatchFilters.some(({ Key }) => Key === 'PATCH_SET');

/** Returns the time at which a rule approves a patch; undefined if it does not. Days are in UTC. */
function approvalBy(known: KnownPatch, rule: PatchRule): number | undefined {
  const { PatchFilterGroup, ApproveAfterDays, ApproveUntilDate } = rule;
  if (!ofSet(known, PatchFilterGroup) || !passes(known, PatchFilterGroup)) return undefined;
  const released = known.patch.ReleaseDate!.getTime();
  if (ApproveUntilDate !== undefined) return released < Date.parse(ApproveUntilDate) + DAY ? released : undefined;
  return Math.floor(released / DAY) * DAY + (ApproveAfterDays ?? 0) * DAY;
}

/**
 * Returns the status of a patch: rejections override approvals, lists override rules, and the first matching rule
 * decides.
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
 * Returns the effective patches of a baseline for Windows Server.
 * @param now epoch milliseconds, for rules that approve after some days
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/patch-manager-approved-rejected-package-name-formats.html
 */
export const effectivePatches = (rules: BaselineRules, now: number): EffectivePatch[] =>
  CATALOGUE.windows.flatMap((known) => {
    const status = statusOf(known, rules, now);
    return status ? [{ Patch: known.patch, PatchStatus: status }] : [];
  });

import type { OperatingSystem } from '@emu/service-types/ssm';
import { invalid } from '../errors.ts';
import { filterKeys } from './properties.ts';
import type { BaselineRules } from './records.ts';

type Given = { [Name in keyof BaselineRules]?: BaselineRules[Name] | undefined };

/** Returns rules with defaults for missing members. */
export const completeRules = (given: Given): BaselineRules => ({
  GlobalFilters: given.GlobalFilters ?? { PatchFilters: [] },
  ApprovalRules: {
    PatchRules: (given.ApprovalRules?.PatchRules ?? []).map((rule) => ({
      ...rule,
      ComplianceLevel: rule.ComplianceLevel ?? 'UNSPECIFIED',
      EnableNonSecurity: rule.EnableNonSecurity ?? false,
    })),
  },
  ApprovedPatches: given.ApprovedPatches ?? [],
  ApprovedPatchesComplianceLevel: given.ApprovedPatchesComplianceLevel ?? 'UNSPECIFIED',
  ApprovedPatchesEnableNonSecurity: given.ApprovedPatchesEnableNonSecurity ?? false,
  RejectedPatches: given.RejectedPatches ?? [],
  RejectedPatchesAction: given.RejectedPatchesAction ?? 'ALLOW_AS_DEPENDENCY',
  Sources: given.Sources ?? [],
  ...(given.AvailableSecurityUpdatesComplianceStatus && {
    AvailableSecurityUpdatesComplianceStatus: given.AvailableSecurityUpdatesComplianceStatus,
  }),
});

const DATE = /^\d{4}-\d\d-\d\d$/;

/**
 * Validates rules for an operating system.
 * @throws AwsError `ValidationException`
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_PatchRule.html
 */
export function checkRules(system: OperatingSystem, rules: BaselineRules): void {
  const allowed = filterKeys(system);
  const groups = [rules.GlobalFilters, ...rules.ApprovalRules.PatchRules.map((rule) => rule.PatchFilterGroup)];
  for (const { Key } of groups.flatMap(({ PatchFilters }) => PatchFilters))
    if (!allowed.includes(Key))
      throw invalid(`The patch filter key ${Key} is not valid for ${system}. Valid keys: ${allowed.join(', ')}.`);
  const dated = system !== 'DEBIAN' && system !== 'UBUNTU' && system !== 'RASPBIAN';
  for (const { ApproveAfterDays, ApproveUntilDate } of rules.ApprovalRules.PatchRules) {
    if (ApproveAfterDays !== undefined && ApproveUntilDate !== undefined)
      throw invalid('An approval rule has either ApproveAfterDays or ApproveUntilDate.');
    if (dated && ApproveAfterDays === undefined && ApproveUntilDate === undefined)
      throw invalid('An approval rule needs ApproveAfterDays or ApproveUntilDate.');
    if (ApproveUntilDate !== undefined && (!DATE.test(ApproveUntilDate) || Number.isNaN(Date.parse(ApproveUntilDate))))
      throw invalid(`ApproveUntilDate ${ApproveUntilDate} is not a date of the form YYYY-MM-DD.`);
    if (!dated && ApproveUntilDate !== undefined)
      throw invalid(`Approval rules for ${system} have no ApproveUntilDate.`);
  }
  if (system !== 'WINDOWS' && rules.AvailableSecurityUpdatesComplianceStatus !== undefined)
    throw invalid('AvailableSecurityUpdatesComplianceStatus is supported for WINDOWS only.');
  if (system === 'WINDOWS' && rules.Sources.length) throw invalid('Patch sources are supported for Linux only.');
}

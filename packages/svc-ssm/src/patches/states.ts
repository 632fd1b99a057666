import type { InstancePatchState, PatchComplianceData, PatchComplianceDataState } from '@emu/service-types/ssm';
import type { ComplianceStore } from '../compliance/store.ts';
import type { InventoryStore } from '../inventory/store.ts';

/** How many patches of a node are in each state. */
export const COUNTS = [
  'InstalledCount',
  'InstalledOtherCount',
  'InstalledPendingRebootCount',
  'InstalledRejectedCount',
  'MissingCount',
  'FailedCount',
  'UnreportedNotApplicableCount',
  'NotApplicableCount',
] as const;

const MORE_COUNTS = [
  'AvailableSecurityUpdateCount',
  'CriticalNonCompliantCount',
  'SecurityNonCompliantCount',
  'OtherNonCompliantCount',
] as const;

/** Members of a patch group's state, with the counts of a node that they tell of. */
export const GROUP_COUNTS: Readonly<Record<string, (typeof COUNTS | typeof MORE_COUNTS)[number]>> = {
  InstancesWithInstalledPatches: 'InstalledCount',
  InstancesWithInstalledOtherPatches: 'InstalledOtherCount',
  InstancesWithInstalledPendingRebootPatches: 'InstalledPendingRebootCount',
  InstancesWithInstalledRejectedPatches: 'InstalledRejectedCount',
  InstancesWithMissingPatches: 'MissingCount',
  InstancesWithFailedPatches: 'FailedCount',
  InstancesWithNotApplicablePatches: 'NotApplicableCount',
  InstancesWithUnreportedNotApplicablePatches: 'UnreportedNotApplicableCount',
  InstancesWithCriticalNonCompliantPatches: 'CriticalNonCompliantCount',
  InstancesWithSecurityNonCompliantPatches: 'SecurityNonCompliantCount',
  InstancesWithOtherNonCompliantPatches: 'OtherNonCompliantCount',
  InstancesWithAvailableSecurityUpdates: 'AvailableSecurityUpdateCount',
};

/** What a node last reported of its patches: AWS-RunPatchBaseline puts it as inventory. */
export interface PatchState {
  readonly instanceId: string;
  readonly captureTime: string;
  readonly summary: Readonly<Record<string, string>>;
}

/** What the nodes last reported of their patches. */
export const patchStates = (inventory: InventoryStore): PatchState[] =>
  inventory
    .ofType('AWS:PatchSummary')
    .flatMap(({ instanceId, captureTime, content }) =>
      content[0] ? [{ instanceId, captureTime, summary: content[0] }] : [],
    );

const timeOf = (text: string | undefined): Date | undefined =>
  text === undefined || Number.isNaN(Date.parse(text)) ? undefined : new Date(text);

/** A node's state as answers have it. */
export function describeState({ instanceId, captureTime, summary }: PatchState): InstancePatchState {
  const ended = timeOf(summary.OperationEndTime) ?? new Date(captureTime);
  return {
    InstanceId: instanceId,
    PatchGroup: summary.PatchGroup ?? '',
    BaselineId: summary.BaselineId ?? '',
    SnapshotId: summary.SnapshotId,
    InstallOverrideList: summary.InstallOverrideList,
    OwnerInformation: summary.OwnerInformation,
    ...Object.fromEntries([...COUNTS, ...MORE_COUNTS].map((name) => [name, Number(summary[name] ?? 0)])),
    OperationStartTime: timeOf(summary.OperationStartTime) ?? ended,
    OperationEndTime: ended,
    Operation: summary.OperationType?.toLowerCase() === 'install' ? 'Install' : 'Scan',
    LastNoRebootInstallOperationTime: timeOf(summary.LastNoRebootInstallOperationTime),
    RebootOption: summary.RebootOption === 'NoReboot' ? 'NoReboot' : 'RebootIfNeeded',
  };
}

/** The patches of a node with their states, as it last reported them. */
export function patchesOf(instanceId: string, compliance: ComplianceStore): PatchComplianceData[] {
  const reported = compliance.get({ resourceType: 'ManagedInstance', resourceId: instanceId, complianceType: 'Patch' });
  return (reported?.items ?? []).map(({ id, title, severity, details }) => ({
    Title: title ?? '',
    KBId: id ?? '',
    Classification: details.Classification ?? '',
    Severity: details.PatchSeverity || severity,
    State: stateOf(details.PatchState),
    InstalledTime: timeOf(details.InstalledTime) ?? new Date(0),
    CVEIds: details.CVEIds,
  }));
}

/** `InstalledOther` as the state `INSTALLED_OTHER`. */
const stateOf = (text = 'NotApplicable'): PatchComplianceDataState =>
  text.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase() as PatchComplianceDataState;

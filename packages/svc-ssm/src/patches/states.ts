import type { InstancePatchState, PatchComplianceData, PatchComplianceDataState } from '@emu/service-types/ssm';
import type { ComplianceStore } from '../compliance/store.ts';
import type { InventoryStore } from '../inventory/store.ts';

/** Counts of a node's patches by state. */
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

/** Members of a patch group's state, with the node count that each summarizes. */
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

/** Last patch report of a node, which AWS-RunPatchBaseline stores as inventory. */
export interface PatchState {
  readonly instanceId: string;
  readonly captureTime: string;
  readonly summary: Readonly<Record<string, string>>;
}

/** Returns the last patch reports of all nodes. */
export const patchStates = (inventory: InventoryStore): PatchState[] =>
  inventory
    .ofType('AWS:PatchSummary')
    .flatMap(({ instanceId, captureTime, content }) =>
      content[0] ? [{ instanceId, captureTime, summary: content[0] }] : [],
    );

const parseDate = (text: string | undefined): Date | undefined =>
  text === undefined || Number.isNaN(Date.parse(text)) ? undefined : new Date(text);

/** Returns a node's patch state in responses. */
export function describeState({ instanceId, captureTime, summary }: PatchState): InstancePatchState {
  const ended = parseDate(summary.OperationEndTime) ?? new Date(captureTime);
  return {
    InstanceId: instanceId,
    PatchGroup: summary.PatchGroup ?? '',
    BaselineId: summary.BaselineId ?? '',
    SnapshotId: summary.SnapshotId,
    InstallOverrideList: summary.InstallOverrideList,
    OwnerInformation: summary.OwnerInformation,
    ...Object.fromEntries([...COUNTS, ...MORE_COUNTS].map((name) => [name, Number(summary[name] ?? 0)])),
    OperationStartTime: parseDate(summary.OperationStartTime) ?? ended,
    OperationEndTime: ended,
    Operation: summary.OperationType?.toLowerCase() === 'install' ? 'Install' : 'Scan',
    LastNoRebootInstallOperationTime: parseDate(summary.LastNoRebootInstallOperationTime),
    RebootOption: summary.RebootOption === 'NoReboot' ? 'NoReboot' : 'RebootIfNeeded',
  };
}

/** Returns a node's patches with their states from its last report. */
export function patchesOf(instanceId: string, compliance: ComplianceStore): PatchComplianceData[] {
  const reported = compliance.get({ resourceType: 'ManagedInstance', resourceId: instanceId, complianceType: 'Patch' });
  return (reported?.items ?? []).map(({ id, title, severity, details }) => ({
    Title: title ?? '',
    KBId: id ?? '',
    Classification: details.Classification ?? '',
    Severity: details.PatchSeverity || severity,
    State: stateOf(details.PatchState),
    InstalledTime: parseDate(details.InstalledTime) ?? new Date(0),
    CVEIds: details.CVEIds,
  }));
}

/** Converts a state such as `InstalledOther` to `INSTALLED_OTHER`. */
const stateOf = (text = 'NotApplicable'): PatchComplianceDataState =>
  text.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase() as PatchComplianceDataState;

import { defineCollection } from '@emu/core/service';
import type {
  OperatingSystem,
  PatchAction,
  PatchComplianceLevel,
  PatchComplianceStatus,
  PatchFilterGroup,
  PatchRuleGroup,
  PatchSource,
} from '@emu/service-types/ssm';

/** Rules of a patch baseline, in the shape of requests and responses. */
export interface BaselineRules {
  GlobalFilters: PatchFilterGroup;
  ApprovalRules: PatchRuleGroup;
  ApprovedPatches: string[];
  ApprovedPatchesComplianceLevel: PatchComplianceLevel;
  ApprovedPatchesEnableNonSecurity: boolean;
  RejectedPatches: string[];
  RejectedPatchesAction: PatchAction;
  Sources: PatchSource[];
  AvailableSecurityUpdatesComplianceStatus?: PatchComplianceStatus | undefined;
}

/** A patch baseline of an account. */
export interface BaselineRecord {
  /** `pb-…`; the ARN for AWS's baselines. */
  id: string;
  name: string;
  description?: string | undefined;
  operatingSystem: OperatingSystem;
  rules: BaselineRules;
  tags: Record<string, string>;
  /** Epoch milliseconds. */
  createdAt: number;
  modifiedAt: number;
}

/** The patch baseline of a patch group, for one operating system. */
export interface PatchGroupRecord {
  group: string;
  operatingSystem: OperatingSystem;
  baselineId: string;
}

/** The snapshot for all nodes with one snapshot id. */
export interface SnapshotRecord {
  /** JSON text. */
  text: string;
  /** SHA-256 of it. */
  hash: string;
  /** Epoch milliseconds. */
  at: number;
}

export const baselineCollection = defineCollection<BaselineRecord>('patchBaselines', 'region', {
  content: ['description'],
});
export const patchGroupCollection = defineCollection<PatchGroupRecord>('patchGroups', 'region');
/** Ids of an account's default baselines by operating system. */
export const defaultBaselineCollection = defineCollection<string>('defaultBaselines', 'region');

/** Snapshots by snapshot id, product, patch group and baseline. */
export const snapshotCollection = defineCollection<SnapshotRecord>('patchSnapshots', 'region', { content: ['text'] });

export const patchCollections = [
  baselineCollection,
  patchGroupCollection,
  defaultBaselineCollection,
  snapshotCollection,
] as const;

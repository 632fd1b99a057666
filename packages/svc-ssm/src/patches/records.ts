import { defineCollection } from '@emu/core';
import type {
  OperatingSystem,
  PatchAction,
  PatchComplianceLevel,
  PatchComplianceStatus,
  PatchFilterGroup,
  PatchRuleGroup,
  PatchSource,
} from '@emu/service-types/ssm';

/** What a patch baseline says of patches, as requests and answers have it. */
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
  /** `pb-…`; the ARN of one that AWS provides. */
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

/** What nodes got that asked with one snapshot id. */
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
/** Ids of the baselines that an account has made its default ones, by operating system. */
export const defaultBaselineCollection = defineCollection<string>('defaultBaselines', 'region');

/** By snapshot id, product, patch group and baseline. */
export const snapshotCollection = defineCollection<SnapshotRecord>('patchSnapshots', 'region', { content: ['text'] });

export const patchCollections = [
  baselineCollection,
  patchGroupCollection,
  defaultBaselineCollection,
  snapshotCollection,
] as const;

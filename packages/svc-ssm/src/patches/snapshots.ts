import { createHash } from 'node:crypto';
import type { DataPlaneRequest, DataPlaneResponse, Place, ServiceHandle } from '@emu/core/service';
import type { PatchFilterGroup } from '@emu/service-types/ssm';
import type { Node } from '../nodes/nodes.ts';
import { SNAPSHOT_BUCKET } from '../paths.ts';
import type { SsmState } from '../state.ts';
import { effectivePatches } from './approval.ts';
import type { NodeProduct } from './products.ts';
import type { BaselineRules } from './records.ts';
import type { Baseline } from './store.ts';

const filtersOf = ({ PatchFilters }: PatchFilterGroup) => ({
  filters: PatchFilters.map(({ Key, Values }) => ({ key: Key, values: Values })),
});

/** Returns the snapshot of a baseline and of its currently approved patches. */
export function snapshotText(
  { accountId, region }: Place,
  node: Node,
  snapshotId: string,
  group: string,
  { system, product }: NodeProduct,
  baseline: Pick<Baseline, 'id' | 'name' | 'createdAt' | 'modifiedAt'> & { readonly rules: BaselineRules },
  now: number,
): string {
  const { rules } = baseline;
  const patches = system === 'WINDOWS' ? effectivePatches(rules, now) : [];
  return JSON.stringify({
    accountId,
    region,
    snapshotId,
    product,
    patchGroup: group,
    patchBaseline: {
      baselineId: baseline.id,
      name: baseline.name,
      accountId,
      operatingSystem: system,
      createdTime: new Date(baseline.createdAt).toISOString(),
      modifiedTime: new Date(baseline.modifiedAt).toISOString(),
      globalFilters: filtersOf(rules.GlobalFilters),
      approvalRules: {
        rules: rules.ApprovalRules.PatchRules.map((rule) => ({
          filterGroup: filtersOf(rule.PatchFilterGroup),
          approveAfterDays: rule.ApproveAfterDays,
          approveUntilDate: rule.ApproveUntilDate,
          complianceLevel: rule.ComplianceLevel,
          enableNonSecurity: rule.EnableNonSecurity,
        })),
      },
      approvedPatches: rules.ApprovedPatches,
      approvedPatchesComplianceLevel: rules.ApprovedPatchesComplianceLevel,
      approvedPatchesEnableNonSecurity: rules.ApprovedPatchesEnableNonSecurity,
      rejectedPatches: rules.RejectedPatches,
      rejectedPatchesAction: rules.RejectedPatchesAction,
      sources: rules.Sources.map(({ Name, Products, Configuration }) => ({
        name: Name,
        products: Products,
        configuration: Configuration,
      })),
    },
    patches: patches
      .filter(({ Patch }) => Patch?.Product === undefined || Patch.Product === product)
      .map(({ Patch, PatchStatus }) => ({ ...Patch, ...PatchStatus })),
    instanceId: node.id,
  });
}

/** Returns the secret object name of a snapshot. */
export const snapshotHash = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Serves the download of a snapshot.
 * @returns undefined for other requests
 */
export function serveSnapshot(
  { method, path }: DataPlaneRequest,
  handle: ServiceHandle<SsmState>,
): DataPlaneResponse | undefined {
  const [, region, accountId, hash] = new RegExp(`^/${SNAPSHOT_BUCKET}([^/]+)/(\\d+)/([0-9a-f]{64})$`).exec(path) ?? [];
  if (region === undefined || !/^(GET|HEAD)$/.test(method)) return undefined;
  const found = handle.existingState(accountId!, region)?.patches.snapshotByHash(hash!);
  if (!found) return { status: 404, headers: { 'content-type': 'text/plain' }, body: '' };
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(found.text)) };
  return { status: 200, headers, body: method === 'HEAD' ? '' : found.text };
}

import type { ComplianceSeverity } from '@emu/service-types/ssm';
import type { InventoryRecord } from '../inventory/store.ts';
import type { ComplianceRecord } from './store.ts';

/** Severities, most severe first. */
export const SEVERITIES: readonly ComplianceSeverity[] = [
  'CRITICAL',
  'HIGH',
  'MEDIUM',
  'LOW',
  'INFORMATIONAL',
  'UNSPECIFIED',
];

/**
 * Returns the compliance that a node reports as inventory, as AWS-RunPatchBaseline does; undefined for other inventory.
 */
export function complianceOfInventory(record: InventoryRecord): ComplianceRecord | undefined {
  const { instanceId, typeName, captureTime, context, contentHash, content } = record;
  if (typeName !== 'AWS:ComplianceItem' || !context?.ComplianceType) return undefined;
  const executedAt = Date.parse(context.ExecutionTime ?? captureTime);
  return {
    resourceType: 'ManagedInstance',
    resourceId: instanceId,
    complianceType: context.ComplianceType,
    executedAt: Number.isNaN(executedAt) ? Date.parse(captureTime) : executedAt,
    executionId: context.ExecutionId,
    executionType: context.ExecutionType,
    contentHash,
    items: content.map(({ Id, Title, Severity, Status, ...details }) => ({
      id: Id,
      title: Title,
      severity: SEVERITIES.find((known) => known === Severity?.toUpperCase()) ?? 'UNSPECIFIED',
      status: Status === 'NON_COMPLIANT' ? 'NON_COMPLIANT' : 'COMPLIANT',
      details,
    })),
  };
}

import type { SsmContext } from '../lookup.ts';
import { instanceType } from '../resources.ts';
import type { ComplianceRecord } from './store.ts';
import { overallSeverity, statusOf } from './summaries.ts';

/**
 * Keeps what is said of a resource's compliance, and tells buckets and, where its status changes, EventBridge.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/monitoring-systems-manager-event-examples.html
 */
export function report(record: ComplianceRecord, { state, requestId }: Pick<SsmContext, 'state' | 'requestId'>): void {
  const known = state.compliance.get(record);
  const status = statusOf(record);
  state.compliance.put(record);
  state.syncs.complianceChanged(record, requestId);
  if (known && statusOf(known) === status) return;
  const baseline = record.items.map(({ details }) => details.PatchBaselineId).find((id) => id !== undefined);
  state.announce(
    'Configuration Compliance State Change',
    instanceType.arn({ id: record.resourceId }, state),
    {
      'last-runtime': new Date(record.executedAt).toISOString(),
      'compliance-status': status.toLowerCase(),
      'resource-type': 'managed-instance',
      'resource-id': record.resourceId,
      'compliance-type': record.complianceType,
      ...(record.complianceType === 'Patch' && {
        'patch-baseline-id': baseline,
        severity: overallSeverity(record).toLowerCase(),
      }),
    },
    requestId,
  );
}

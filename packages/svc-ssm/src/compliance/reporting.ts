import type { Place } from '@emu/core/service';
import type { EventType } from '../parameters/events.ts';
import { instanceType } from '../resources.ts';
import type { ComplianceRecord, ComplianceStore } from './store.ts';
import { overallSeverity, statusOf } from './summaries.ts';

/** State that stores compliance and sends its events. */
export interface ComplianceOwner extends Place {
  readonly compliance: ComplianceStore;
  readonly syncs: {
    /** Writes a resource's compliance to the sync buckets. */
    complianceChanged(record: ComplianceRecord, requestId: string): void;
  };
  /**
   * Sends an event to EventBridge.
   * @param cause id of the request or run that caused it
   */
  announce(detailType: EventType, arn: string, detail: object, cause: string): void;
}

/** Context of a compliance report. */
interface Reporter {
  readonly state: ComplianceOwner;
  readonly requestId: string;
}

/**
 * Stores a resource's compliance, writes it to sync buckets and sends an event to EventBridge if the status changed.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/monitoring-systems-manager-event-examples.html
 */
export function report(record: ComplianceRecord, { state, requestId }: Reporter): void {
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

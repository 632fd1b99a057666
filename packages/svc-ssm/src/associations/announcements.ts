import { report } from '../compliance/reporting.ts';
import type { AssociationOwner } from './owner.ts';
import type { AssociationTargetRecord } from './records.ts';
import { type Association, currentVersion } from './store.ts';

/**
 * Sends an execution's outcome to EventBridge.
 * @param cause id of the execution
 */
export function announceAssociation(
  association: Association,
  targets: readonly AssociationTargetRecord[],
  state: AssociationOwner,
  cause: string,
): void {
  const { version, settings } = currentVersion(association);
  const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());
  const shared = {
    'association-id': association.id,
    'document-name': settings.Name,
    'document-version': settings.DocumentVersion ?? 'Optional.empty',
    targets: JSON.stringify((settings.Targets ?? []).map(({ Key, Values }) => ({ key: Key, values: Values }))),
    'creation-date': iso(association.createdAt),
    'last-successful-execution-date': iso(association.succeededAt),
    'last-execution-date': iso(association.executedAt),
  };
  const document = state.documentArn(settings.Name);
  state.announce(
    'EC2 State Manager Association State Change',
    document,
    {
      ...shared,
      'association-version': String(version),
      'last-updated-date': iso(association.updatedAt),
      status: association.status,
      'association-status-aggregated-count': JSON.stringify(association.counts),
      'schedule-expression': settings.ScheduleExpression,
      'association-cwe-version': '1.0',
    },
    cause,
  );
  for (const { resourceId, resourceType, status, detailedStatus } of targets)
    if (resourceType === 'ManagedInstance')
      state.announce(
        'EC2 State Manager Instance Association State Change',
        document,
        {
          ...shared,
          'instance-id': resourceId,
          status,
          'detailed-status': detailedStatus,
          'instance-association-cwe-version': '1',
        },
        cause,
      );
}

/** Reports the compliance of nodes, unless their owners report it themselves. */
export function reportCompliance(
  association: Association,
  targets: readonly AssociationTargetRecord[],
  state: AssociationOwner,
  cause: string,
): void {
  const { settings } = currentVersion(association);
  if (settings.SyncCompliance === 'MANUAL') return;
  for (const { resourceId, resourceType, status, at } of targets) {
    if (resourceType !== 'ManagedInstance') continue;
    const address = { resourceType, resourceId, complianceType: 'Association' };
    const others = (state.compliance.get(address)?.items ?? []).filter(({ id }) => id !== association.id);
    report(
      {
        ...address,
        executedAt: at,
        items: [
          ...others.map((item) => ({ ...item, details: { ...item.details } })),
          {
            id: association.id,
            title: settings.AssociationName ?? '',
            severity: settings.ComplianceSeverity ?? 'UNSPECIFIED',
            status: status === 'Success' ? 'COMPLIANT' : 'NON_COMPLIANT',
            details: { DocumentName: settings.Name, DocumentVersion: settings.DocumentVersion ?? '$DEFAULT' },
          },
        ],
      },
      { state, requestId: cause },
    );
  }
}

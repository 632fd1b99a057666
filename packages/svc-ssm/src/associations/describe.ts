import type { AssociationDescription, AssociationOverview, Target } from '@emu/service-types/ssm';
import type { SsmContext } from '../context.ts';
import { ssmError } from '../errors.ts';
import type { AssociationSettings } from './records.ts';
import { type Association, type AssociationVersion, currentVersion } from './store.ts';

/**
 * Returns an association by id.
 * @throws AwsError `AssociationDoesNotExist`
 */
export function associationAt(id: string, { state }: SsmContext): Association {
  const association = state.associations.associations.get(id);
  if (!association) throw ssmError('AssociationDoesNotExist', 'The specified association does not exist.');
  return association;
}

/** Members that identify an association in a request: its id or, for the older kind, document and node. */
interface Named {
  AssociationId?: string | undefined;
  Name?: string | undefined;
  InstanceId?: string | undefined;
}

/**
 * Returns the association that a request identifies.
 * @throws AwsError `AssociationDoesNotExist`
 */
export function associationNamed({ AssociationId, Name, InstanceId }: Named, ctx: SsmContext): Association {
  if (AssociationId !== undefined) return associationAt(AssociationId, ctx);
  const found = olderKind(Name, InstanceId, ctx);
  if (!found) throw ssmError('AssociationDoesNotExist', 'The specified association does not exist.');
  return found;
}

/** Returns the association (older kind) of a document with a node. */
export const olderKind = (name: string | undefined, instanceId: string | undefined, { state }: SsmContext) =>
  instanceId === undefined
    ? undefined
    : [...state.associations.associations.values()].find(
        (association) => association.instanceId === instanceId && currentVersion(association).settings.Name === name,
      );

/** Returns the targets of an association, including the older kind. */
export const targetsOf = (association: Association, settings: AssociationVersion['settings']): Target[] =>
  association.instanceId === undefined
    ? ((settings.Targets ?? []) as Target[])
    : [{ Key: 'InstanceIds', Values: [association.instanceId] }];

/** Returns the status overview of an association. */
export const overviewOf = ({ status, detailedStatus, counts }: Association): AssociationOverview => ({
  Status: status,
  DetailedStatus: detailedStatus,
  ...(Object.keys(counts).length && { AssociationStatusAggregatedCount: { ...counts } }),
});

/** Returns the description of an association in one of its versions. */
export function describeAssociation(
  association: Association,
  version: AssociationVersion = currentVersion(association),
): AssociationDescription {
  // A copy is not needed: parts of a record are immutable.
  const settings = version.settings as AssociationSettings;
  const { told, executedAt, succeededAt } = association;
  return {
    ...settings,
    DocumentVersion: settings.DocumentVersion ?? '$DEFAULT',
    ApplyOnlyAtCronInterval: settings.ApplyOnlyAtCronInterval ?? false,
    AssociationId: association.id,
    AssociationVersion: String(version.version),
    InstanceId: association.instanceId,
    Targets: targetsOf(association, settings),
    Date: new Date(association.createdAt),
    LastUpdateAssociationDate: new Date(association.updatedAt),
    ...(told && {
      Status: { Date: new Date(told.at), Name: told.Name, Message: told.Message, AdditionalInfo: told.AdditionalInfo },
    }),
    Overview: overviewOf(association),
    ...(association.triggeredAlarms && { TriggeredAlarms: association.triggeredAlarms.map((alarm) => ({ ...alarm })) }),
    ...(executedAt !== undefined && { LastExecutionDate: new Date(executedAt) }),
    ...(succeededAt !== undefined && { LastSuccessfulExecutionDate: new Date(succeededAt) }),
  };
}

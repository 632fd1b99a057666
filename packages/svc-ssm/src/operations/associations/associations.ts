import type {
  AssociationFilterKey,
  CreateAssociationBatchRequestEntry,
  CreateAssociationBatchResult,
  CreateAssociationRequest,
  InputOf,
  OutputOf,
} from '@emu/service-types/ssm';
import { AwsError } from '@emu/wire';
import { checkSettings } from '../../associations/checks.ts';
import {
  associationAt,
  associationNamed,
  describeAssociation,
  olderKind,
  overviewOf,
  targetsOf,
} from '../../associations/describe.ts';
import type { AssociationSettings } from '../../associations/records.ts';
import { type Association, currentVersion } from '../../associations/store.ts';
import type { SsmContext } from '../../context.ts';
import { ssmError } from '../../errors.ts';
import { paging } from '../../paging.ts';
import { tagging } from '../../tags.ts';

/** Maximum number of versions of an association. */
const MAX_VERSIONS = 1000;

/** Selects the members of a request that an association stores. */
const settingsOf = (input: AssociationSettings): AssociationSettings => ({
  Name: input.Name,
  DocumentVersion: input.DocumentVersion,
  Parameters: input.Parameters,
  Targets: input.Targets,
  ScheduleExpression: input.ScheduleExpression,
  OutputLocation: input.OutputLocation,
  AssociationName: input.AssociationName,
  AutomationTargetParameterName: input.AutomationTargetParameterName,
  MaxErrors: input.MaxErrors,
  MaxConcurrency: input.MaxConcurrency,
  ComplianceSeverity: input.ComplianceSeverity,
  SyncCompliance: input.SyncCompliance,
  ApplyOnlyAtCronInterval: input.ApplyOnlyAtCronInterval,
  CalendarNames: input.CalendarNames,
  ScheduleOffset: input.ScheduleOffset,
  Duration: input.Duration,
  TargetMaps: input.TargetMaps,
  AssociationDispatchAssumeRole: input.AssociationDispatchAssumeRole,
  TargetLocations: input.TargetLocations,
  AlarmConfiguration: input.AlarmConfiguration,
});

/** Runs a created or changed association, unless it waits for its schedule, and sets its timer. */
function start(association: Association, { state }: SsmContext): void {
  if (!currentVersion(association).settings.ApplyOnlyAtCronInterval) state.associationRunner.run(association);
  state.associations.watch(association.id);
}

function create(input: CreateAssociationRequest, ctx: SsmContext): Association {
  const { state, ids, clock } = ctx;
  const { InstanceId: instanceId } = input;
  const settings = settingsOf(input);
  checkSettings(settings, instanceId, state);
  if (olderKind(settings.Name, instanceId, ctx)) throw ssmError('AssociationAlreadyExists', '');
  const tags = tagging.merge(undefined, input.Tags);
  const id = ids.uuid();
  const now = clock.now();
  const association = state.associations.associations.put(id, {
    id,
    instanceId,
    versions: [{ version: 1, createdAt: now, settings }],
    ...(instanceId !== undefined && {
      told: { at: now, Name: 'Pending', Message: `Associated with ${settings.Name}` },
    }),
    status: 'Pending',
    detailedStatus: 'Creating',
    counts: {},
    tags,
    createdAt: now,
    updatedAt: now,
  });
  start(association, ctx);
  return association;
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_CreateAssociation.html */
export function CreateAssociation(input: InputOf<'CreateAssociation'>, ctx: SsmContext): OutputOf<'CreateAssociation'> {
  return {
    AssociationDescription: describeAssociation(create(input, ctx)),
  };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_CreateAssociationBatch.html */
export function CreateAssociationBatch(
  input: InputOf<'CreateAssociationBatch'>,
  ctx: SsmContext,
): OutputOf<'CreateAssociationBatch'> {
  const { AssociationDispatchAssumeRole } = input;
  const Successful: CreateAssociationBatchResult['Successful'] = [];
  const Failed: CreateAssociationBatchResult['Failed'] = [];
  const attempt = (Entry: CreateAssociationBatchRequestEntry): void => {
    try {
      Successful.push(describeAssociation(create({ ...Entry, AssociationDispatchAssumeRole }, ctx)));
    } catch (error) {
      // Errors that the caller did not cause fail the whole request.
      if (!(error instanceof AwsError) || error.status === 501) throw error;
      Failed.push({ Entry, Message: error.message || error.code, Fault: 'Client' });
    }
  };
  input.Entries.forEach(attempt);
  return { Successful, Failed };
}

/**
 * Replaces all settings except the document and its targets: members missing in the request are removed.
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_UpdateAssociation.html
 */
export function UpdateAssociation(input: InputOf<'UpdateAssociation'>, ctx: SsmContext): OutputOf<'UpdateAssociation'> {
  const { state, clock } = ctx;
  const association = associationAt(input.AssociationId, ctx);
  const current = currentVersion(association);
  if (
    input.AssociationVersion !== undefined &&
    input.AssociationVersion !== '$LATEST' &&
    input.AssociationVersion !== String(current.version)
  )
    throw ssmError('InvalidAssociationVersion', 'The association version is not the latest one.');
  if (association.versions.length >= MAX_VERSIONS)
    throw ssmError('AssociationVersionLimitExceeded', `An association can have at most ${MAX_VERSIONS} versions.`);
  const kept = current.settings as AssociationSettings;
  const settings = settingsOf({
    ...input,
    Name: input.Name ?? kept.Name,
    Targets: input.Targets ?? (input.TargetMaps ? undefined : kept.Targets),
  });
  checkSettings(settings, association.instanceId, state);
  const now = clock.now();
  const updated = state.associations.associations.update(association.id, (draft) => {
    draft.versions.push({ version: current.version + 1, createdAt: now, settings });
    draft.updatedAt = now;
    draft.detailedStatus = 'Updating';
    draft.status = 'Pending';
  });
  start(updated, ctx);
  return { AssociationDescription: describeAssociation(updated) };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_UpdateAssociationStatus.html */
export function UpdateAssociationStatus(
  { Name, InstanceId, AssociationStatus }: InputOf<'UpdateAssociationStatus'>,
  ctx: SsmContext,
): OutputOf<'UpdateAssociationStatus'> {
  const { id, told } = associationNamed({ Name, InstanceId }, ctx);
  const { Date: at, ...status } = AssociationStatus;
  if (
    told &&
    told.Name === status.Name &&
    told.Message === status.Message &&
    told.AdditionalInfo === status.AdditionalInfo
  )
    throw ssmError('StatusUnchanged', '');
  const updated = ctx.state.associations.associations.update(id, (draft) => {
    draft.told = { ...status, at: at.getTime() };
  });
  return { AssociationDescription: describeAssociation(updated) };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeAssociation.html */
export function DescribeAssociation(
  input: InputOf<'DescribeAssociation'>,
  ctx: SsmContext,
): OutputOf<'DescribeAssociation'> {
  const association = associationNamed(input, ctx);
  const { AssociationVersion: wanted = '$LATEST' } = input;
  const version =
    wanted === '$LATEST'
      ? currentVersion(association)
      : association.versions.find((one) => String(one.version) === wanted);
  if (!version) throw ssmError('InvalidAssociationVersion', `The association has no version ${wanted}.`);
  return { AssociationDescription: describeAssociation(association, version) };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DeleteAssociation.html */
export function DeleteAssociation(input: InputOf<'DeleteAssociation'>, ctx: SsmContext): OutputOf<'DeleteAssociation'> {
  ctx.state.associations.delete(associationNamed(input, ctx).id);
  return {};
}

/** Tests of an association against the value of a filter, by filter key. */
const TESTS: Readonly<Record<AssociationFilterKey, (association: Association, value: string) => boolean>> = {
  InstanceId: ({ instanceId }, value) => instanceId === value,
  Name: (association, value) => currentVersion(association).settings.Name === value,
  AssociationId: ({ id }, value) => id === value,
  AssociationStatusName: ({ status }, value) => status === value,
  LastExecutedBefore: ({ executedAt }, value) => executedAt !== undefined && executedAt < Date.parse(value),
  LastExecutedAfter: ({ executedAt }, value) => executedAt !== undefined && executedAt > Date.parse(value),
  AssociationName: (association, value) => currentVersion(association).settings.AssociationName === value,
  ResourceGroupName: (association, value) =>
    (currentVersion(association).settings.Targets ?? []).some(
      ({ Key, Values }) => Key === 'resource-groups:Name' && Values?.includes(value),
    ),
};

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ListAssociations.html */
export function ListAssociations(
  input: InputOf<'ListAssociations'>,
  { state }: SsmContext,
): OutputOf<'ListAssociations'> {
  const filters = input.AssociationFilterList ?? [];
  const listed = [...state.associations.associations.values()].filter((association) =>
    filters.every(({ key, value }) => TESTS[key](association, value)),
  );
  return paging
    .page('ListAssociations', input, listed, ({ id }) => id)
    .list((association) => {
      const { version, settings } = currentVersion(association);
      return {
        Name: settings.Name,
        InstanceId: association.instanceId,
        AssociationId: association.id,
        AssociationVersion: String(version),
        DocumentVersion: settings.DocumentVersion,
        Targets: targetsOf(association, settings),
        LastExecutionDate: association.executedAt === undefined ? undefined : new Date(association.executedAt),
        Overview: overviewOf(association),
        ScheduleExpression: settings.ScheduleExpression,
        AssociationName: settings.AssociationName,
        ScheduleOffset: settings.ScheduleOffset,
        Duration: settings.Duration,
        TargetMaps: settings.TargetMaps as AssociationSettings['TargetMaps'],
      };
    });
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ListAssociationVersions.html */
export function ListAssociationVersions(
  input: InputOf<'ListAssociationVersions'>,
  ctx: SsmContext,
): OutputOf<'ListAssociationVersions'> {
  const association = associationAt(input.AssociationId, ctx);
  return paging
    .page('ListAssociationVersions', input, association.versions, ({ version }) => String(version).padStart(6, '0'))
    .list(({ version, createdAt, settings }) => ({
      ...(settings as AssociationSettings),
      AssociationId: association.id,
      AssociationVersion: String(version),
      CreatedDate: new Date(createdAt),
    }));
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_StartAssociationsOnce.html */
export function StartAssociationsOnce(
  input: InputOf<'StartAssociationsOnce'>,
  ctx: SsmContext,
): OutputOf<'StartAssociationsOnce'> {
  const associations = input.AssociationIds.map((id) => associationAt(id, ctx));
  for (const association of associations) ctx.state.associationRunner.run(association);
  return {};
}

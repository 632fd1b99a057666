import { notEmulated } from '@emu/core/service';
import { checkLocations } from '../automation/locations.ts';
import { parameterProblem } from '../documents/parameters.ts';
import { type DocumentSource, type ResolvedDocument, resolveDocument } from '../documents/resolve.ts';
import { invalid, ssmError } from '../errors.ts';
import { parseTiming } from '../schedule-expressions.ts';
import type { AssociationSettings } from './records.ts';

/** Minimum period of a rate, in milliseconds. */
const MIN_RATE = 30 * 60_000;

/** Members that an association with `InstanceId` (the older kind) must not have. */
const NEWER = [
  ...['AssociationName', 'DocumentVersion', 'MaxErrors', 'MaxConcurrency', 'OutputLocation', 'ScheduleExpression'],
  'Targets',
] as const;

/**
 * Validates the settings of an association.
 * @throws AwsError `InvalidDocument`, `InvalidDocumentVersion`, `InvalidParameters`, `InvalidSchedule`,
 * `InvalidTarget`, `InvalidTargetMaps`, `ValidationException`
 * @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_CreateAssociation.html
 */
export function checkSettings(
  settings: AssociationSettings,
  instanceId: string | undefined,
  source: DocumentSource,
): void {
  const document = resolveDocument(source, settings.Name, settings.DocumentVersion);
  if (document.type === 'Policy') throw notEmulated('associations of policy documents of ssm');
  if (document.type !== 'Command' && document.type !== 'Automation')
    throw ssmError('InvalidDocument', `A document of type ${document.type} cannot be associated.`);
  if (parameterProblem(document.content, settings.Parameters ?? {}))
    throw ssmError('InvalidParameters', 'The parameters are not those of the document.');
  checkSchedule(settings);
  checkRemoteTargets(settings, document);
  if (instanceId === undefined) checkTargets(settings, document);
  else checkOlderKind(settings, document);
}

/**
 * Rejects documents other than runbooks in other accounts and regions.
 * @throws AwsError `NotImplemented`
 */
function checkRemoteTargets(
  { TargetLocations: locations = [], Targets }: AssociationSettings,
  { type }: ResolvedDocument,
): void {
  if (locations.length === 0) return;
  if (type !== 'Automation') throw notEmulated('target locations of associations of commands of ssm');
  checkLocations(locations, Targets);
}

function checkSchedule({
  ScheduleExpression,
  ScheduleOffset,
  ApplyOnlyAtCronInterval,
  Duration,
}: AssociationSettings): void {
  const invalidSchedule = (message: string) => ssmError('InvalidSchedule', message);
  const timing = ScheduleExpression === undefined ? undefined : parseTiming(ScheduleExpression);
  if (ScheduleExpression !== undefined && !timing)
    throw invalidSchedule(`The schedule expression ${ScheduleExpression} is not valid.`);
  if (timing?.kind === 'rate' && timing.interval < MIN_RATE) throw invalidSchedule('The shortest rate is 30 minutes.');
  if (ApplyOnlyAtCronInterval && timing?.kind === 'rate')
    throw invalidSchedule('ApplyOnlyAtCronInterval is not supported for rate expressions.');
  if (ScheduleOffset !== undefined && (timing?.kind !== 'cron' || !ApplyOnlyAtCronInterval))
    throw invalidSchedule('A schedule offset needs a cron expression and ApplyOnlyAtCronInterval.');
  if (Duration !== undefined && !ApplyOnlyAtCronInterval)
    throw invalidSchedule('A duration needs ApplyOnlyAtCronInterval.');
}

function checkTargets(settings: AssociationSettings, document: ResolvedDocument): void {
  const { Targets = [], TargetMaps, AutomationTargetParameterName } = settings;
  const automation = document.type === 'Automation';
  if (Targets.length && TargetMaps?.length)
    throw ssmError('InvalidTargetMaps', 'Targets and TargetMaps cannot be specified together.');
  if (TargetMaps?.length && !automation) throw ssmError('InvalidTargetMaps', 'Target maps are for runbooks only.');
  if (!automation && !Targets.length) throw ssmError('InvalidTarget', 'Targets or an instance ID is required.');
  for (const { Key = '', Values = [] } of Targets) {
    const node =
      Key === 'InstanceIds' || Key === 'tag-key' || Key.startsWith('tag:') || Key.startsWith('resource-groups:');
    if ((!automation && !node) || !Key || !Values.length)
      throw ssmError('InvalidTarget', `The target ${Key} is not valid.`);
  }
  if (automation && Targets.length && AutomationTargetParameterName === undefined)
    throw invalid('AutomationTargetParameterName is required for targets of a runbook.');
  if (!automation && AutomationTargetParameterName !== undefined)
    throw invalid('AutomationTargetParameterName is for runbooks only.');
}

function checkOlderKind(settings: AssociationSettings, document: ResolvedDocument): void {
  const newer = NEWER.find((member) => settings[member] !== undefined);
  if (newer !== undefined) throw invalid(`${newer} cannot be specified together with InstanceId.`);
  if (document.type !== 'Command' || Number(document.version.summary.schemaVersion ?? 0) >= 2)
    throw invalid('InstanceId cannot be specified for documents of schema version 2.0 or later: use Targets.');
}

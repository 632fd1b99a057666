import type { DeepReadonly } from '@emu/core/service';
import type { AnomalyDetector, InputOf, OutputOf } from '@emu/service-types/logs';
import { anomalyOf, detectorAt, isVisible } from '../anomalies.ts';
import type { LogsContext } from '../context.ts';
import { invalidParameter, notFound } from '../errors.ts';
import { groupIdentified } from '../lookup.ts';
import { paging } from '../paging.ts';
import { parsePattern } from '../patterns/parse.ts';
import type { DetectorRecord } from '../records.ts';
import { detectorType, groupType } from '../resources.ts';
import { tagging } from '../tags.ts';

const DEFAULT_VISIBILITY = 21;
const SECONDS: Readonly<Record<string, number>> = { SECONDS: 1, MINUTES: 60, HOURS: 3600 };

/**
 * Creates an anomaly detector. It detects nothing itself: anomalies are added through a control route.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_CreateLogAnomalyDetector.html
 */
export function CreateLogAnomalyDetector(
  input: InputOf<'CreateLogAnomalyDetector'>,
  ctx: LogsContext,
): OutputOf<'CreateLogAnomalyDetector'> {
  const { logGroupArnList, detectorName: name, evaluationFrequency, filterPattern, kmsKeyId } = input;
  if (logGroupArnList.length !== 1) throw invalidParameter('Exactly one log group ARN must be specified.');
  const { state, group } = groupIdentified(logGroupArnList[0]!, ctx);
  if (filterPattern !== undefined) parsePattern(filterPattern);
  const id = ctx.ids.uuid();
  const now = ctx.clock.now();
  ctx.state.detectors.put(id, {
    id,
    ...(name !== undefined && { name }),
    groupArns: [groupType.arn({ name: group.name }, state)],
    ...(evaluationFrequency !== undefined && { frequency: evaluationFrequency }),
    ...(filterPattern !== undefined && { filterPattern }),
    ...(kmsKeyId !== undefined && { kmsKeyId }),
    visibility: input.anomalyVisibilityTime ?? DEFAULT_VISIBILITY,
    enabled: true,
    createdAt: now,
    modifiedAt: now,
    tags: tagging.merge(undefined, input.tags),
  });
  return { anomalyDetectorArn: detectorType.arn({ id }, ctx) };
}

/**
 * Updates or pauses an anomaly detector.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_UpdateLogAnomalyDetector.html
 */
export function UpdateLogAnomalyDetector(
  input: InputOf<'UpdateLogAnomalyDetector'>,
  ctx: LogsContext,
): OutputOf<'UpdateLogAnomalyDetector'> {
  const { id } = detectorAt(input.anomalyDetectorArn, ctx.state);
  const { evaluationFrequency, filterPattern, anomalyVisibilityTime, enabled } = input;
  if (filterPattern !== undefined) parsePattern(filterPattern);
  ctx.state.detectors.update(id, (draft) => {
    if (evaluationFrequency !== undefined) draft.frequency = evaluationFrequency;
    if (filterPattern !== undefined) draft.filterPattern = filterPattern;
    if (anomalyVisibilityTime !== undefined) draft.visibility = anomalyVisibilityTime;
    draft.enabled = enabled;
    draft.modifiedAt = ctx.clock.now();
  });
  return {};
}

/**
 * Returns an anomaly detector.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetLogAnomalyDetector.html
 */
export function GetLogAnomalyDetector(
  input: InputOf<'GetLogAnomalyDetector'>,
  ctx: LogsContext,
): OutputOf<'GetLogAnomalyDetector'> {
  return describe(detectorAt(input.anomalyDetectorArn, ctx.state));
}

/**
 * Lists anomaly detectors, of all or one log group.
 * @throws AwsError `InvalidParameterException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_ListLogAnomalyDetectors.html
 */
export function ListLogAnomalyDetectors(
  input: InputOf<'ListLogAnomalyDetectors'>,
  ctx: LogsContext,
): OutputOf<'ListLogAnomalyDetectors'> {
  const { filterLogGroupArn: arn } = input;
  const found = [...ctx.state.detectors.values()].filter(
    ({ groupArns }) => arn === undefined || groupArns.includes(arn.replace(/:\*$/, '')),
  );
  return paging
    .page('ListLogAnomalyDetectors', input, found, ({ id }) => id)
    .list((detector) => ({ anomalyDetectorArn: detectorType.arn({ id: detector.id }, ctx), ...describe(detector) }));
}

/**
 * Deletes an anomaly detector and its anomalies.
 * @throws AwsError `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_DeleteLogAnomalyDetector.html
 */
export function DeleteLogAnomalyDetector(
  input: InputOf<'DeleteLogAnomalyDetector'>,
  ctx: LogsContext,
): OutputOf<'DeleteLogAnomalyDetector'> {
  const { detectors, anomalies } = ctx.state;
  const { id } = detectorAt(input.anomalyDetectorArn, ctx.state);
  detectors.delete(id);
  for (const anomaly of [...anomalies.values()]) if (anomaly.detector === id) anomalies.delete(anomaly.id);
  return {};
}

/**
 * Lists anomalies, of all or one detector.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_ListAnomalies.html
 */
export function ListAnomalies(input: InputOf<'ListAnomalies'>, ctx: LogsContext): OutputOf<'ListAnomalies'> {
  const { anomalyDetectorArn: arn, suppressionState } = input;
  const detector = arn === undefined ? undefined : detectorAt(arn, ctx.state).id;
  const found = [...ctx.state.anomalies.values()]
    .filter((anomaly) => (detector === undefined || anomaly.detector === detector) && isVisible(anomaly, ctx.state))
    .map((anomaly) => anomalyOf(anomaly, ctx.state))
    .filter(({ suppressed }) => suppressionState === undefined || (suppressionState === 'SUPPRESSED') === suppressed);
  return paging.page('ListAnomalies', input, found, ({ anomalyId }) => anomalyId).list((anomaly) => anomaly);
}

/**
 * Suppresses an anomaly or pattern temporarily or permanently, or ends the suppression.
 * @throws AwsError `InvalidParameterException`, `ResourceNotFoundException`
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_UpdateAnomaly.html
 */
export function UpdateAnomaly(input: InputOf<'UpdateAnomaly'>, ctx: LogsContext): OutputOf<'UpdateAnomaly'> {
  const { anomalyId, patternId, suppressionType, suppressionPeriod, baseline } = input;
  if ((anomalyId === undefined) === (patternId === undefined))
    throw invalidParameter('Either anomalyId or patternId must be specified, but not both.');
  if (suppressionType === 'LIMITED' && !suppressionPeriod?.value)
    throw invalidParameter('A suppression period is required for a limited suppression.');
  const { state } = ctx;
  const detector = detectorAt(input.anomalyDetectorArn, state).id;
  const found = [...state.anomalies.values()].filter(
    (anomaly) => anomaly.detector === detector && (anomaly.id === anomalyId || anomaly.patternId === patternId),
  );
  if (!found.length) throw notFound('The specified anomaly does not exist.');
  const since = ctx.clock.now();
  const seconds = (suppressionPeriod?.value ?? 0) * SECONDS[suppressionPeriod?.suppressionUnit ?? 'SECONDS']!;
  for (const { id } of found)
    state.anomalies.update(id, (draft) => {
      if (baseline !== undefined) draft.baseline = baseline;
      draft.suppression = suppressionType && {
        since,
        ...(suppressionType === 'LIMITED' && { until: since + seconds * 1000 }),
        ofPattern: patternId !== undefined,
      };
    });
  return {};
}

const describe = (detector: DeepReadonly<DetectorRecord>): Omit<AnomalyDetector, 'anomalyDetectorArn'> => ({
  ...(detector.name !== undefined && { detectorName: detector.name }),
  logGroupArnList: [...detector.groupArns],
  ...(detector.frequency !== undefined && { evaluationFrequency: detector.frequency }),
  ...(detector.filterPattern !== undefined && { filterPattern: detector.filterPattern }),
  anomalyDetectorStatus: detector.enabled ? 'INITIALIZING' : 'PAUSED',
  ...(detector.kmsKeyId !== undefined && { kmsKeyId: detector.kmsKeyId }),
  creationTimeStamp: detector.createdAt,
  lastModifiedTimeStamp: detector.modifiedAt,
  anomalyVisibilityTime: detector.visibility,
});

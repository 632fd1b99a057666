import { type DeepReadonly, keyInPlace } from '@emu/core/service';
import type { Anomaly } from '@emu/service-types/logs';
import { notFound } from './errors.ts';
import type { AnomalyRecord, DetectorRecord } from './records.ts';
import { detectorType } from './resources.ts';
import type { LogsState } from './state.ts';

const DAY = 86_400_000;
/** Placeholder for a dynamic part of a pattern, e.g. `<*>` or `<*-2>`. */
const DYNAMIC = /(<\*(?:-\d+)?>)/;

/**
 * Returns the detector with an ARN.
 * @throws AwsError `ResourceNotFoundException`
 */
export function detectorAt(arn: string, state: LogsState): DeepReadonly<DetectorRecord> {
  const key = keyInPlace(detectorType, arn, state);
  const detector = key && state.detectors.get(key.id);
  if (!detector) throw notFound('The specified anomaly detector does not exist.');
  return detector;
}

/** Whether an anomaly is still visible. */
export function isVisible({ lastSeen, detector }: DeepReadonly<AnomalyRecord>, state: LogsState): boolean {
  const days = state.detectors.get(detector)?.visibility ?? 0;
  return lastSeen + days * DAY > state.clock.now();
}

/** Returns an anomaly as in list responses. */
export function anomalyOf(anomaly: DeepReadonly<AnomalyRecord>, state: LogsState): Anomaly {
  const { suppression, baseline } = anomaly;
  const suppressed = suppression !== undefined && (suppression.until ?? Number.POSITIVE_INFINITY) > state.clock.now();
  return {
    anomalyId: anomaly.id,
    patternId: anomaly.patternId,
    anomalyDetectorArn: detectorType.arn({ id: anomaly.detector }, state),
    patternString: anomaly.patternString,
    priority: anomaly.priority,
    firstSeen: anomaly.firstSeen,
    lastSeen: anomaly.lastSeen,
    description: anomaly.description,
    active: true,
    state: baseline ? 'Baseline' : suppressed ? 'Suppressed' : 'Active',
    histogram: {},
    logSamples: anomaly.samples.map((sample) => ({ ...sample })),
    patternTokens: tokensOf(anomaly.patternString),
    logGroupArnList: [...(state.detectors.get(anomaly.detector)?.groupArns ?? [])],
    suppressed,
    ...(suppressed && {
      suppressedDate: suppression.since,
      suppressedUntil: suppression.until ?? 0,
      isPatternLevelSuppression: suppression.ofPattern,
    }),
  };
}

function tokensOf(pattern: string): Anomaly['patternTokens'] {
  let dynamic = 0;
  return pattern
    .split(DYNAMIC)
    .filter(Boolean)
    .map((tokenString) => {
      const isDynamic = DYNAMIC.test(tokenString);
      return { dynamicTokenPosition: isDynamic ? ++dynamic : 0, isDynamic, tokenString };
    });
}

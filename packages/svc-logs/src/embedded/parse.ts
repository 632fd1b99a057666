import type { Dimension, MetricDatum, StandardUnit } from '@emu/service-types/cloudwatch';
import { isObject, parseJson } from '@emu/wire';

type JsonObject = Record<string, unknown>;

/** Metrics of an event by namespace, and problems with others. */
export interface EmbeddedData {
  readonly data: readonly { readonly namespace: string; readonly datum: MetricDatum }[];
  /** Whether the metadata is malformed. */
  readonly malformed: boolean;
  /** Metrics that could not be created. */
  readonly invalid: number;
}

/** Maximum numbers of metrics per directive, dimensions per set, and values per metric. */
const MAX_METRICS = 100;
const MAX_DIMENSIONS = 30;
const MAX_VALUES = 100;

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value.length > 0;

/** A directive: members of the event that are metrics, and those that are dimensions. */
interface Directive {
  readonly Namespace: string;
  readonly Dimensions: readonly (readonly string[])[];
  readonly Metrics: readonly JsonObject[];
}

function isDirective(value: unknown): value is Directive {
  if (!isObject(value) || !isText(value.Namespace)) return false;
  const { Dimensions: sets = [[]], Metrics: metrics } = value;
  const isSet = (set: unknown): boolean =>
    Array.isArray(set) && set.length <= MAX_DIMENSIONS && set.every((name) => isText(name));
  return (
    Array.isArray(sets) &&
    sets.every(isSet) &&
    Array.isArray(metrics) &&
    metrics.length <= MAX_METRICS &&
    metrics.every((metric) => isObject(metric))
  );
}

/**
 * Reads the embedded metrics of a log event.
 * @returns undefined if it has none
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function parseEmbedded(message: string): EmbeddedData | undefined {
  // Most events have none and skip parsing.
  if (!message.includes('"CloudWatchMetrics"')) return undefined;
  let root: unknown;
  try {
    root = parseJson(message);
  } catch {
    return undefined;
  }
  const metadata = isObject(root) ? root._aws : undefined;
  if (!isObject(root) || !isObject(metadata)) return undefined;
  const { Timestamp: timestamp, CloudWatchMetrics: directives } = metadata;
  if (!Number.isSafeInteger(timestamp) || !Array.isArray(directives) || !directives.every(isDirective))
    return { data: [], malformed: true, invalid: 0 };
  const data: { namespace: string; datum: MetricDatum }[] = [];
  let invalid = 0;
  for (const directive of directives as Directive[])
    for (const metric of directive.Metrics) {
      const made = dataOf(root, directive, metric, timestamp as number);
      if (!made) invalid++;
      for (const datum of made ?? []) data.push({ namespace: directive.Namespace, datum });
    }
  return { data, malformed: false, invalid };
}

/** Creates the data of a metric, one per dimension set; undefined if it is invalid. */
function dataOf(
  root: JsonObject,
  { Dimensions: sets = [[]] }: Directive,
  { Name: name, Unit: unit, StorageResolution: resolution = 60 }: JsonObject,
  timestamp: number,
): MetricDatum[] | undefined {
  if (!isText(name) || (unit !== undefined && !isText(unit)) || (resolution !== 1 && resolution !== 60))
    return undefined;
  const given = root[name];
  const values: unknown[] = Array.isArray(given) ? given : [given];
  if (!values.length || values.length > MAX_VALUES || !values.every(isNumber)) return undefined;
  const data: MetricDatum[] = [];
  for (const set of sets) {
    const dimensions: Dimension[] = [];
    for (const Name of set) {
      const Value = root[Name];
      if (!isText(Value)) return undefined;
      dimensions.push({ Name, Value });
    }
    data.push({
      MetricName: name,
      Timestamp: new Date(timestamp),
      Values: values,
      ...(dimensions.length && { Dimensions: dimensions }),
      ...(unit !== undefined && { Unit: unit as StandardUnit }),
      StorageResolution: resolution,
    });
  }
  return data;
}

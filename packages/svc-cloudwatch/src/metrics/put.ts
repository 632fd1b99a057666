import type { Entity, MetricDatum } from '@emu/service-types/cloudwatch';
import { invalidCombination, invalidParameterValue, missingParameter } from '../errors.ts';
import type { CloudwatchState } from '../state.ts';
import { type Sample, sortedDimensions } from './store.ts';

const MAX_DATA = 1000;
const MAX_VALUES = 150;
const DAY = 86_400_000;
/** Maximum age of data, and maximum time ahead of the clock, in milliseconds. */
const MAX_AGE = 14 * DAY;
const NEWEST = 2 * 3_600_000;
/** Largest absolute value. */
const MAX_MAGNITUDE = 2 ** 360;

/** Path of a datum in the request for messages, for example `MetricData.member.1`. */
type Path = string;

/**
 * Validates all data of a request before any is stored.
 * @throws AwsError `InvalidParameterValue`, `InvalidParameterCombination`, `MissingParameter`
 */
export function checkData(data: readonly MetricDatum[], list: string, now: number): void {
  if (data.length > MAX_DATA)
    throw invalidParameterValue(`The collection ${list} must not have a size greater than ${MAX_DATA}.`);
  data.forEach((datum, index) => {
    checkDatum(datum, `${list}.member.${index + 1}`, now);
  });
}

function checkDatum(datum: MetricDatum, path: Path, now: number): void {
  const { Value, Values, Counts, StatisticValues: set, StorageResolution: resolution, Timestamp: time } = datum;
  if (Value !== undefined && Values !== undefined) throw exclusive(path, 'Value', 'Values');
  if (Value !== undefined && set !== undefined) throw exclusive(path, 'Value', 'StatisticValues');
  if (Values !== undefined && set !== undefined) throw exclusive(path, 'Values', 'StatisticValues');
  if (Counts !== undefined && Values === undefined)
    throw invalidCombination(`The parameter ${path}.Counts must be specified with ${path}.Values.`);
  if (Values && Counts && Values.length !== Counts.length)
    throw invalidParameterValue(`The parameters ${path}.Values and ${path}.Counts must be of the same size.`);
  if (Value === undefined && set === undefined && !Values?.length)
    throw missingParameter(
      `At least one of the parameters ${path}.Value, ${path}.Values or ${path}.StatisticValues must be specified.`,
    );
  if (Values && Values.length > MAX_VALUES)
    throw invalidParameterValue(`The collection ${path}.Values must not have a size greater than ${MAX_VALUES}.`);
  if (Value !== undefined) checkNumber(Value, `${path}.Value`);
  Values?.forEach((value, index) => {
    checkNumber(value, `${path}.Values.member.${index + 1}`);
  });
  Counts?.forEach((count, index) => {
    const member = `${path}.Counts.member.${index + 1}`;
    checkNumber(count, member);
    if (count <= 0) throw invalidParameterValue(`The parameter ${member} must be greater than 0.`);
  });
  if (set) {
    for (const member of ['SampleCount', 'Sum', 'Minimum', 'Maximum'] as const)
      checkNumber(set[member], `${path}.StatisticValues.${member}`);
    if (set.SampleCount <= 0)
      throw invalidParameterValue(`The parameter ${path}.StatisticValues.SampleCount must be greater than 0.`);
    if (set.Minimum > set.Maximum)
      throw invalidParameterValue(
        `The parameter ${path}.StatisticValues.Maximum must be greater than ${path}.StatisticValues.Minimum.`,
      );
  }
  if (resolution !== undefined && resolution !== 1 && resolution !== 60)
    throw invalidParameterValue(`The parameter ${path}.StorageResolution must be 1 or 60.`);
  for (const [index, { Name, Value: value }] of (datum.Dimensions ?? []).entries()) {
    const dimension = `${path}.Dimensions.member.${index + 1}`;
    if (!Name.trim()) throw invalidParameterValue(`The parameter ${dimension}.Name must not be empty.`);
    if (Name.startsWith(':'))
      throw invalidParameterValue(`The parameter ${dimension}.Name must not start with a colon.`);
    if (!value.trim()) throw invalidParameterValue(`The parameter ${dimension}.Value must not be empty.`);
  }
  const names = datum.Dimensions?.map(({ Name }) => Name) ?? [];
  if (new Set(names).size < names.length)
    throw invalidParameterValue(
      `The parameter ${path}.Dimensions must not have the same dimension name more than once.`,
    );
  if (!time) return;
  if (time.getTime() < now - MAX_AGE)
    throw invalidParameterValue(
      `The parameter ${path}.Timestamp must specify a time no more than two weeks in the past.`,
    );
  if (time.getTime() > now + NEWEST)
    throw invalidParameterValue(
      `The parameter ${path}.Timestamp must specify a time no more than two hours in the future.`,
    );
}

const exclusive = (path: Path, one: string, other: string) =>
  invalidCombination(
    `The parameters ${path}.${one} and ${path}.${other} are mutually exclusive and you have specified both.`,
  );

function checkNumber(value: number, path: Path): void {
  if (Number.isNaN(value)) throw invalidParameterValue(`The value NaN for parameter ${path} is invalid.`);
  if (!(Math.abs(value) <= MAX_MAGNITUDE))
    throw invalidParameterValue(`The value ${value} for parameter ${path} is invalid.`);
}

/**
 * Stores the data of a request.
 * @returns keys of the affected series
 */
export function putData(state: CloudwatchState, namespace: string, data: readonly MetricDatum[]): Set<string> {
  const keys = new Set<string>();
  const now = state.clock.now();
  for (const datum of data)
    keys.add(state.metrics.add(namespace, datum.MetricName, sortedDimensions(datum.Dimensions), sampleOf(datum, now)));
  return keys;
}

function sampleOf(datum: MetricDatum, now: number): Sample {
  const { Value, Values, Counts, StatisticValues: set } = datum;
  const common = {
    at: datum.Timestamp?.getTime() ?? now,
    step: datum.StorageResolution === 1 ? 1 : 60,
    unit: datum.Unit ?? 'None',
  } as const;
  if (Value !== undefined) return { ...common, values: [[Value, 1]] };
  if (Values) return { ...common, values: Values.map((value, index) => [value, Counts?.[index] ?? 1] as const) };
  const { SampleCount: count, Sum: sum, Minimum: min, Maximum: max } = set!;
  // If minimum and maximum are equal, all values are known.
  if (count === 1 || min === max) return { ...common, values: [[min, count]] };
  return { ...common, set: { count, sum, min, max } };
}

/**
 * Validates an entity.
 * @throws AwsError `InvalidParameterValue` for an entity without key attributes
 */
export function checkEntity(entity: Entity | undefined, path: Path): void {
  const keys = entity?.KeyAttributes;
  if (keys && keys.Type === undefined)
    throw invalidParameterValue(`The parameter ${path}.Entity.KeyAttributes must contain the key Type.`);
}

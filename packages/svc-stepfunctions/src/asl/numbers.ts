import type { Json, JsonObject } from './json.ts';
import { expressionIn } from './queries/jsonata.ts';

/** Reports a problem at a location. */
export type Report = (message: string, location: string) => void;

/** Allowed numbers of a field. */
interface Range {
  readonly min: number;
  readonly max: number;
  readonly fractions?: true;
}

const SECONDS: Range = { min: 0, max: 99_999_999 };
const POSITIVE: Range = { min: 1, max: 99_999_999 };

/**
 * Ranges of the fields of states and retriers.
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/concepts-error-handling.html
 */
const RANGES: Readonly<Record<string, Range>> = {
  Seconds: SECONDS,
  TimeoutSeconds: POSITIVE,
  HeartbeatSeconds: POSITIVE,
  MaxConcurrency: SECONDS,
  ToleratedFailureCount: { min: 0, max: Number.MAX_SAFE_INTEGER },
  ToleratedFailurePercentage: { min: 0, max: 100, fractions: true },
  IntervalSeconds: POSITIVE,
  MaxAttempts: SECONDS,
  MaxDelaySeconds: { min: 1, max: 31_622_400 },
  BackoffRate: { min: 1, max: Number.MAX_VALUE, fractions: true },
};

const isExpression = (value: Json): boolean => typeof value === 'string' && expressionIn(value) !== undefined;

/** Checks the numbers of a state or retrier; JSONata expressions are checked where they are evaluated. */
export function checkNumbers(object: JsonObject, at: string, jsonata: boolean, report: Report): void {
  for (const [field, { min, max, fractions }] of Object.entries(RANGES)) {
    const value = object[field];
    if (value === undefined || (jsonata && isExpression(value))) continue;
    const fits = typeof value === 'number' && (fractions ? Number.isFinite(value) : Number.isInteger(value));
    if (!fits) report(`Expected value of type ${fractions ? 'Number' : 'Integer'}`, `${at}/${field}`);
    else if (value < min || value > max)
      report(
        max > SECONDS.max
          ? `Value for field '${field}' must be at least ${min}`
          : `Value for field '${field}' must be between ${min} and ${max}`,
        `${at}/${field}`,
      );
  }
}

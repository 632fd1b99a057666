import type { StateValue } from '@emu/service-types/cloudwatch';

/** A datapoint evaluated by an alarm. */
export interface Slot {
  /** Start of its period in epoch seconds. */
  at: number;
  value: number;
  sampleCount?: number;
  /** Lower and upper edge of its anomaly detection band. */
  lower?: number;
  upper?: number;
}

export type Treatment = 'breaching' | 'notBreaching' | 'ignore' | 'missing';

/** Evaluation of an alarm's datapoints. */
export interface Judgement {
  /** Undefined if the alarm keeps its state. */
  state: StateValue | undefined;
  /** Evaluated datapoints, newest first; undefined for missing ones replaced by the missing data treatment. */
  evaluated: (Slot | undefined)[];
  /** Breaching datapoints, newest first. */
  breaching: Slot[];
  missing: number;
}

/**
 * Evaluates datapoints: M of the N newest existing ones; missing ones are replaced according to the missing data
 * treatment.
 * @param slots newest first, undefined if missing; more than N, so that late data counts
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
 */
export function judge(
  slots: readonly (Slot | undefined)[],
  { needed, of }: { needed: number; of: number },
  treatment: Treatment,
  breaches: (slot: Slot) => boolean,
): Judgement {
  const existing = slots.filter((slot) => slot !== undefined);
  if (existing.length >= of) {
    const evaluated = existing.slice(0, of);
    const breaching = evaluated.filter(breaches);
    return { state: breaching.length >= needed ? 'ALARM' : 'OK', evaluated, breaching, missing: 0 };
  }
  const missing = of - existing.length;
  const breaching = existing.filter(breaches);
  const state = stateOf(slots, breaching, existing.length, missing, needed, treatment, breaches);
  return { state, evaluated: evaluatedOf(slots, of), breaching, missing };
}

/** Returns the existing datapoints, filled up with the newest gaps. */
function evaluatedOf(slots: readonly (Slot | undefined)[], of: number): (Slot | undefined)[] {
  let gaps = of - slots.filter((slot) => slot !== undefined).length;
  return slots.filter((slot) => slot !== undefined || gaps-- > 0);
}

function stateOf(
  slots: readonly (Slot | undefined)[],
  breaching: readonly Slot[],
  existing: number,
  missing: number,
  needed: number,
  treatment: Treatment,
  breaches: (slot: Slot) => boolean,
): StateValue | undefined {
  switch (treatment) {
    case 'breaching':
      return breaching.length + missing >= needed ? 'ALARM' : 'OK';
    case 'notBreaching':
      return breaching.length >= needed ? 'ALARM' : 'OK';
    case 'ignore':
      if (breaching.length >= needed) return 'ALARM';
      return existing > breaching.length ? 'OK' : undefined;
    case 'missing': {
      if (!existing) return 'INSUFFICIENT_DATA';
      if (breaching.length >= needed) return 'ALARM';
      if (existing > breaching.length) return 'OK';
      // If the oldest breaching datapoint is old enough and only gaps follow, the alarm does not wait for more.
      const oldest = slots.findLastIndex((slot) => slot !== undefined && breaches(slot));
      return oldest + 1 >= needed ? 'ALARM' : undefined;
    }
  }
}

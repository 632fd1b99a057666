import type { StateValue } from '@emu/service-types/cloudwatch';

/** A datapoint that an alarm looks at. */
export interface Slot {
  /** Beginning of its period in epoch seconds. */
  at: number;
  value: number;
  sampleCount?: number;
  /** Edges of the band that it is compared with. */
  lower?: number;
  upper?: number;
}

export type Treatment = 'breaching' | 'notBreaching' | 'ignore' | 'missing';

/** How an alarm's datapoints are judged. */
export interface Judgement {
  /** Undefined where the alarm stays as it is. */
  state: StateValue | undefined;
  /** What was judged, newest first; undefined where nothing came and the treatment stood in. */
  evaluated: (Slot | undefined)[];
  /** Of the evaluated, those that breach, newest first. */
  breaching: Slot[];
  missing: number;
}

/**
 * Judges datapoints: M of N of the newest that there are, and where there are too few, as missing ones are treated.
 * @param slots newest first, undefined where nothing came; more than N, so that late data counts
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

/** The existing ones, and as many of the newest gaps as are missing. */
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
      // Where the oldest breaching one is old enough, and nothing but gaps came since, the alarm does not wait for more.
      const oldest = slots.findLastIndex((slot) => slot !== undefined && breaches(slot));
      return oldest + 1 >= needed ? 'ALARM' : undefined;
    }
  }
}

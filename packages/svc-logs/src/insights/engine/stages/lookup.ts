import type { Compiled } from '../functions/function.ts';
import { scalarText } from '../values.ts';
import { type MakeStage, perRow } from './stage.ts';

/** A table for `lookup`. */
export interface LookupSource {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const keyOf = (values: readonly (string | undefined)[]): string => JSON.stringify(values);

/**
 * Adds columns of matching table rows.
 * @param matched table column indexes with the values to match; the first matching row counts
 * @param added table column indexes with target slots
 */
export function lookupStage(
  table: LookupSource['rows'],
  matched: readonly { place: number; of: Compiled }[],
  added: readonly { slot: number; place: number }[],
): MakeStage {
  const rows = new Map<string, readonly string[]>();
  for (const row of [...table].reverse()) rows.set(keyOf(matched.map(({ place }) => row[place])), row);
  return perRow((row, next) => {
    const found = rows.get(keyOf(matched.map(({ of }) => scalarText(of.evaluate(row)))));
    if (found) for (const { slot, place } of added) row.values[slot] = found[place];
    next.push(row);
  });
}

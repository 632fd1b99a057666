import type { Table } from './table.ts';

const DAY = 24 * 60 * 60 * 1000;

/** Returns the restorable time window of a table with recovery, in epoch milliseconds. */
export function recoveryWindow(table: Table, now: number): { from: number; to: number } | undefined {
  const { pitr } = table.record;
  return pitr && { from: Math.max(pitr.enabledAt, now - pitr.days * DAY), to: now };
}

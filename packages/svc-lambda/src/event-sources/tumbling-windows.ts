import type { PolledRecord } from '@emu/polling';
import { parseJson } from '@emu/wire';
import type { Execution } from '../runtime/executor.ts';
import type { TumblingWindow } from './stream-positions.ts';

/**
 * Tumbling windows of aggregations; they start at multiples of their length.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-kinesis-windows.html
 */
export class TumblingWindows {
  /** @param length milliseconds */
  constructor(private readonly length: number) {}

  /**
   * Returns a window without state.
   * @param start epoch milliseconds
   */
  open(start: number): TumblingWindow {
    return { start, end: start + this.length, state: {} };
  }

  /** Returns the records by the window of their arrival, in order. */
  split(records: readonly PolledRecord[]): { start: number; records: PolledRecord[] }[] {
    const groups: { start: number; records: PolledRecord[] }[] = [];
    for (const record of records) {
      const start = Math.floor(record.arrivedAt / this.length) * this.length;
      const last = groups.at(-1);
      // A clock that is set back must not reopen an ended window.
      if (last && start <= last.start) last.records.push(record);
      else groups.push({ start, records: [record] });
    }
    return groups;
  }

  /** Returns the state in a function's response; undefined without one. */
  stateOf({ payload }: Execution): unknown {
    try {
      return (parseJson(payload.toString() || 'null') as { state?: unknown } | null)?.state;
    } catch {
      return undefined;
    }
  }
}

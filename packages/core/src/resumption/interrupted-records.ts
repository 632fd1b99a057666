import { type InterruptedWork, OF_RECORDS } from '../plugin/handle.ts';

/** Records by key, such as a collection. */
export interface RecordSource<T> {
  entries(): Iterable<readonly [key: string, record: T]>;
  /** Returns the current record of a key. */
  get(key: string): T | undefined;
}

/** The work that records stand for, how it continues after a restart, and how it ends as failed. */
export interface RecordWork<T> {
  /** Identifies the work of a record among the interrupted work of the service's state, e.g. `execution orders:1`. */
  name(record: T, key: string): string;
  /** Whether the work of a record has neither ended nor been started in this process; by default, true for all records. */
  isLeft?(record: T, key: string): boolean;
  /** Distinguishes a record from later ones with its key; unnecessary if keys are not used again. */
  idOf?(record: T): unknown;
  /**
   * Continues the work of a record, in its current form.
   * @returns a promise that resolves when the work has ended; undefined if its end is unknown
   */
  resume(record: T, key: string): Promise<unknown> | undefined;
  /** Ends the work of a record as failed. @param reason a sentence */
  fail(record: T, reason: string, key: string): void | Promise<void>;
}

/** Returns the records of a list by key. */
export const recordsBy = <T>(
  list: () => Iterable<T>,
  keyOf: (record: T) => string,
  get: (key: string) => T | undefined,
): RecordSource<T> => ({ entries: () => Array.from(list(), (record) => [keyOf(record), record] as const), get });

/**
 * Returns the work of records that an earlier process left unfinished. Work that requests have ended, started or
 * replaced since is neither resumed nor ended as failed.
 */
export function interruptedRecords<T>(records: RecordSource<T>, work: RecordWork<NoInfer<T>>): InterruptedWork[] {
  const { isLeft = () => true, idOf = () => undefined } = work;
  return [...records.entries()]
    .filter(([key, record]) => isLeft.call(work, record, key))
    .map(([key, record]) => {
      const id = idOf.call(work, record);
      const left = (): T | undefined => {
        const current = records.get(key);
        if (current === undefined || idOf.call(work, current) !== id) return undefined;
        return isLeft.call(work, current, key) ? current : undefined;
      };
      return {
        [OF_RECORDS]: true,
        name: work.name(record, key),
        resume() {
          const current = left();
          return current === undefined ? Promise.resolve() : work.resume(current, key);
        },
        fail(reason) {
          const current = left();
          return current === undefined ? undefined : work.fail(current, reason, key);
        },
      };
    });
}

import type { ServiceJournal } from './persistence.ts';

/**
 * Waits for the changes of several services.
 * @returns undefined where none waits to be written; otherwise a promise that rejects if one could not be written
 */
export function allCommitted(
  journals: Iterable<Pick<ServiceJournal, 'dirty' | 'committed'>>,
): Promise<void> | undefined {
  let waiting: Promise<void>[] | undefined;
  for (const journal of journals)
    if (journal.dirty) {
      waiting ??= [];
      waiting.push(journal.committed());
    }
  return waiting && (waiting.length === 1 ? waiting[0] : whenAll(waiting));
}

/** All are waited for, so that no failure of one that is slower meets a request that comes later. */
async function whenAll(waiting: Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(waiting)) if (result.status === 'rejected') throw result.reason;
}

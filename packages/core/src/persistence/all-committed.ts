import type { ServiceJournal } from './persistence.ts';

/**
 * Waits for the changes of several services.
 * @returns undefined if none waits to be written; else a promise that rejects if one could not be written
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

/** Waits for all, so that a slower failure does not affect a later request. */
async function whenAll(waiting: Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(waiting)) if (result.status === 'rejected') throw result.reason;
}

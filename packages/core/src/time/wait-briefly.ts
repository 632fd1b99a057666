import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum milliseconds (wall clock) of a wait. */
const MAX_WAIT = 500;
/** Milliseconds between checks. */
const INTERVAL = 5;

/**
 * Waits until background work has ended, at most for half a second of wall-clock time. Responses about the work's state
 * wait for it, because the waiters of the SDKs poll at once and then sleep for up to 30 seconds.
 * @param ended whether the work has ended
 */
export async function waitBriefly(ended: () => boolean): Promise<void> {
  const limit = performance.now() + MAX_WAIT;
  while (!ended() && performance.now() < limit) await sleep(INTERVAL);
}

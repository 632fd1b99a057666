/** Milliseconds between delivery attempts. */
const RETRY = { first: 5000, most: 5 * 60 * 1000 };

/**
 * Milliseconds until the next attempt.
 * @param attempts number of attempts so far
 */
export const backoff = (attempts: number): number => Math.min(RETRY.most, RETRY.first * 2 ** (attempts - 1));

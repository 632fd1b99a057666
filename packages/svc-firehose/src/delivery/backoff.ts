/** Milliseconds between attempts of a delivery. */
const RETRY = { first: 5000, most: 5 * 60 * 1000 };

/** How long the next attempt is waited for, in milliseconds. @param attempts so far */
export const backoff = (attempts: number): number => Math.min(RETRY.most, RETRY.first * 2 ** (attempts - 1));

import type { Kernel } from '@emu/core';

/** Milliseconds of difference between emulated and machine time above which `Date` headers have the emulated time. */
const DATE_TOLERANCE = 1000;

/**
 * Returns the `Date` header of a response where node's would differ from the emulated time. SDKs set their clocks by
 * it, and signatures are checked by the emulated time.
 */
export function emulatedDate(clock: Kernel['clock']): string | undefined {
  const now = clock.now();
  return Math.abs(now - Date.now()) > DATE_TOLERANCE ? new Date(now).toUTCString() : undefined;
}

import type { Kernel } from '@emu/core';

/** Milliseconds by which the emulated time may differ from the machine's before `Date` headers tell it. */
const DATE_TOLERANCE = 1000;

/**
 * The `Date` header of a response where node's would be wrong: SDKs set their clocks by it, so it must be the emulated
 * time, by which signatures are checked.
 */
export function emulatedDate(clock: Kernel['clock']): string | undefined {
  const now = clock.now();
  return Math.abs(now - Date.now()) > DATE_TOLERANCE ? new Date(now).toUTCString() : undefined;
}

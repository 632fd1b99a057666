import type { Kernel } from '@emu/core';
import type { Signature } from './signature.ts';

/** Milliseconds by which a client's machine time may be ahead. */
const SKEW = 15 * 60_000;

/**
 * Returns the end of a pre-signed URL in emulated epoch milliseconds: its lifetime after its signature. Clients sign by
 * machine time, which is mapped to the emulated time of that moment, or by emulated time; the later counts. Dates have
 * whole seconds, so that a URL may appear to be signed before a change of the time.
 * @returns undefined for the signature of a header
 */
export function endOf({ signedAt, expires }: Signature, clock: Kernel['clock']): number | undefined {
  if (expires === undefined) return undefined;
  const byMachine = signedAt <= Date.now() + SKEW;
  return (byMachine ? Math.max(signedAt, clock.emulatedAt(signedAt)) : signedAt) + expires * 1000;
}

/** Returns the later of an end in epoch milliseconds by the machine's time and by the emulated one. */
export function latestEnd(expiresAt: number, clock: Kernel['clock']): number {
  return Math.max(expiresAt, clock.emulatedAt(expiresAt));
}

import type { Kernel } from '@emu/core';
import type { Signature } from './signature.ts';

/** Milliseconds that a client's clock may be ahead of the machine's and still be that. */
const SKEW = 15 * 60_000;

/**
 * When a pre-signed URL ends, in emulated epoch milliseconds: its seconds after it was signed. The client may have signed by
 * the machine's time, which stands for the emulated time of that moment, or by the emulated one, whichever is later.
 * Dates have whole seconds, in which a URL counts as signed before time was moved.
 * @returns undefined where the signature is that of a header
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

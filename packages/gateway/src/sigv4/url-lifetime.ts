import type { Kernel } from '@emu/core';
import type { Signature } from './signature.ts';
import type { QuerySignatureV2 } from './signature-v2.ts';

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

/**
 * The same of S3's older signature, which tells its end and not its beginning: the later of that end by either time.
 */
export function endOfV2({ expires }: QuerySignatureV2, clock: Kernel['clock']): number {
  const expiresAt = Number(expires) * 1000;
  return Math.max(expiresAt, clock.emulatedAt(expiresAt));
}

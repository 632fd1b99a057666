import type { Kernel } from '@emu/core';
import type { AwsError, HeaderValues } from '@emu/wire';
import { authError } from './errors.ts';
import { readSignature } from './signature.ts';
import { readQueryV2 } from './signature-v2.ts';

/** Milliseconds that a client's clock may be ahead of the machine's and still be that. */
const SKEW = 15 * 60_000;

/**
 * What a pre-signed request to S3 is refused with that comes after its time, whether or not its signature is looked at. The
 * client may have signed by the emulated time or by the machine's: it is over when both say so.
 * Dates have whole seconds, in which a URL counts as signed before time was moved.
 * @returns undefined in time, and where the request is not pre-signed
 */
export function expiredUrl(headers: HeaderValues, query: string, { clock }: Kernel): AwsError | undefined {
  const now = clock.now();
  const older = readQueryV2(query);
  if (older && !('kind' in older)) {
    const expiresAt = Number(older.expires) * 1000;
    if (now <= expiresAt || now <= clock.emulatedAt(expiresAt)) return undefined;
    return authError({ kind: 'expired-url', expiresAt, now, detail: '' }, 's3');
  }
  const signature = readSignature(headers, query);
  if (!signature || 'kind' in signature || signature.expires === undefined) return undefined;
  const { signedAt, expires: seconds } = signature;
  const since = signedAt > Date.now() + SKEW ? signedAt : Math.max(signedAt, clock.emulatedAt(signedAt));
  if (now <= since + seconds * 1000) return undefined;
  return authError({ kind: 'expired-url', expiresAt: since + seconds * 1000, now, seconds, detail: '' }, 's3');
}

import type { Kernel } from '@emu/core';
import type { AwsError, HeaderValues } from '@emu/wire';
import { authError } from './errors.ts';
import { readSignature } from './signature.ts';
import { readQueryV2 } from './signature-v2.ts';
import { endOf, endOfV2 } from './url-lifetime.ts';

/**
 * What a pre-signed request to S3 is refused with that comes after its time, where signatures are not verified.
 * @returns undefined in time, and where the request is not pre-signed
 */
export function expiredUrl(headers: HeaderValues, query: string, { clock }: Kernel): AwsError | undefined {
  const now = clock.now();
  const older = readQueryV2(query);
  if (older && !('kind' in older)) {
    const expiresAt = endOfV2(older, clock);
    return now > expiresAt ? authError({ kind: 'expired-url', expiresAt, now, detail: '' }, 's3') : undefined;
  }
  const signature = readSignature(headers, query);
  if (!signature || 'kind' in signature) return undefined;
  const { expires: seconds } = signature;
  const expiresAt = endOf(signature, clock);
  if (expiresAt === undefined || seconds === undefined || now <= expiresAt) return undefined;
  return authError({ kind: 'expired-url', expiresAt, now, seconds, detail: '' }, 's3');
}

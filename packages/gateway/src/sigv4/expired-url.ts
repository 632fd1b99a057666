import type { Kernel } from '@emu/core';
import type { AwsError, HeaderValues } from '@emu/wire';
import type { Dialect } from './dialects.ts';
import { readSignature } from './signature.ts';
import { endOf, latestEnd } from './url-lifetime.ts';

/**
 * Returns the error of an expired pre-signed request, where signatures are not verified.
 * @returns undefined for valid URLs and other requests
 */
export function expiredUrl(
  headers: HeaderValues,
  query: string,
  { clock }: Kernel,
  dialect: Dialect,
): AwsError | undefined {
  const now = clock.now();
  const other = dialect.otherSignature?.(query);
  if (other && !('kind' in other)) {
    const expiresAt = latestEnd(other.expiresAt, clock);
    return now > expiresAt ? dialect.error({ kind: 'expired-url', expiresAt, now, detail: '' }) : undefined;
  }
  const signature = readSignature(headers, query, dialect.rules);
  if (!signature || 'kind' in signature) return undefined;
  const { expires: seconds } = signature;
  const expiresAt = endOf(signature, clock);
  if (expiresAt === undefined || seconds === undefined || now <= expiresAt) return undefined;
  return dialect.error({ kind: 'expired-url', expiresAt, now, seconds, detail: '' });
}

import { createHash } from 'node:crypto';
import type { Owner } from '@emu/service-types/s3';

const ids = new Map<string, string>();

/** Canonical user id of an account: 64 hexadecimal digits that stay the same. */
export function canonicalUserId(accountId: string): string {
  let id = ids.get(accountId);
  if (id === undefined) {
    id = createHash('sha256').update(`canonical user ${accountId}`).digest('hex');
    ids.set(accountId, id);
  }
  return id;
}

/** The owner of a bucket or an object, as S3 shows it. */
export function ownerOf(accountId: string): Owner {
  return { ID: canonicalUserId(accountId) };
}

import { createHash } from 'node:crypto';
import type { Owner } from '@emu/service-types/s3';

const ids = new Map<string, string>();

/** Returns the canonical user id of an account: a constant of 64 hexadecimal digits. */
export function canonicalUserId(accountId: string): string {
  let id = ids.get(accountId);
  if (id === undefined) {
    id = createHash('sha256').update(`canonical user ${accountId}`).digest('hex');
    ids.set(accountId, id);
  }
  return id;
}

/** Returns the owner of a bucket or object as in responses. */
export function ownerOf(accountId: string): Owner {
  return { ID: canonicalUserId(accountId) };
}

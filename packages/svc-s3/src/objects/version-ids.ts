import { hash } from 'node:crypto';
import type { S3Context } from '../context.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._';
/** Number of random characters in an id; the following ones are derived from them and the key. */
const RANDOM = 26;
const LENGTH = 32;

/** Returns the suffix of a version id, by which S3 recognises the ids of a key, even of deleted versions. */
function sealOf(key: string, start: string): string {
  return hash('sha1', `${start}/${key}`, 'base64url')
    .slice(0, LENGTH - RANDOM)
    .replaceAll('-', '.');
}

/** Creates a version id for a key. */
export function newVersionId({ ids }: Pick<S3Context, 'ids'>, key: string): string {
  const start = ids.chars(RANDOM, ALPHABET);
  return start + sealOf(key, start);
}

/** Whether an id may belong to an existing or deleted version of a key. */
export const wasVersionId = (key: string, versionId: string): boolean =>
  versionId.length === LENGTH && versionId.slice(RANDOM) === sealOf(key, versionId.slice(0, RANDOM));

import { hash } from 'node:crypto';
import type { S3Context } from '../context.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._';
/** Characters of an id that are by chance; those after them follow from them and the key. */
const RANDOM = 26;
const LENGTH = 32;

/** The end of a version id, by which S3 knows the ids that it gave a key, also of versions that are gone. */
function sealOf(key: string, start: string): string {
  return hash('sha1', `${start}/${key}`, 'base64url')
    .slice(0, LENGTH - RANDOM)
    .replaceAll('-', '.');
}

/** A new version id of a key. */
export function newVersionId({ ids }: Pick<S3Context, 'ids'>, key: string): string {
  const start = ids.chars(RANDOM, ALPHABET);
  return start + sealOf(key, start);
}

/** Whether a key has or had a version of that id. */
export const wasVersionId = (key: string, versionId: string): boolean =>
  versionId.length === LENGTH && versionId.slice(RANDOM) === sealOf(key, versionId.slice(0, RANDOM));

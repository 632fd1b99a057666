import type { DataPlaneResponse } from '@emu/core/service';
import type { SiteRequest } from '../oauth/site.ts';
import { importsOf } from './imports.ts';

const MAX_BYTES = 100 * 1024 * 1024;
const IMPORT_PATH = /^\/import\/([\w-]+)$/;

/** Returns the import job id in an upload path; undefined for other paths. */
export const importJobIn = (path: string): string | undefined => IMPORT_PATH.exec(path)?.[1];

/** Receives the file of an import job, as S3 does with a presigned URL. */
export async function uploadImport({ http, state, pool, query }: SiteRequest, id: string): Promise<DataPlaneResponse> {
  const job = importsOf(state).get(pool.id, id);
  if (http.method !== 'PUT' || !job || !importsOf(state).accepts(job, query.get('signature')))
    return answer(403, 'AccessDenied');
  if (http.headers['x-amz-server-side-encryption'] !== 'aws:kms') return answer(403, 'AccessDenied');
  try {
    await importsOf(state).upload(job, limited(http.body));
  } catch (error) {
    if (error instanceof TooLarge) return answer(400, 'EntityTooLarge');
    throw error;
  }
  return answer(200, '');
}

/** The upload exceeds the size limit. */
class TooLarge extends Error {}

async function* limited(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new TooLarge();
    yield chunk;
  }
}

const answer = (status: number, code: string): DataPlaneResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: code,
});

import type { DataPlaneRequest, DataPlaneResponse, Place, ServiceHandle } from '@emu/core/service';
import { ATTACHMENT_BUCKET } from '../paths.ts';
import type { SsmState } from '../state.ts';
import type { AttachmentRecord } from './records.ts';

/**
 * Returns the download URL of an attachment. The hash in its path acts as a secret of callers with access to the
 * document.
 */
export const attachmentUrl = (
  endpoint: string,
  { accountId, region }: Place,
  { hash, name }: AttachmentRecord,
): string => `${endpoint}/${ATTACHMENT_BUCKET}${region}/${accountId}/${hash}/${encodeURIComponent(name)}`;

/**
 * Serves the download of an attachment.
 * @returns undefined for other requests
 */
export function serveAttachment(
  { method, path }: DataPlaneRequest,
  handle: ServiceHandle<SsmState>,
): DataPlaneResponse | undefined {
  const [, region, accountId, hash] =
    new RegExp(`^/${ATTACHMENT_BUCKET}([^/]+)/(\\d+)/([0-9a-f]{64})/[^/]+$`).exec(path) ?? [];
  if (region === undefined || !/^(GET|HEAD)$/.test(method)) return undefined;
  const state = handle.existingState(accountId!, region);
  for (const { versions } of state?.documents.all() ?? [])
    for (const { attachments } of versions)
      for (const { hash: own, size, body } of attachments)
        if (own === hash)
          return {
            status: 200,
            headers: { 'content-type': 'binary/octet-stream', 'content-length': String(size) },
            body: method === 'HEAD' ? '' : state!.bodies.read(body),
          };
  return { status: 404, headers: { 'content-type': 'text/plain' }, body: '' };
}

import {
  type DataPlaneRequest,
  type DataPlaneResponse,
  readAtMost,
  type ServiceHandle,
  type StateScope,
} from '@emu/core';
import { isObject } from '../templates/values.ts';
import { RESPONSE_PATH } from './response-path.ts';
import type { Signals } from './signals.ts';

/** Most bytes of an answer. */
const MAX_BODY = 65_536;

/** The URL to which an answer with a token is put, as functions of this machine reach it. */
export async function responseUrl({ service, accountId, region }: StateScope, token: string): Promise<string> {
  return `${await service.selfUrl()}${RESPONSE_PATH}${accountId}/${region}/${token}`;
}

/** Takes an answer that was put to a response URL. */
export async function serveResponse(
  request: DataPlaneRequest,
  handle: ServiceHandle<{ readonly signals: Signals }>,
): Promise<DataPlaneResponse> {
  const answer = (status: number, body = ''): DataPlaneResponse => ({ status, headers: {}, body });
  if (request.method !== 'PUT') return answer(405, 'Only PUT is taken here.');
  const [accountId = '', region = '', token = ''] = request.path.slice(RESPONSE_PATH.length).split('/');
  const body = await readAtMost(request.body, MAX_BODY);
  if (!body) return answer(413, `An answer may not have more than ${MAX_BODY} bytes.`);
  const text = body.toString('utf8');
  const known = handle.existingState(accountId, region)?.signals.receive(token, { uniqueId: uniqueIdOf(text), text });
  return known ? answer(200) : answer(403, 'Nothing waits for this answer.');
}

/** What tells a signal of a wait condition from its others. */
function uniqueIdOf(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    if (isObject(parsed) && typeof parsed.UniqueId === 'string') return parsed.UniqueId;
  } catch {
    // Who waits for it says what is wrong with it.
  }
  return 'answer';
}

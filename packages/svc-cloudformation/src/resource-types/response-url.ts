import {
  type DataPlaneRequest,
  type DataPlaneResponse,
  functionHosts,
  readAtMost,
  type ServiceHandle,
  type StateScope,
} from '@emu/core/service';
import { isObject, parseJson } from '@emu/wire';
import { RESPONSE_PATH } from './response-path.ts';
import type { Signals } from './signals.ts';

/** Maximum size of a response in bytes. */
const MAX_BODY = 65_536;

/** Store of hook payloads. */
interface HookPayloads {
  hookResult(id: string): { readonly payload?: string | undefined } | undefined;
}

type Place = Pick<StateScope, 'service' | 'accountId' | 'region'>;

/** Returns the URL to PUT a response with a token to, as programs on this machine reach it. */
export const responseUrl = async (place: Place, token: string): Promise<string> =>
  urlAt(await place.service.selfUrl(), place, token);

/** Returns the same URL as functions reach it, wherever they run. */
export async function functionResponseUrl(place: Place, token: string): Promise<string> {
  const hosts = await place.service.capability(functionHosts);
  return urlAt((await hosts?.emulatorUrl()) ?? (await place.service.selfUrl()), place, token);
}

const urlAt = (base: string, { accountId, region }: Place, token: string): string =>
  `${base.replace(/\/$/, '')}${RESPONSE_PATH}${accountId}/${region}/${token}`;

/** Receives responses at response URLs, and serves payloads to hook functions. */
export async function serveResponse(
  request: DataPlaneRequest,
  handle: ServiceHandle<{ readonly signals: Signals; readonly registry: HookPayloads }>,
): Promise<DataPlaneResponse> {
  const answer = (status: number, body = ''): DataPlaneResponse => ({ status, headers: {}, body });
  const [accountId = '', region = '', token = ''] = request.path.slice(RESPONSE_PATH.length).split('/');
  if (request.method === 'GET') {
    const payload = handle.existingState(accountId, region)?.registry.hookResult(token)?.payload;
    return payload === undefined
      ? answer(403, 'Nothing is told here.')
      : { status: 200, headers: { 'content-type': 'application/json' }, body: payload };
  }
  if (request.method !== 'PUT') return answer(405, 'Only PUT and GET are taken here.');
  const body = await readAtMost(request.body, MAX_BODY);
  if (!body) return answer(413, `An answer may not have more than ${MAX_BODY} bytes.`);
  const text = body.toString('utf8');
  const known = handle.existingState(accountId, region)?.signals.receive(token, { uniqueId: uniqueIdOf(text), text });
  return known ? answer(200) : answer(403, 'Nothing waits for this answer.');
}

/** Returns the unique id of a wait condition signal. */
function uniqueIdOf(text: string): string {
  try {
    const parsed: unknown = parseJson(text);
    if (isObject(parsed) && typeof parsed.UniqueId === 'string') return parsed.UniqueId;
  } catch {
    // The waiting resource reports invalid signals.
  }
  return 'answer';
}

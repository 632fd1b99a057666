import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { ReceivedResponse } from '@emu/wire';
import type { Target, TargetRequest } from './target.ts';

/** Largest response in bytes. */
const MAX_RESPONSE = 256 * 1024 * 1024;

/** Sets the emulated time of a running emulator, in epoch milliseconds, and stops it. */
export type SetTime = (time: number) => Promise<void>;

/**
 * A running emulator. All requests go to its address, whatever host they name.
 * @param url of the emulator, without a path
 */
export function httpTarget(url: URL, setTime: SetTime): Target & { close(): void } {
  const secure = url.protocol === 'https:';
  const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  let now = 0;
  const move = async (time: number): Promise<void> => {
    await setTime(time);
    now = time;
  };
  const exchange = (request: TargetRequest, signal: AbortSignal): Promise<ReceivedResponse> => {
    const { method, host = url.host, path, query, headers, body } = request;
    if (!path.startsWith('/')) throw new TypeError('the path of a request does not begin with a slash');
    const options = {
      agent,
      signal,
      method,
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port || (secure ? 443 : 80),
      path: query === '' ? path : `${path}?${query}`,
      headers: { ...headers, host, 'content-length': String(body.length) },
    };
    return new Promise((resolve, reject) => {
      const outgoing = (secure ? httpsRequest : httpRequest)(options, (incoming) => {
        read(incoming).then(resolve, reject);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  };
  return {
    send: async (request, signal) => exchange(request, signal),
    start: move,
    async advanceTo(time) {
      if (time > now) await move(time);
    },
    close: () => agent.destroy(),
  };
}

async function read(incoming: IncomingMessage): Promise<ReceivedResponse> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_RESPONSE) throw new RangeError('the response is too large');
    chunks.push(chunk);
  }
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) };
}

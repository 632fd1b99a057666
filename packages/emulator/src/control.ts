import type { Fetch } from '@emu/control-client';
import type { Gateway, RequestBody } from '@emu/gateway';

const NEVER_ABORTED = new AbortController().signal;

/** The part of `fetch` that the control client needs, answered by a gateway in this process. */
export function inProcessFetch(gateway: Gateway): Fetch {
  return async (url, { method, headers, body = '' }) => {
    const { host, pathname, search } = new URL(url);
    const answer = await gateway.handle({
      method,
      target: pathname + search,
      headers: { ...headers, host },
      body: wholeBody(Buffer.from(body)),
      remoteAddress: undefined,
      localPort: undefined,
      secure: false,
      signal: () => NEVER_ABORTED,
    });
    const response = new Response(await bytesOf(answer.body));
    return { status: answer.status, text: () => response.text(), arrayBuffer: () => response.arrayBuffer() };
  };
}

function wholeBody(bytes: Uint8Array): RequestBody {
  return {
    bytes: async () => bytes,
    async *stream() {
      yield bytes;
    },
  };
}

async function bytesOf(body: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<Buffer> {
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

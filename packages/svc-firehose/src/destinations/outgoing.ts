import { type OutgoingNames, openRequest } from '@emu/core/outgoing';

/** Response timeout of endpoints in milliseconds: "HTTP endpoint delivery" of the developer guide. */
const TIMEOUT = 3 * 60 * 1000;
/** Maximum bytes of a response. */
const MAX_ANSWER = 1024 * 1024;

/** Response of an endpoint. */
export interface EndpointAnswer {
  status: number;
  text: string;
}

/**
 * Posts a body to a URL over a new connection, without following redirects.
 * @throws Error if the endpoint is unreachable, or its response is too late or too large
 */
export async function post(
  names: OutgoingNames,
  url: string,
  headers: Record<string, string>,
  body: Uint8Array,
): Promise<EndpointAnswer> {
  const outgoing = await openRequest(names, new URL(url), {
    method: 'POST',
    headers: { ...headers, 'content-length': String(body.length) },
    agent: false,
    signal: AbortSignal.timeout(TIMEOUT),
  });
  return new Promise((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_ANSWER) response.destroy(new Error(`the answer is longer than ${MAX_ANSWER} bytes`));
        else chunks.push(chunk);
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    outgoing.end(body);
  });
}

import type { Gateway } from '@emu/gateway';

/** Answers a request by a gateway in this process; a client that gives up does not wait for the answer. */
export function fetchInProcess(gateway: Gateway, request: Request): Promise<Response> {
  const { signal } = request;
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    withLength(request)
      .then((whole) => gateway.fetch(whole))
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** A request with the length of its body, as a client on a socket sends it of a body that it has whole. */
async function withLength(request: Request): Promise<Request> {
  if (!request.body || request.headers.has('content-length')) return request;
  const body = await request.arrayBuffer();
  const headers = new Headers(request.headers);
  headers.set('content-length', String(body.byteLength));
  return new Request(request.url, { method: request.method, headers, body, signal: request.signal });
}

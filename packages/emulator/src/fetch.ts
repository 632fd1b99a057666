import type { Gateway } from '@emu/gateway';

/** Handles a request with an in-process gateway. A client that aborts does not wait for the response. */
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

/** Returns a request with Content-Length, as a client on a socket sends it for a complete body. */
async function withLength(request: Request): Promise<Request> {
  if (!request.body || request.headers.has('content-length')) return request;
  const body = await request.arrayBuffer();
  const headers = new Headers(request.headers);
  headers.set('content-length', String(body.byteLength));
  return new Request(request.url, { method: request.method, headers, body, signal: request.signal });
}

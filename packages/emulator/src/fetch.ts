import type { Gateway } from '@emu/gateway';

/** Answers a request by a gateway in this process; a client that gives up does not wait for the answer. */
export function fetchInProcess(gateway: Gateway, request: Request): Promise<Response> {
  const { signal } = request;
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    gateway
      .fetch(request)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}
